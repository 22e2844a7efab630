package io.mooring.conformance;

import io.mooring.testing.FileDamage;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A query over a damaged file, with Mooring and without.
 *
 * @param refused whether Spark's reader failed, or did not end in time
 * @param timedOut whether Spark's reader did not end in time; Mooring then does not run
 * @param problem how the two differ; empty where they do not
 */
record DamageCase(boolean refused, boolean timedOut, String problem) {
  private static final long LIMIT_SECONDS = 30;
  private static final List<String> NO_END = List.of("no end");
  // No query has a condition: its result would depend on damaged statistics, which not all readers
  // use.
  private static final List<Function<Dataset<Row>, Dataset<Row>>> QUERIES =
      List.of(
          all -> all,
          all -> all.selectExpr("k", "text", "amount"),
          all -> all.selectExpr("count(*)", "sum(k)", "max(text)", "min(moment)"),
          all -> all.groupBy("k").count());

  /** Runs the case of a seed on {@code threads}, which may be left with queries that do not end. */
  static DamageCase run(
      SparkSession ours,
      SparkSession sparks,
      List<GoodFile> files,
      Path folder,
      long seed,
      Executor threads)
      throws IOException, InterruptedException {
    Random random = new Dice(seed).random();
    GoodFile good = files.get(random.nextInt(files.size()));
    Path table = Files.createDirectory(folder.resolve("damaged" + seed));
    byte[] damaged = FileDamage.of(good.bytes(), random);
    Path file = Files.write(table.resolve("part-0.parquet"), damaged);
    boolean inferred = random.nextInt(4) == 0;
    var query = QUERIES.get(random.nextInt(QUERIES.size()));
    Function<SparkSession, Dataset<Row>> read =
        session -> {
          DataFrameReader reader = session.read();
          return query.apply(
              (inferred ? reader : reader.schema(good.schema())).parquet(table.toString()));
        };
    List<String> expected = limited(sparks, () -> read.apply(sparks), "sparks " + seed, threads);
    List<String> mine =
        expected.equals(NO_END)
            ? NO_END
            : limited(ours, () -> read.apply(ours), "ours " + seed, threads);
    Files.delete(file);
    return of(expected, mine);
  }

  private static DamageCase of(List<String> sparks, List<String> ours) {
    boolean refused = isError(sparks);
    // The GPU has no use for all that a page's header says, and reads on where Spark refuses.
    boolean mayRead = refused && !isError(ours) && RequiresGpu.Condition.gpuIsThere();
    boolean same = ours.equals(sparks) || (mayRead && !ours.equals(NO_END));
    return new DamageCase(
        refused, sparks.equals(NO_END), same ? "" : "ours " + ours + "\n sparks " + sparks);
  }

  private static boolean isError(List<String> answer) {
    return !answer.get(0).startsWith("{");
  }

  private static List<String> limited(
      SparkSession session, Supplier<Dataset<Row>> query, String name, Executor threads)
      throws InterruptedException {
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              session.sparkContext().setJobGroup(name, name, true);
              return Outcome.of(session, query);
            },
            threads);
    try {
      return outcome.get(LIMIT_SECONDS, TimeUnit.SECONDS).answer();
    } catch (TimeoutException e) {
      session.sparkContext().cancelJobGroup(name);
      return NO_END;
    } catch (ExecutionException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** A small file of several row groups and pages, to be damaged. */
  record GoodFile(byte[] bytes, StructType schema) {
    private static final int ROWS = 400;
    private static final int ROWS_OF_GROUP = 150;
    private static final String[] COLUMNS = {
      "id",
      "if(id % 7 = 0, null, id / 4.0D) as v",
      "cast(id % 5 as int) as k",
      "if(id % 11 = 0, null, cast(hash(id) as string)) as text",
      "cast(id * 1001 % 977 as decimal(20, 3)) as amount",
      "date_add(date'2020-02-28', cast(id % 90 as int)) as day",
      "timestamp_micros(id * 1000000007) as moment",
      "id % 3 = 0 as flag",
      "if(id % 4 = 0, null, array(id, null, id % 9)) as list"
    };

    /** Files of several codecs and encodings; only the last has a nested column. */
    static List<GoodFile> several(SparkSession spark, Path folder) throws IOException {
      int flat = COLUMNS.length - 1;
      return List.of(
          write(spark, folder.resolve("none"), "none", "v1", "true", flat),
          write(spark, folder.resolve("plain"), "none", "v1", "false", flat),
          write(spark, folder.resolve("snappy"), "snappy", "v1", "true", flat),
          write(spark, folder.resolve("delta"), "snappy", "v2", "false", flat),
          write(spark, folder.resolve("gzip"), "gzip", "v2", "true", flat),
          write(spark, folder.resolve("zstd"), "zstd", "v1", "false", flat),
          write(spark, folder.resolve("nested"), "zstd", "v1", "true", flat + 1));
    }

    private static GoodFile write(
        SparkSession spark,
        Path table,
        String codec,
        String version,
        String dictionary,
        int columns)
        throws IOException {
      List<String> chosen = new ArrayList<>(List.of(COLUMNS).subList(0, columns));
      Dataset<Row> rows = spark.range(0, ROWS, 1, 1).selectExpr(chosen.toArray(String[]::new));
      rows.write()
          .option("compression", codec)
          .option("parquet.writer.version", version)
          .option("parquet.enable.dictionary", dictionary)
          .option("parquet.page.size", 512)
          .option("parquet.block.row.count.limit", ROWS_OF_GROUP)
          .parquet(table.toString());
      byte[] bytes = Files.readAllBytes(ScanResults.firstParquetFile(table));
      return new GoodFile(bytes, rows.schema());
    }
  }
}
