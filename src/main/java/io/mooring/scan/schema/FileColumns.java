package io.mooring.scan.schema;

import io.mooring.columnar.ColumnShape;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.ProjectedColumn;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.session.ReadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.catalyst.expressions.FileSourceGeneratedMetadataStructField$;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a file that are decoded for the columns of a scan.
 *
 * @param read as the file has them
 * @param shapes the shapes of their values, in the same order, and behind them that of row indexes
 *     where these are wanted
 * @param decodedAt for each wanted column its ordinal among the shapes, -1 for a missing one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileColumns(List<ProjectedColumn> read, List<ColumnShape> shapes, int[] decodedAt) {
  /**
   * The key of Spark's metadata of a column that a field of {@code _metadata} is read from; its
   * value is Spark's name of the column.
   */
  public static final String GENERATED_KEY =
      FileSourceGeneratedMetadataStructField$.MODULE$.FILE_SOURCE_GENERATED_METADATA_COL_ATTR_KEY();

  /** The value for the indexes of rows in their file, which are made when it is decoded. */
  public static final String ROW_INDEX = ParquetFileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME();

  /** The key of Spark's metadata of a column that has a value where files lack the column. */
  public static final String DEFAULT_VALUE_KEY = "EXISTS_DEFAULT";

  /**
   * Finds the columns in a file.
   *
   * @throws UnreadableOnGpuException when one of them is Spark's to read, with the reason
   */
  public static FileColumns of(Footer footer, StructType wanted, ReadSettings settings)
      throws UnreadableOnGpuException {
    if (settings.fieldIds() && FileFields.haveIds(wanted) && !FileFields.hasIds(footer.schema())) {
      throw new UnreadableOnGpuException("columns are matched by field id, and the file has none");
    }
    FileFields fields = new FileFields(footer.schema(), settings);
    List<ProjectedColumn> read = new ArrayList<>();
    List<ColumnShape> shapes = new ArrayList<>();
    int[] decodedAt = new int[wanted.length()];
    for (int i = 0; i < decodedAt.length; i++) {
      StructField field = wanted.fields()[i];
      if (isRowIndex(field)) {
        continue;
      }
      Type column = find(fields, field);
      decodedAt[i] = column == null ? -1 : read.size();
      if (column != null) {
        ColumnResolver.Resolved resolved =
            ColumnResolver.resolve(footer, column, field.dataType(), settings);
        read.add(resolved.column());
        shapes.add(resolved.shape());
      }
    }
    addRowIndexes(wanted, decodedAt, shapes);
    return new FileColumns(List.copyOf(read), List.copyOf(shapes), decodedAt);
  }

  /** Gives all columns of row indexes the place behind the others. */
  private static void addRowIndexes(StructType wanted, int[] decodedAt, List<ColumnShape> shapes) {
    int place = shapes.size();
    for (int i = 0; i < decodedAt.length; i++) {
      if (isRowIndex(wanted.fields()[i])) {
        decodedAt[i] = place;
        if (shapes.size() == place) {
          shapes.add(ColumnShape.flat(DataTypes.LongType));
        }
      }
    }
  }

  /** A column's own name does not tell: tables may have a column of any name. */
  private static boolean isRowIndex(StructField field) {
    return field.metadata().contains(GENERATED_KEY)
        && field.metadata().getString(GENERATED_KEY).equals(ROW_INDEX);
  }

  /** Null where the file lacks a column whose value then is null. */
  private static @Nullable Type find(FileFields fields, StructField field)
      throws UnreadableOnGpuException {
    Type column = fields.find(field);
    if (column == null && field.metadata().contains(DEFAULT_VALUE_KEY)) {
      throw new UnreadableOnGpuException("column " + field.name() + " has a default value");
    }
    return column;
  }

  /** Whether the indexes of rows in the file are wanted, which no column chunk has. */
  public boolean hasRowIndexes() {
    return shapes.size() > read.size();
  }

  /** The decoded columns' names as the file spells them. */
  public List<String> names() {
    return read.stream().map(ProjectedColumn::name).toList();
  }

  /** The column chunks that every row group has to have. */
  public Set<ColumnPath> leaves() {
    return read.stream()
        .flatMap(column -> column.leaves().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the decoder can be given the file's own schema. */
  public boolean areAsWritten() {
    return read.stream().allMatch(ProjectedColumn::asWritten);
  }
}
