package io.mooring.scan;

import io.mooring.columnar.TypeSupport;
import io.mooring.parquet.Footer;
import io.mooring.parquet.FooterCache;
import io.mooring.parquet.RowGroups;
import io.mooring.parquet.UnitPlanner;
import io.mooring.parquet.UnreadableOnGpuException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Decides for each split of a file whether, and how, the GPU reads it. */
final class FilePlanner {
  private static final Set<CompressionCodecName> CODECS =
      Set.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD);
  private static final String DEFAULT_VALUE_KEY = "EXISTS_DEFAULT";

  private final StructType required;
  private final ReadSettings settings;
  private final Configuration conf;

  FilePlanner(StructType required, ReadSettings settings, Configuration conf) {
    this.required = required;
    this.settings = settings;
    this.conf = conf;
  }

  /**
   * Plans one split.
   *
   * @throws UnreadableOnGpuException when the split is Spark's to read, with the reason
   */
  FilePlan plan(FileSplit split) throws UnreadableOnGpuException {
    Footer footer = footer(split);
    List<Integer> rowGroups = RowGroups.ofSplit(footer, split.start(), split.length());
    List<String> columns = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    int[] decodedAt = new int[required.length()];
    for (int i = 0; i < decodedAt.length; i++) {
      StructField field = required.fields()[i];
      Type column = find(footer, field);
      decodedAt[i] = column == null ? -1 : columns.size();
      if (column != null) {
        check(footer, column, field.dataType());
        columns.add(column.getName());
        types.add(field.dataType());
      }
    }
    long rows = rowGroups.stream().mapToLong(i -> footer.rowGroups().get(i).getRowCount()).sum();
    if (columns.isEmpty()) {
      return new FilePlan(split, List.of(), rows, decodedAt, types);
    }
    checkChunks(footer, rowGroups, columns);
    UnitPlanner units =
        new UnitPlanner(
            split.file(), footer, columns, settings.unitBytes(), settings.mergeDistance());
    return new FilePlan(split, units.plan(rowGroups), rows, decodedAt, types);
  }

  private Footer footer(FileSplit split) throws UnreadableOnGpuException {
    try {
      return FooterCache.shared().footer(split.file(), conf);
    } catch (IOException e) {
      // Spark's reader meets the same error and reports it in its own words.
      throw new UnreadableOnGpuException("the footer cannot be read", e);
    }
  }

  private @Nullable Type find(Footer footer, StructField field) throws UnreadableOnGpuException {
    Type found = null;
    for (Type column : footer.schema().getFields()) {
      boolean same =
          settings.caseSensitive()
              ? column.getName().equals(field.name())
              : column.getName().equalsIgnoreCase(field.name());
      if (same && found != null) {
        throw new UnreadableOnGpuException("column " + field.name() + " is ambiguous");
      } else if (same) {
        found = column;
      }
    }
    if (found == null && field.metadata().contains(DEFAULT_VALUE_KEY)) {
      throw new UnreadableOnGpuException("column " + field.name() + " has a default value");
    }
    if (settings.fieldIds() && field.metadata().contains("parquet.field.id")) {
      throw new UnreadableOnGpuException("columns are matched by field id");
    }
    return found;
  }

  private void check(Footer footer, Type column, DataType type) throws UnreadableOnGpuException {
    String problem = TypeSupport.problem(column, type);
    if (problem == null && column.getName().indexOf('.') >= 0) {
      problem = "column " + column.getName() + " has a dot in its name";
    }
    if (problem == null) {
      problem = new RebaseCheck(footer, settings).problem(column.asPrimitiveType(), type);
    }
    if (problem != null) {
      throw new UnreadableOnGpuException(problem);
    }
  }

  private static void checkChunks(Footer footer, List<Integer> rowGroups, List<String> columns)
      throws UnreadableOnGpuException {
    for (int index : rowGroups) {
      BlockMetaData block = footer.rowGroups().get(index);
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        if (!columns.contains(chunk.getPath().toArray()[0])) {
          continue;
        }
        if (chunk.isEncrypted()) {
          throw new UnreadableOnGpuException("columns are encrypted");
        } else if (!CODECS.contains(chunk.getCodec())) {
          throw new UnreadableOnGpuException("the codec is " + chunk.getCodec());
        }
      }
    }
  }
}
