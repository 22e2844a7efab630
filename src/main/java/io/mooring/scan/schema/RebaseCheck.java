package io.mooring.scan.schema;

import io.mooring.parquet.footer.Footer;
import io.mooring.session.ReadSettings;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.spark.sql.catalyst.util.RebaseDateTime.RebaseSpec;
import org.apache.spark.sql.execution.datasources.DataSourceUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.AbstractFunction1;

/**
 * Whether a column's dates and times may be taken as they stand in the file. Files of old writers
 * may hold the Julian calendar, which Spark rebases and the GPU does not.
 */
public final class RebaseCheck {
  private static final String CORRECTED = "CORRECTED";
  private static final String EXCEPTION = "EXCEPTION";
  // Both calendars, and all time zones' old offsets, agree from 1900 on.
  private static final long FIRST_SAFE_DAY = -25_567;
  private static final long MILLIS_OF_DAY = 86_400_000L;

  private final Footer footer;
  private final ReadSettings settings;

  RebaseCheck(Footer footer, ReadSettings settings) {
    this.footer = footer;
    this.settings = settings;
  }

  /** Null when the values of a leaf may be decoded as they are, else why not. */
  @Nullable String problem(ColumnPath leaf, PrimitiveType column, DataType type) {
    if (!type.equals(DataTypes.DateType) && !type.equals(DataTypes.TimestampType)) {
      return null;
    }
    boolean int96 = column.getPrimitiveTypeName() == PrimitiveTypeName.INT96;
    if (int96 && settings.int96Conversion()) {
      return "spark.sql.parquet.int96TimestampConversion is on";
    }
    String mode = mode(int96);
    if (mode.equals(CORRECTED) || (mode.equals(EXCEPTION) && !int96 && isRecent(leaf, column))) {
      return null;
    }
    return "column " + leaf.toDotString() + " may hold dates or times of the Julian calendar";
  }

  private String mode(boolean int96) {
    return (int96
            ? DataSourceUtils.int96RebaseSpec(lookup(footer), settings.int96RebaseMode())
            : datetimeSpec(footer, settings))
        .mode()
        .toString();
  }

  /** How Spark takes the dates and times of a file that are not INT96. */
  public static RebaseSpec datetimeSpec(Footer footer, ReadSettings settings) {
    return DataSourceUtils.datetimeRebaseSpec(lookup(footer), settings.datetimeRebaseMode());
  }

  private static Function1<String, String> lookup(Footer footer) {
    return new AbstractFunction1<>() {
      @Override
      @SuppressWarnings("NullAway") // Spark takes null for a key that is not there
      public String apply(String key) {
        return footer.keyValue(key);
      }
    };
  }

  private boolean isRecent(ColumnPath leaf, PrimitiveType column) {
    long first = firstSafeValue(column.getLogicalTypeAnnotation());
    for (BlockMetaData block : footer.rowGroups()) {
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        if (chunk.getPath().equals(leaf) && !isAtLeast(chunk, first)) {
          return false;
        }
      }
    }
    return true;
  }

  private static long firstSafeValue(@Nullable LogicalTypeAnnotation logical) {
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      long millis = FIRST_SAFE_DAY * MILLIS_OF_DAY;
      return timestamp.getUnit() == LogicalTypeAnnotation.TimeUnit.MILLIS ? millis : millis * 1000;
    }
    return FIRST_SAFE_DAY;
  }

  private static boolean isAtLeast(ColumnChunkMetaData chunk, long first) {
    var statistics = chunk.getStatistics();
    if (statistics == null || !statistics.hasNonNullValue()) {
      return false;
    }
    return ((Number) statistics.genericGetMin()).longValue() >= first;
  }
}
