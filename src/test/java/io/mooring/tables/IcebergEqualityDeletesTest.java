package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.scan.iceberg.IcebergReader;
import io.mooring.scan.iceberg.IcebergTask;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.Sessions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of which rows are deleted by their values. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergEqualityDeletesTest {
  private static final String CACHE = "spark.sql.iceberg.executor-cache.enabled";

  /** Files of several row groups, and deletes by place beside those by value. */
  private static final String PROPERTIES =
      ", 'write.parquet.row-group-size-bytes' = '2000',"
          + " 'write.parquet.row-group-check-min-record-count' = '32',"
          + " 'write.parquet.row-group-check-max-record-count' = '32',"
          + " 'write.delete.mode' = 'merge-on-read', 'format-version' = '";

  @TempDir static Path folder;
  private SparkSession spark;
  private IcebergTables tables;

  @BeforeAll
  void start() {
    // Before version 1.12, what Iceberg keeps is wrong for a query with columns in another order.
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of(CACHE, "false"));
    tables = new IcebergTables(spark);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void create(String name, String partitions, int version) {
    tables.create(name, partitions, PROPERTIES + version + "'");
  }

  private void delete(String table, List<String> columns, List<? extends List<?>> rows) {
    IcebergDeleteFiles.add(spark, table, columns, rows);
  }

  private static long[] deleted(Dataset<Row> data, FileSplit split, long start, long length) {
    IcebergReader reader = Objects.requireNonNull(PlannedScan.context(data).files().iceberg());
    return reader.deletedRows(
        Objects.requireNonNull(IcebergTask.of(split.metadata())), start, length);
  }

  /** Iceberg's reader gives rows where columns are nested, and batches elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"s", "n"})
  void rowsOfAllRowGroupsAndOfRanges(String column) {
    String name = "ranges_" + column;
    spark.sql(
        "create table db."
            + name
            + " using iceberg tblproperties ('a' = 'b'"
            + PROPERTIES
            + "2') as "
            + IcebergTables.ROWS
            + " from range(0, 1000, 1, 1)");
    delete("db." + name, List.of("id"), List.of(List.of(3L), List.of(700L), List.of(5000L)));
    delete("db." + name, List.of("k"), List.of(List.of(5L)));
    spark.sql("delete from db." + name + " where id between 990 and 995");
    Dataset<Row> data = spark.sql("select " + column + " from db." + name + " where id > 800");
    FileSplit split = PlannedScan.splits(data).get(0);
    long[] expected =
        LongStream.range(0, 1000)
            .filter(id -> id == 3 || id == 700 || id % 7 == 5 || (id >= 990 && id <= 995))
            .toArray();
    InputFileBlockHolder.set("another file", 7, 8);
    assertThat(deleted(data, split, 0, split.fileLength())).isEqualTo(expected);
    assertThat(InputFileBlockHolder.getInputFilePath()).hasToString("another file");
    long part = split.fileLength() / 3;
    LongStream parts =
        LongStream.range(0, 4).flatMap(i -> Arrays.stream(deleted(data, split, i * part, part)));
    assertThat(parts.toArray()).isEqualTo(expected);
    assertThat(deleted(data, split, 0, part).length).isBetween(1, expected.length - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesOfEveryKind(int version) {
    String table = "db.kinds" + version;
    create("kinds" + version, "", version);
    delete(table, List.of("id"), List.of(List.of(17L), List.of(400L), List.of(999L)));
    tables.assertOurs(table);
    spark.sql("delete from " + table + " where id % 10 = 3");
    delete(table, List.of("s", "k"), List.of(List.of("text 12", 2L), List.of("text 50", 1L)));
    delete(table, List.of("d"), List.of(List.of(new BigDecimal("7.00"))));
    // Rows of these values that are inserted later are not deleted.
    spark.sql("insert into " + table + " " + IcebergTables.ROWS + " from range(10, 30)");
    tables.assertOurs(table);
    tables.assertPlanned("select n.x, a from " + table + " where k = 2", table);
    tables.run("select count(*) from " + table).assertOurs();
    assertThat(tables.run("select id from " + table + " where id = 17").ours().count())
        .isEqualTo(1);
  }

  @Test
  void deletesThatIcebergKeepsForOthers() {
    spark.sql(
        "create table db.kept using iceberg as select id, id % 2 as k, id % 2 + 1 as l"
            + " from range(0, 10, 1, 1)");
    delete("db.kept", List.of("k", "l"), List.of(List.of(1L, 2L)));
    delete("db.kept", List.of("l", "id"), List.of(List.of(1L, 4L)));
    Sessions.with(
        spark,
        CACHE,
        "true",
        () -> {
          for (String columns : List.of("l, k, id", "*")) {
            spark.sql("select " + columns + " from db.kept").collectAsList();
            Dataset<Row> data = spark.sql("select id from db.kept");
            FileSplit split = PlannedScan.splits(data).get(0);
            assertThat(deleted(data, split, 0, split.fileLength()))
                .containsExactly(1, 3, 4, 5, 7, 9);
          }
        });
  }

  @Test
  void nullIsNull() {
    create("nulls", "", 2);
    spark.sql("update db.nulls set k = null, s = null where id between 100 and 200");
    delete("db.nulls", List.of("k"), List.of(Collections.singletonList(null)));
    assertThat(tables.run("select id from db.nulls where k is null").ours().count()).isZero();
    tables.assertOurs("db.nulls");
    spark.sql(
        "insert into db.nulls select id, null, null, null, null, null, null from range(7, 9)");
    delete("db.nulls", List.of("s", "id"), List.of(Arrays.asList(null, 7L)));
    assertThat(tables.run("select s from db.nulls where s is null").ours().count()).isEqualTo(1);
    tables.assertPlanned("select * from db.nulls", "db.nulls");
  }

  @Test
  void columnsThatHaveChanged() {
    spark.sql(
        "create table db.changed (id bigint, i int, f float, gone string, k int) using iceberg");
    String rows = " select id, int(id), float(id) / 4, string(id), int(id % 3) from range(100)";
    spark.sql("insert into db.changed" + rows);
    delete("db.changed", List.of("i"), List.of(List.of(5), List.of(50)));
    spark.sql("alter table db.changed add partition field k");
    delete("db.changed", List.of("gone"), List.of(List.of("20"), List.of("21")));
    spark.sql("alter table db.changed rename column i to j");
    spark.sql("alter table db.changed alter column j type bigint");
    spark.sql("alter table db.changed alter column f type double");
    spark.sql("alter table db.changed add column added int");
    delete("db.changed", List.of("j"), List.of(List.of(6L), List.of(5_000_000_000L)));
    delete("db.changed", List.of("f", "added"), List.of(Arrays.asList(10.0, null)));
    assertSame("db.changed", 94);
    spark.sql("insert into db.changed select id, id, id, string(id), 1, 2 from range(40, 60)");
    delete("db.changed", List.of("added", "k"), List.of(List.of(2, 1), List.of(2, 2)));
    assertSame("db.changed", 94);
  }

  private void assertSame(String table, long rows) {
    for (String query :
        List.of(
            "select * from %s",
            "select id from %s where j between 3 and 60",
            "select f from %s where mod(id, 3) = 1 and added is null",
            "select j, f from %s where f > 3")) {
      tables.run(String.format(query, table)).assertOurs();
      tables.assertPlanned(String.format(query, table), table);
    }
    assertThat(tables.run("select * from " + table).ours().count()).isEqualTo(rows);
  }

  /** Iceberg 1.10 has no reader of such a table: whatever it says, Mooring says. */
  @Test
  void columnsThatAreDropped() {
    create("dropped", "", 2);
    delete("db.dropped", List.of("s"), List.of(List.of("text 12")));
    spark.sql("alter table db.dropped drop column s");
    String query = "select id from db.dropped where id < 500 order by id";
    String theirs =
        Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> outcome(query));
    assertThat(outcome(query)).isEqualTo(theirs);
  }

  private String outcome(String query) {
    try {
      return spark.sql(query).collectAsList().toString();
    } catch (Exception e) {
      return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
  }

  @Test
  void partitions() {
    create("parted", "", 2);
    spark.sql("alter table db.parted add partition field k");
    spark.sql("insert into db.parted " + IcebergTables.ROWS + " from range(1000, 1300)");
    delete("db.parted", List.of("id"), List.of(List.of(3L), List.of(4L)));
    IcebergDeleteFiles.add(
        spark, "db.parted", "k=2", List.of("s"), List.of(List.of("text 3"), List.of("text 10")));
    delete("db.parted", List.of("k", "day"), List.of(List.of(6L, LocalDate.of(2020, 1, 14))));
    delete("db.parted", List.of("k"), List.of(List.of(1L)));
    tables.assertOurs("db.parted");
    assertThat(tables.run("select * from db.parted where k = 1").ours().count()).isZero();
    assertThat(tables.run("select * from db.parted where k = 2 and id >= 1000").ours().count())
        .isEqualTo(LongStream.range(1000, 1300).filter(id -> id % 7 == 2).count() - 2);
  }

  /** Which rows these are depends on the columns of a query, in Iceberg. */
  @Test
  void fieldsOfStructsAreLeftToIceberg() {
    tables.create("fields", "", ", 'write.metadata.metrics.default' = 'none'");
    delete("db.fields", List.of("n.y"), List.of(List.of("12")));
    Dataset<Row> data = tables.run("select n from db.fields").assertOurs().ours();
    FileSplit split = PlannedScan.splits(data).get(0);
    assertThatThrownBy(() -> deleted(data, split, 0, split.fileLength()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> PlannedScan.of(data))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessage("its deleted rows cannot be read");
  }
}
