package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.scan.output.RowIndexes;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.task.ScanWork;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file, the index, the specification and the partition of rows, as Iceberg's reader has them.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergMetadataColumnsTest {
  private static final List<String> QUERIES =
      List.of(
          "select id, _pos, _file, _spec_id, _partition from %s",
          "select s, _pos from %s where id between 700 and 720",
          "select s, n, a, d, _pos from %s where id in (3, 650, 2999)",
          "select *, _pos from %s where k = 2 and id > 1500",
          "select id, _pos from %s where _pos < 30",
          "select id, s from %s where _pos between 250 and 260 or id = 5",
          "select id, _pos + id from %s where _pos %% 100 = 3 and s like '%%7'",
          "select _file, count(*), min(_pos), max(_pos), sum(_pos) from %s where id > 0 group by _file",
          "select _spec_id, k, sum(_pos) from %s where id > 10 group by _spec_id, k",
          "select max(_pos), count(distinct _file) from %s where id > 4",
          "select _partition, max(id) from %s where id > 7 group by _partition",
          "select id, _partition from %s where _partition is not null and id < 50",
          "select _pos from %s",
          "select _file, _partition, _spec_id from %s",
          "select count(*) from %s where _pos >= 100",
          "select t._pos, u._pos, t.id from %1$s t join %1$s u on t.id = u.id + 1 where u.k = 2",
          "select t.id, u._pos from %1$s t join %1$s u on t.id = u._pos where t.k = 1",
          "select id, _pos, row_number() over (partition by _file order by _pos) from %s");

  @TempDir static Path folder;
  private SparkSession spark;
  private IcebergTables tables;

  @BeforeAll
  void start() {
    spark =
        IcebergSessions.start(
            folder.resolve("warehouse"),
            Map.of("spark.sql.iceberg.executor-cache.enabled", "false"));
    tables = new IcebergTables(spark);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void create(String name, String partitions, int version) {
    tables.createOfSmallParts("db." + name, partitions, version);
  }

  private void assertOurs(String table) {
    QUERIES.forEach(query -> tables.run(String.format(query, table)).assertOurs());
    String query = "select *, _pos, _file, _spec_id, _partition from " + table;
    ScanResults.assertReadByGpuAlone(tables.run(query).ours());
  }

  @ParameterizedTest
  @CsvSource({"2, ''", "3, ''", "2, partitioned by (k)", "2, 'partitioned by (bucket(2, id), s)'"})
  void deletesOfEveryKind(int version, String partitions) {
    String name = "kinds" + version + Math.abs(partitions.hashCode());
    String table = "db." + name;
    create(name, partitions.length() > 20 ? "partitioned by (bucket(2, id))" : partitions, version);
    assertOurs(table);
    spark.sql("delete from " + table + " where id % 10 = 3 or id between 1000 and 1100");
    assertOurs(table);
    if (partitions.isEmpty()) {
      IcebergDeleteFiles.add(spark, table, List.of("id"), List.of(List.of(17L), List.of(2500L)));
      IcebergDeleteFiles.add(spark, table, List.of("k"), List.of(List.of(5L)));
      assertOurs(table);
    }
    spark.sql("insert into " + table + " " + IcebergTables.ROWS + " from range(10, 30)");
    assertOurs(table);
  }

  @Test
  void severalSpecifications() {
    create("specs", "partitioned by (k)", 2);
    spark.sql("alter table db.specs add partition field truncate(2, s)");
    spark.sql("insert into db.specs " + IcebergTables.ROWS + " from range(5000, 5100)");
    spark.sql("alter table db.specs drop partition field k");
    spark.sql("insert into db.specs select 6000, null, null, 1, null, null, null");
    assertOurs("db.specs");
    tables.run("select id, _partition.k, _partition from db.specs where id > 90").assertOurs();
    tables.run("select id from db.specs where _partition.k = 3 and id > 8").assertOurs();
    tables.run("select _partition.k from db.specs where id > 8").assertOurs();
    WithAndWithout one = tables.run("select id from db.specs where _spec_id = 2 and id > 8");
    assertThat(ScanResults.filesRead(one.assertOurs().ours())).isEqualTo(1);
  }

  @Test
  void filesAreChosenByTheirNames() {
    create("named", "partitioned by (k)", 2);
    String file = spark.sql("select _file from db.named where k = 3 limit 1").first().getString(0);
    WithAndWithout one =
        tables.run("select id, _pos from db.named where _file = '" + file + "' and id > 5");
    assertThat(ScanResults.filesRead(one.assertOurs().ours())).isEqualTo(1);
  }

  @Test
  void indexesUnderSelectiveFilters() {
    create("skipped", "", 2);
    spark.sql("delete from db.skipped where id % 9 = 3");
    for (String condition :
        List.of("id between 700 and 720", "id in (3, 650, 2998)", "id = 1400")) {
      String query = "select id, s, n, a, d, _pos from db.skipped where " + condition;
      WithAndWithout both = tables.run(query).assertOurs();
      ScanResults.assertReadByGpuAlone(both.ours());
    }
  }

  /** A file that lacks a column has no other that tells how many rows there are. */
  @Test
  void columnsThatFilesLack() {
    create("added", "", 2);
    spark.sql("alter table db.added add column more int");
    tables.run("select more, _pos from db.added").assertOurs();
    tables.run("select more, _pos, id from db.added where id > 100").assertOurs();
    tables.run("select count(more), max(_pos) from db.added where more is null").assertOurs();
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 30_000})
  void splitsOfFiles(int bytes) {
    create("split" + bytes, "", 2);
    spark.sql("delete from db.split" + bytes + " where id % 7 = 3");
    Map<String, String> settings =
        Map.of(
            "spark.sql.files.maxPartitionBytes",
            String.valueOf(bytes),
            "spark.sql.files.openCostInBytes",
            "1");
    Sessions.with(spark, settings, () -> assertOurs("db.split" + bytes));
  }

  /** What the row groups of a task's units say of indexes, also where units have several files. */
  @Test
  void indexesOfPlannedUnits() throws Exception {
    create("planned", "", 2);
    spark.sql("insert into db.planned " + IcebergTables.ROWS + " from range(0, 50, 1, 2)");
    Dataset<Row> some = spark.sql("select id, _pos from db.planned where id between 700 and 1700");
    int units = 0;
    for (ScanWork work : PlannedScan.work(some)) {
      ScanUnit unit =
          work instanceof ScanWork.DecodeLate late ? late.unit() : ((ScanWork.Decode) work).unit();
      LongStream expected = LongStream.empty();
      for (int i = 0; i < unit.files().size(); i++) {
        List<BlockMetaData> groups = rowGroups(unit.files().get(i).plan().split().path());
        for (int group : unit.rowGroupsOf(i)) {
          long first = groups.get(group).getRowIndexOffset();
          long end = first + groups.get(group).getRowCount();
          expected = LongStream.concat(expected, LongStream.range(first, end));
        }
      }
      assertThat(
              RowIndexes.of(unit).spans().stream()
                  .flatMapToLong(it -> LongStream.range(it.first(), it.first() + it.rows())))
          .containsExactlyElementsOf(expected.boxed().toList());
      units++;
    }
    assertThat(units).isPositive();
  }

  /** The row groups as parquet-mr reads them, which counts the rows before each. */
  private List<BlockMetaData> rowGroups(String file) throws IOException {
    Configuration conf = spark.sessionState().newHadoopConf();
    HadoopInputFile input = HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(file), conf);
    try (ParquetFileReader reader = ParquetFileReader.open(input)) {
      return reader.getFooter().getBlocks();
    }
  }

  @Test
  void statementsThatWriteDeletes() {
    for (String partitions : List.of("", "partitioned by (k)")) {
      String name = "written" + partitions.length();
      create(name + "_ours", partitions, 2);
      create(name + "_theirs", partitions, 2);
      for (String statement : statements()) {
        String ours = statement.replace("TABLE", "db." + name + "_ours");
        assertThat(spark.sql("explain " + ours).first().getString(0))
            .contains("mooring")
            .doesNotContain("not Mooring");
        spark.sql(ours);
        Sessions.with(
            spark,
            "spark.mooring.sql.enabled",
            "false",
            () -> {
              spark.sql(statement.replace("TABLE", "db." + name + "_theirs"));
              assertThat(ScanResults.rows(spark.table("db." + name + "_ours")))
                  .as(statement)
                  .isEqualTo(ScanResults.rows(spark.table("db." + name + "_theirs")));
            });
      }
    }
  }

  private static List<String> statements() {
    return List.of(
        "delete from TABLE where id % 10 = 3 or id between 1000 and 1100",
        "update TABLE set s = concat(s, '!') where id % 50 = 7 and d > 3",
        "merge into TABLE t using (select id * 3 as id, 'm' as s from range(1500)) u"
            + " on t.id = u.id when matched and t.id % 2 = 0 then delete"
            + " when matched and t.id % 5 = 0 then update set s = u.s"
            + " when not matched then insert (id, k, s) values (u.id, 1, u.s)",
        "delete from TABLE where s like '%!'",
        "update TABLE set k = k + 1 where n.x between 300 and 340",
        "delete from TABLE where id in (select max(id) from TABLE group by k)");
  }
}
