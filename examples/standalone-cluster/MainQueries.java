import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * An application as anybody's: it knows nothing of Mooring. It reads, filters, aggregates and joins
 * Parquet tables and writes the rows of every query, sorted, to a file.
 */
public final class MainQueries {
  private static final int ROWS = 200_000;
  private static final int FILES = 8;

  private MainQueries() {}

  /**
   * Runs the queries.
   *
   * @param args the folder of the tables, which are written where there is none, and the folder for
   *     plans and rows
   */
  public static void main(String[] args) throws IOException {
    Path tables = Path.of(args[0]).toAbsolutePath();
    Path out = Files.createDirectories(Path.of(args[1]));
    SparkSession spark = SparkSession.builder().appName("main queries").getOrCreate();
    try {
      if (!Files.exists(tables)) {
        write(spark, tables);
      }
      spark.read().parquet(tables.resolve("sales").toString()).createOrReplaceTempView("sales");
      spark.read().parquet(tables.resolve("stores").toString()).createOrReplaceTempView("stores");
      List<String> rows = new ArrayList<>();
      StringBuilder plans = new StringBuilder();
      for (Map.Entry<String, String> query : queries().entrySet()) {
        Dataset<Row> result = spark.sql(query.getValue());
        rows.add(query.getKey());
        result.collectAsList().stream().map(Row::toString).sorted().forEach(rows::add);
        plans.append(query.getKey()).append('\n');
        plans.append(result.queryExecution().executedPlan()).append('\n');
      }
      Files.write(out.resolve("rows.txt"), rows);
      Files.writeString(out.resolve("plans.txt"), plans);
    } finally {
      spark.stop();
    }
  }

  private static void write(SparkSession spark, Path tables) {
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr(
            "id",
            "cast(pmod(hash(id), 50) as int) store",
            "if(id % 11 = 0, null, cast(pmod(hash(id, 1), 100000) / 100 as decimal(9, 2))) price",
            "date'2026-01-01' + cast(id % 365 as int) day",
            "concat('item ', pmod(hash(id, 2), 977)) item")
        .write()
        .parquet(tables.resolve("sales").toString());
    spark
        .range(0, 50, 1, 1)
        .selectExpr("cast(id as int) store", "concat('town ', id % 9) town")
        .write()
        .parquet(tables.resolve("stores").toString());
  }

  private static Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("read", "select * from sales where id % 1000 = 1");
    queries.put(
        "filter", "select id, price from sales where item = 'item 7' and price > 500 and store < 9");
    queries.put(
        "aggregate",
        "select store, count(*), count(price), sum(price), min(day), max(item) from sales"
            + " where day >= date'2026-03-01' group by store");
    queries.put(
        "join",
        "select town, year(day), count(*), sum(price) from sales join stores using (store)"
            + " group by town, year(day)");
    return queries;
  }
}
