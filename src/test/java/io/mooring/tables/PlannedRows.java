package io.mooring.tables;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.transform;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.iceberg.IcebergTask;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a GPU would be given to decode for a query over a table whose columns have field
 * ids: of the files and row groups that are planned, the columns that are found, without deleted
 * rows. Spark's reader of plain Parquet decodes them here, so that no GPU is needed to see that
 * they are the right ones.
 */
final class PlannedRows {
  private static final String INDEX = "row index of the file";

  private final SparkSession spark;
  private final ScanContext context;
  private final List<String> left = new ArrayList<>();

  private PlannedRows(SparkSession spark, ScanContext context) {
    this.spark = spark;
    this.context = context;
  }

  /**
   * Checks that a query gives over these rows what it gives over the table by its own reader.
   *
   * @return why the GPU cannot read some of the files
   */
  static List<String> check(SparkSession spark, String query, String table) {
    Dataset<Row> ours = spark.sql(query);
    PlannedRows rows = new PlannedRows(spark, PlannedScan.context(ours));
    List<FileSplit> splits = PlannedScan.splits(ours);
    return Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () -> {
          rows.of(splits).createOrReplaceTempView("planned");
          assertThat(ScanResults.rows(spark.sql(query.replace(table, "planned"))))
              .as(query)
              .isEqualTo(ScanResults.rows(spark.sql(query)));
          return rows.left;
        });
  }

  private Dataset<Row> of(List<FileSplit> splits) {
    Dataset<Row> all = spark.createDataFrame(List.of(), context.files().columns());
    for (FileSplit split : splits) {
      all = all.union(of(split));
    }
    return all;
  }

  private Dataset<Row> of(FileSplit split) {
    try {
      Footer footer =
          FooterCache.shared().footer(split.file(), context.configuration(), new ScanCounters());
      FilePlan plan = plan(split);
      long[] deleted = plan == null ? deletedRows(split) : plan.deleted().indexes();
      StructType schema =
          new ParquetToSparkSchemaConverter(spark.sessionState().conf()).convert(footer.schema());
      Dataset<Row> file =
          spark
              .read()
              .schema(schema)
              .parquet(split.path())
              .select(col("*"), col("_metadata.row_index").as(INDEX));
      return file.where(col(INDEX).isin(Arrays.stream(deleted).boxed().toArray()).equalTo(false))
          .where(isKept(plan, footer))
          .select(columns(footer.schema(), plan));
    } catch (Exception e) {
      throw new IllegalStateException(split.path(), e);
    }
  }

  private long[] deletedRows(FileSplit split) {
    IcebergTask task = IcebergTask.of(split.metadata());
    return task != null && task.mayDeleteRows()
        ? Objects.requireNonNull(context.files().iceberg())
            .deletedRows(task, split.start(), split.length())
        : new long[0];
  }

  /** Null where the table's own reader reads the file. */
  private @Nullable FilePlan plan(FileSplit split) {
    try {
      return new FilePlanner(
              context.files(), context.settings(), context.pruning(), context.configuration())
          .plan(split);
    } catch (UnreadableOnGpuException e) {
      left.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Whether a row is in one of the row groups that are read. */
  private static Column isKept(@Nullable FilePlan plan, Footer footer) {
    if (plan == null || plan.columns().read().isEmpty()) {
      return lit(true);
    }
    Column kept = lit(false);
    for (ReadUnit unit : plan.units()) {
      for (int group : unit.rowGroups()) {
        long first =
            footer.rowGroups().subList(0, group).stream().mapToLong(it -> it.getRowCount()).sum();
        long end = first + footer.rowGroups().get(group).getRowCount();
        kept = kept.or(col(INDEX).geq(first).and(col(INDEX).lt(end)));
      }
    }
    return kept;
  }

  private Column[] columns(GroupType file, @Nullable FilePlan plan) {
    StructField[] wanted = context.files().columns().fields();
    Column[] columns = new Column[wanted.length];
    for (int i = 0; i < columns.length; i++) {
      Type found = plan == null ? byId(file, wanted[i]) : decoded(file, plan, i);
      columns[i] = column(found, wanted[i]).as(wanted[i].name());
    }
    return columns;
  }

  private static @Nullable Type decoded(GroupType file, FilePlan plan, int column) {
    int at = plan.columns().decodedAt()[column];
    return at < 0 ? null : file.getType(plan.columns().names().get(at));
  }

  private static @Nullable Type byId(GroupType file, StructField wanted) {
    return file.getFields().stream()
        .filter(it -> it.getId().intValue() == wanted.metadata().getLong("parquet.field.id"))
        .findFirst()
        .orElse(null);
  }

  private static Column column(@Nullable Type found, StructField wanted) {
    return found == null
        ? lit(null).cast(wanted.dataType())
        : adapted(col("`" + found.getName() + "`"), found, wanted.dataType());
  }

  /** A value of a file as one of the table's type: fields by their ids, and casts. */
  private static Column adapted(Column value, Type file, DataType wanted) {
    if (wanted instanceof StructType struct) {
      Column[] fields =
          Arrays.stream(struct.fields())
              .map(field -> field(value, file.asGroupType(), field))
              .toArray(Column[]::new);
      return when(value.isNotNull(), struct(fields)).cast(wanted);
    } else if (wanted instanceof ArrayType list) {
      Type element = file.asGroupType().getType(0).asGroupType().getType(0);
      Column all = transform(value, it -> adapted(it, element, list.elementType()));
      return when(value.isNotNull(), all).otherwise(lit(null).cast(wanted));
    }
    return value.cast(wanted);
  }

  private static Column field(Column value, GroupType file, StructField wanted) {
    Type found = byId(file, wanted);
    return (found == null
            ? lit(null).cast(wanted.dataType())
            : adapted(value.getField(found.getName()), found, wanted.dataType()))
        .as(wanted.name());
  }
}
