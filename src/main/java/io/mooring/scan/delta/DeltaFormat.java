package io.mooring.scan.delta;

import io.mooring.scan.library.Library;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet;
import org.apache.spark.sql.catalyst.expressions.FileSourceGeneratedMetadataStructField$;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The format of a Delta table: Parquet whose columns may have other names in the files than in the
 * table, and some of whose rows may be deleted. Immutable; used on the driver.
 */
public record DeltaFormat(ParquetFileFormat format) {
  private static final StructField ROW_INDEX =
      new StructField(
          ParquetFileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME(),
          DataTypes.LongType,
          true,
          Metadata.empty());
  private static final StructField IS_DELETED =
      new StructField(
          "__delta_internal_is_row_deleted", DataTypes.ByteType, true, Metadata.empty());
  static final String PACKAGE = "org.apache.spark.sql.delta.";
  static final Library LIBRARY = new Library("Delta Lake");
  private static final String CLASS = PACKAGE + "DeltaParquetFileFormat";
  // Lists the files of one version of the table.
  static final String PREPARED = PACKAGE + "stats.PreparedDeltaFileIndex";
  private static final Set<String> INDEXES =
      Set.of(PREPARED, PACKAGE + "files.TahoeBatchFileIndex");
  private static final String TABLE_INDEX = PACKAGE + "files.TahoeLogFileIndex";
  // Without it Delta's rules leave the index of the table.
  private static final String SKIPPING = "spark.databricks.delta.stats.skipping";

  /** The setting of Delta Lake by which its reader tells rows from each other by their indexes. */
  public static final String ROW_INDEXES =
      "spark.databricks.delta.deletionVectors.useMetadataRowIndex";

  /** Whether the setting is on in a session, as it is by default. */
  public static boolean usesRowIndexes(SQLConf conf) {
    return Boolean.parseBoolean(conf.getConfString(ROW_INDEXES, "true"));
  }

  /** Whether a format is Delta's. */
  public static boolean is(FileFormat format) {
    return format.getClass().getName().equals(CLASS);
  }

  /** Whether a file index lists exactly the data files to read. */
  public static boolean lists(FileIndex index) {
    return INDEXES.contains(index.getClass().getName());
  }

  /** Whether Delta's rules have chosen the files that an index lists. */
  public static boolean isPrepared(FileIndex index) {
    return index.getClass().getName().equals(PREPARED);
  }

  /** The conditions by which files were chosen; an index that is asked with them has the files. */
  public static List<Expression> preparedBy(FileIndex index) {
    Object filters = LIBRARY.call(LIBRARY.call(index, "preparedScan"), "allFilters");
    return CollectionConverters.asJava(((ExpressionSet) filters).toSeq());
  }

  /**
   * The conditions that an index is to be asked with, so that it gives the files that were chosen
   * and does not choose them again.
   *
   * @param conditions of the query that are not on partitions
   */
  public static List<Expression> asked(FileIndex index, List<Expression> conditions) {
    Expression always = Literal$.MODULE$.TrueLiteral();
    if (!isPrepared(index) || !preparedBy(index).contains(always)) {
      return conditions;
    }
    // See DeltaFiles.askedForDeletions.
    return Stream.concat(conditions.stream(), Stream.of(always)).toList();
  }

  /** Whether Delta's rules will put an index for which {@link #lists} holds in the place of one. */
  public static boolean willList(FileIndex index, SQLConf conf) {
    return isOfLog(index) && choosesFiles(conf);
  }

  /** Whether an index is one of a table's log, of which no files are chosen yet. */
  public static boolean isOfLog(FileIndex index) {
    return index.getClass().getName().equals(TABLE_INDEX);
  }

  /** Whether Delta's rules choose files when a query is optimized. */
  public static boolean choosesFiles(SQLConf conf) {
    return Boolean.parseBoolean(conf.getConfString(SKIPPING, "true"));
  }

  /** A format for which {@link #is} holds. */
  public static DeltaFormat of(FileFormat format) {
    return new DeltaFormat((ParquetFileFormat) format);
  }

  /**
   * Columns of the table as its files have them, in the same order: by the names, or with the field
   * ids, that column mapping gives them at any depth.
   *
   * @throws IllegalStateException when this version of Delta Lake is not known
   */
  public StructType inFiles(StructType columns) {
    List<StructField> stored =
        Arrays.stream(columns.fields()).filter(field -> !isGenerated(field)).toList();
    StructType schema = new StructType(stored.toArray(StructField[]::new));
    Iterator<StructField> inFiles =
        Arrays.asList(((StructType) LIBRARY.call(format, "prepareSchemaForRead", schema)).fields())
            .iterator();
    return new StructType(
        Arrays.stream(columns.fields())
            .map(field -> isGenerated(field) ? field : inFiles.next())
            .toArray(StructField[]::new));
  }

  /** Whether a field of {@code _metadata} is read from a column, which is not the table's. */
  private static boolean isGenerated(StructField column) {
    return column
        .metadata()
        .contains(
            FileSourceGeneratedMetadataStructField$.MODULE$
                .FILE_SOURCE_GENERATED_METADATA_COL_ATTR_KEY());
  }

  /** Columns with the metadata by which the format's reader knows those of {@code _metadata}. */
  public StructType withFormatMetadata(StructType columns) {
    Map<String, Metadata> generated = generated();
    return new StructType(
        Arrays.stream(columns.fields())
            .map(
                field ->
                    new StructField(
                        field.name(),
                        field.dataType(),
                        field.nullable(),
                        isGenerated(field)
                            ? generated.getOrDefault(field.name(), field.metadata())
                            : field.metadata()))
            .toArray(StructField[]::new));
  }

  /** The metadata of the columns that fields of {@code _metadata} are read from, by their names. */
  private Map<String, Metadata> generated() {
    Map<String, Metadata> all = new HashMap<>();
    for (StructField field : CollectionConverters.asJava(format.metadataSchemaFields())) {
      Option<String> name =
          FileSourceGeneratedMetadataStructField$.MODULE$.getInternalNameIfValid(
              field.dataType(), field.metadata());
      name.foreach(it -> all.put(it, field.metadata()));
    }
    return all;
  }

  /** Whether rows of the table may be deleted by deletion vectors. */
  public boolean mayDeleteRows() {
    return CollectionConverters.asJava(format.metadataSchemaFields()).stream()
        .anyMatch(field -> field.name().equals(ParquetFileFormat.ROW_INDEX()));
  }

  /** Whether the plan takes care of deleted rows itself, by a filter on a column of the format. */
  public boolean marksRows() {
    return ((Option<?>) LIBRARY.call(format, "tablePath")).isDefined();
  }

  /** The format whose reader marks each row as deleted or not. */
  public ParquetFileFormat marking(String tablePath) {
    return (ParquetFileFormat) LIBRARY.call(format, "copyWithDVInfo", tablePath, true);
  }

  /**
   * Columns with those behind them that {@link #marking} needs; the last is 0 for a row that is not
   * deleted.
   */
  public static StructType withMarks(StructType columns) {
    boolean indexed =
        Arrays.stream(columns.fields())
            .anyMatch(it -> isGenerated(it) && it.name().equals(ROW_INDEX.name()));
    return (indexed ? columns : columns.add(ROW_INDEX)).add(IS_DELETED);
  }
}
