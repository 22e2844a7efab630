package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Joins without an exchange over uncommon tables and columns give the rows of Spark's. */
@Tag("extended")
class ReplicatedEdgesTest {
  private static final int WIDE = 130;
  private static final boolean HAS_COLLATIONS =
      !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");
  // Bucketed by the key, in another collation, and with a sub-query in the key.
  private static final List<String> SPARKS =
      List.of("bucketed a join bucketed b", "collated", "o_orderkey + (select");

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder, Map.of("spark.mooring.sql.stages", "always"));
    wide();
    partitioned();
    tables();
  }

  private static void wide() {
    List<String> columns = new ArrayList<>(List.of("id w_key"));
    IntStream.range(0, WIDE).forEach(i -> columns.add("id * " + i + " w" + i));
    view("wide", spark.range(0, 500, 1, 3).selectExpr(columns.toArray(String[]::new)));
    view(
        "nested",
        spark
            .range(0, 300, 1, 3)
            .selectExpr("id t_key", "named_struct('a', id, 'b', array(id, id + 1)) t_struct"));
    view(
        "vals",
        spark
            .range(0, 300, 1, 3)
            .selectExpr(
                "if(id % 9 = 0, double('nan'), if(id % 9 = 1, -0.0D, double(id % 50))) v_double",
                "if(id % 7 = 0, null, float(id % 20)) v_float",
                "cast(id % 40 as decimal(10,2)) v_dec10",
                "cast(id % 40 as decimal(38,10)) v_dec38",
                "cast(string(id % 70) as binary) v_binary",
                "id % 2 = 0 v_bool",
                "timestamp_micros(id % 60) v_time",
                "smallint(id % 30) v_short",
                "id v_id"));
  }

  private static void view(String name, org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> d) {
    String path = folder.resolve(name).toString();
    d.write().mode(SaveMode.Overwrite).parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  private static void partitioned() {
    String path = folder.resolve("parts").toString();
    spark
        .range(0, 900, 1, 3)
        .selectExpr("id p_id", "id * 3 p_value", "int(id % 6) p_part")
        .write()
        .partitionBy("p_part")
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("parts");
  }

  private static void tables() {
    spark.sql("create table chars (c_key char(8), v_key varchar(9), n int) using parquet");
    spark.sql("insert into chars select 'k' || id, 'k' || id, int(id) from range(0, 60)");
    spark.sql(
        "create table bucketed (b_key bigint, b_value bigint) using parquet clustered by (b_key)"
            + " into 4 buckets");
    spark.sql("insert into bucketed select id % 200, id from range(0, 800)");
    if (HAS_COLLATIONS) {
      spark.sql("create table collated (l_key string collate UTF8_LCASE, l_n int) using parquet");
      spark.sql(
          "insert into collated select if(id % 2 = 0, 'Key ', 'kEY ') || (id % 20), int(id) from"
              + " range(0, 60)");
    }
  }

  @AfterAll
  static void stop() {
    spark.sql("drop table chars");
    spark.sql("drop table bucketed");
    spark.sql("drop table if exists collated");
    spark.stop();
  }

  static List<String> queries() {
    return allQueries().filter(it -> HAS_COLLATIONS || !it.contains("collated")).toList();
  }

  private static Stream<String> allQueries() {
    return Stream.of(
        "select * from lineitem join wide on l_orderkey = w_key",
        "select w_key, count(*) from lineitem join wide on l_orderkey = w_key group by w_key",
        "select * from lineitem join nested on l_orderkey = t_key",
        "select l_orderkey, t_struct.a from lineitem left join nested on l_orderkey = t_struct.a",
        "select a.v_id, b.v_id from vals a join vals b on a.v_double = b.v_double",
        "select a.v_id, b.v_id from vals a join vals b on a.v_float <=> b.v_float",
        "select a.v_id, b.v_id from vals a join vals b on a.v_dec10 = b.v_dec38",
        "select a.v_id, b.v_id from vals a join vals b on a.v_binary = b.v_binary",
        "select a.v_id, b.v_id from vals a join vals b on a.v_time = b.v_time and a.v_bool = b.v_bool",
        "select a.v_id, b.v_id from vals a left join vals b on a.v_short = b.v_id",
        "select * from parts join orders on p_part = o_custkey",
        "select * from orders join parts on p_part = o_custkey where p_part < 3",
        "select * from (select p_part k, p_value from parts) join nation on k = n_regionkey"
            + " where n_name = 'nation 3'",
        "select a.n, b.n from chars a join chars b on a.c_key = b.v_key",
        "select a.n, b.n from chars a join chars b on a.c_key = b.c_key and a.n < b.n + 5",
        "select * from bucketed join orders on b_key = o_orderkey",
        "select * from orders join bucketed on b_value = o_orderkey",
        "select a.b_key, b.b_value from bucketed a join bucketed b on a.b_key = b.b_key",
        "select a.l_n, b.l_n from collated a join collated b on a.l_key = b.l_key",
        "select a.k, b.l_n from (select l_key k, count(*) from collated group by l_key) a join"
            + " collated b on a.k = b.l_key",
        // Sub-queries in build sides, keys and conditions.
        "select * from lineitem join (select * from orders where o_custkey >"
            + " (select avg(c_custkey) from customer)) on l_orderkey = o_orderkey",
        "select * from lineitem join orders on l_orderkey = o_orderkey + (select min(r_regionkey)"
            + " from region)",
        "select * from orders o where o_orderkey > (select avg(l_orderkey) from lineitem where"
            + " l_orderkey = o.o_custkey)",
        "select * from customer left join orders on c_custkey = o_custkey and o_orderkey <"
            + " (select max(l_orderkey) from lineitem)",
        "select * from lineitem where l_orderkey in (select o_orderkey from orders where o_custkey in"
            + " (select c_custkey from customer where c_nationkey in (select n_nationkey from nation)))",
        // One relation several times.
        "select a.o_orderkey, b.o_orderkey, c.o_orderkey from orders a join orders b on a.o_orderkey"
            + " = b.o_custkey join orders c on b.o_orderkey = c.o_custkey",
        "select o_orderkey k from lineitem join orders on l_orderkey = o_orderkey union all"
            + " select o_custkey from lineitem join orders on l_orderkey = o_orderkey",
        "select a.o_custkey, b.o_orderkey from lineitem join (select o_custkey, o_orderkey from"
            + " orders) a on l_orderkey = a.o_orderkey join (select o_orderkey, o_custkey from orders)"
            + " b on l_orderkey = b.o_orderkey",
        "select * from (select *, input_file_name() is null f from lineitem) join orders on"
            + " l_orderkey = o_orderkey",
        "select * from lineitem join (select o_orderkey k, uuid() is null u from orders) on"
            + " l_orderkey = k",
        "select count(*) from lineitem, orders where l_orderkey = o_orderkey and l_partkey in"
            + " (select p_partkey from part where p_type like 'PROMO%') having count(*) > 1",
        "select l_orderkey from lineitem join orders on l_orderkey = o_orderkey order by 1 limit 7",
        "select grouping(l_mode), l_mode, sum(l_price) from lineitem join orders on l_orderkey ="
            + " o_orderkey group by cube(l_mode)",
        "with t as (select * from orders where o_custkey < 100) select a.o_custkey, count(*) from t a"
            + " join t b on a.o_orderkey = b.o_orderkey join lineitem on l_orderkey = a.o_orderkey"
            + " group by 1");
  }

  /** With batches and code of whole stages, and with neither. */
  @Tag("matrix")
  @ParameterizedTest
  @MethodSource("queries")
  void rowsAreSparks(String query) {
    for (String value : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(
              "spark.sql.adaptive.enabled",
              value,
              "spark.sql.parquet.enableVectorizedReader",
              value,
              "spark.sql.codegen.wholeStage",
              value),
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query);
            boolean sparks = SPARKS.stream().anyMatch(query::contains);
            assertThat(ReplicatedTables.replicated(both.ours()).isEmpty()).isEqualTo(sparks);
          });
    }
  }
}
