package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Random histories of tables. Each is written twice, once with statements that read through Mooring
 * and once without it. Several run beside each other, each in a session of its own.
 */
final class Histories {
  static final String TABLE = "TABLE";
  private static final int HISTORIES = Integer.getInteger("mooring.test.histories", 6);
  private static final int THREADS = Integer.getInteger("mooring.test.historyThreads", 2);
  private static final long SECONDS = Long.getLong("mooring.test.historySeconds", 3600);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  private Histories() {}

  /** What is checked of one history, the same for the same seed. */
  interface Check {
    void of(SparkSession session, long seed) throws Exception;
  }

  /**
   * Runs the check for as many seeds as {@code mooring.test.histories} says, and begins no further
   * one after {@code mooring.test.historySeconds}.
   */
  static void checkAll(SparkSession spark, Check check) throws InterruptedException {
    Map<Long, Throwable> failures = new ConcurrentSkipListMap<>();
    AtomicInteger done = new AtomicInteger();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
      long one = seed;
      threads.execute(
          () -> {
            if (System.nanoTime() < end) {
              checkOne(session(spark, one), check, one, failures);
              done.incrementAndGet();
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(SECONDS * 2, TimeUnit.SECONDS)).isTrue();
    System.out.printf("%d histories from seed %d, %d differ%n", done.get(), SEED, failures.size());
    assertThat(failures).as("failures by seed").isEmpty();
    assertThat(done.get()).isPositive();
  }

  private static SparkSession session(SparkSession spark, long seed) {
    SparkSession session = spark.newSession();
    Map<String, String> settings = seed % 2 == 0 ? Interpreted.SETTINGS : Interpreted.COMPILED;
    settings.forEach(session.conf()::set);
    return session;
  }

  private static void checkOne(
      SparkSession session, Check check, long seed, Map<Long, Throwable> failures) {
    // Delta and Iceberg look for the session of the thread.
    SparkSession.setActiveSession(session);
    try {
      check.of(session, seed);
    } catch (Throwable e) {
      failures.put(seed, e);
      System.out.printf("-Dmooring.test.histories=1 -Dmooring.test.seed=%d: %s%n", seed, e);
    } finally {
      SparkSession.clearActiveSession();
    }
  }

  /** Writes a history to a table through Mooring, and to another one without it. */
  static void write(SparkSession session, List<String> statements, String ours, String theirs) {
    execute(session, statements, ours);
    withoutMooring(session, () -> execute(session, statements, theirs));
    withoutMooring(session, () -> assertThat(rows(session, ours)).isEqualTo(rows(session, theirs)));
  }

  /** Reads a table through Mooring and without it. */
  static void read(
      SparkSession session, List<String> queries, String table, Consumer<Dataset<Row>> check) {
    for (String query : queries) {
      check.accept(WithAndWithout.run(session, query.replace(TABLE, table)).ours());
    }
  }

  private static void withoutMooring(SparkSession session, Runnable action) {
    Sessions.with(session, "spark.mooring.sql.enabled", "false", action);
  }

  private static void execute(SparkSession session, List<String> statements, String table) {
    for (String statement : statements) {
      session.sql(statement.replace(TABLE, table));
    }
  }

  private static List<String> rows(SparkSession session, String table) {
    return ScanResults.rows(session.sql("select * from " + table));
  }
}
