package io.mooring.stage.replicated;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Tables of orders as in TPC-H, small, in several files each; keys have gaps, nulls and duplicates.
 */
public final class ReplicatedTables {
  /** What turns joins without an exchange on, and Spark's own broadcasts off. */
  public static final Map<String, String> SETTINGS =
      Map.of(
          "spark.mooring.sql.replicatedJoins", "always",
          "spark.sql.autoBroadcastJoinThreshold", "-1",
          "spark.sql.adaptive.autoBroadcastJoinThreshold", "-1");

  private static final int FILES = 3;

  private ReplicatedTables() {}

  /** A session with their settings and the tables, below a folder. */
  public static SparkSession session(Path folder) {
    return session(folder, Map.of());
  }

  /** A session with their settings and others, and the tables, below a folder. */
  public static SparkSession session(Path folder, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(SETTINGS);
    all.putAll(others);
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), all);
    create(spark, folder);
    return spark;
  }

  /** Writes them below a folder, with views of their names. */
  public static void create(SparkSession spark, Path folder) {
    write(spark, folder, "region", 5, "int(id) r_regionkey", "concat('region ', id) r_name");
    write(
        spark,
        folder,
        "nation",
        25,
        "int(id) n_nationkey",
        "concat('nation ', id) n_name",
        "int(id % 5) n_regionkey");
    write(
        spark,
        folder,
        "customer",
        300,
        "id c_custkey",
        "int(id % 25) c_nationkey",
        "concat('segment ', id % 4) c_segment",
        "cast(id * 37 % 1000 as decimal(12,2)) c_balance");
    write(
        spark,
        folder,
        "orders",
        2000,
        "id * 2 o_orderkey",
        "if(id % 11 = 0, null, id * 7 % 350) o_custkey",
        "date_add(date'1995-01-01', int(id % 700)) o_date",
        "concat('priority ', id % 5) o_priority");
    write(
        spark,
        folder,
        "lineitem",
        6000,
        "if(id % 13 = 0, null, id % 4200) l_orderkey",
        "int(id % 97) l_partkey",
        "int(id % 31) l_suppkey",
        "cast(id * 7919 % 100000 / 100 as decimal(12,2)) l_price",
        "cast(id % 11 / 100 as decimal(12,2)) l_discount",
        "date_add(date'1995-01-15', int(id % 700)) l_ship",
        "concat('mode ', id % 7) l_mode");
    write(spark, folder, "supplier", 40, "int(id) s_suppkey", "int(id % 25) s_nationkey");
    write(
        spark,
        folder,
        "part",
        120,
        "int(id) p_partkey",
        "if(id % 3 = 0, 'PROMO ' || id, 'OTHER ' || id) p_type");
    write(spark, folder, "nothing", 0, "id o_orderkey", "concat('none ', id) o_priority");
  }

  private static void write(
      SparkSession spark, Path folder, String table, long rows, String... columns) {
    String path = folder.resolve(table).toString();
    spark.range(0, rows, 1, FILES).selectExpr(columns).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  /** The build sides that executors read themselves, of an executed query. */
  public static List<ReplicatedExec> replicated(Dataset<Row> data) {
    return Plans.nodes(data, ReplicatedExec.class::isInstance).stream()
        .map(ReplicatedExec.class::cast)
        .toList();
  }
}
