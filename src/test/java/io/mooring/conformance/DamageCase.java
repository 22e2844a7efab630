package io.mooring.conformance;

import io.mooring.testing.FileDamage;
import io.mooring.testing.RequiresGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/**
 * A query over a damaged file, with Mooring and without.
 *
 * @param problem how the two differ; empty where they do not
 */
record DamageCase(boolean refused, boolean endless, String problem) {
  private static final long LIMIT_SECONDS = 30;
  private static final List<String> NO_END = List.of("no end");
  // What a condition would leave out hangs on damaged statistics, which not all readers look at.
  private static final List<Function<Dataset<Row>, Dataset<Row>>> QUERIES =
      List.of(
          all -> all,
          all -> all.selectExpr("k", "text", "amount"),
          all -> all.selectExpr("count(*)", "sum(k)", "max(text)", "min(moment)"),
          all -> all.groupBy("k").count());

  /** Of a seed; {@code threads} run the queries, and may be left with such as do not end. */
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
}
