package io.mooring.soak;

import io.mooring.testing.RandomQueries;
import io.mooring.testing.ScanResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.SparkSession;

/** Random queries, one in six cancelled at a random moment; every other result is Spark's own. */
final class SoakQueries {
  private static final int QUERIES = 24;
  private static final int CANCELLED_ONE_IN = 6;
  private static final int LATEST_MILLIS = 400;

  private record Query(String sql, List<String> rows) {}

  private final List<Query> queries;
  private final long seed;
  private final Timer timer = new Timer("canceller", true);
  private final AtomicLong right = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong cancelled = new AtomicLong();

  private SoakQueries(List<Query> queries, long seed) {
    this.queries = queries;
    this.seed = seed;
  }

  /** Draws the queries and asks Spark's own reader for their rows. */
  static SoakQueries of(SparkSession spark, long seed) {
    RandomQueries random = new RandomQueries(seed);
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      String sql = random.next();
      queries.add(new Query(sql, ScanResults.rows(spark.sql(sql.formatted("sparks")))));
    }
    return new SoakQueries(queries, seed);
  }

  void run(SparkSession session, int number, long end) {
    Random random = new Random(seed + number);
    session.conf().set("spark.sql.parquet.filterPushdown", "false");
    for (int i = 0; System.nanoTime() < end; i++) {
      String group = number + "-" + i;
      AtomicBoolean cancel = new AtomicBoolean();
      if (random.nextInt(CANCELLED_ONE_IN) == 0) {
        cancelLater(session, group, cancel, random.nextInt(LATEST_MILLIS));
      }
      run(session, group, queries.get(random.nextInt(QUERIES)), cancel);
    }
  }

  private void cancelLater(SparkSession session, String group, AtomicBoolean cancel, int millis) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            cancel.set(true);
            session.sparkContext().cancelJobGroup(group);
          }
        },
        millis);
  }

  private void run(SparkSession session, String group, Query query, AtomicBoolean cancel) {
    session.sparkContext().setJobGroup(group, "soak", true);
    try {
      List<String> rows = ScanResults.rows(session.sql(query.sql().formatted("global_temp.ours")));
      (rows.equals(query.rows()) ? right : wrong).incrementAndGet();
    } catch (Exception e) {
      (cancel.get() ? cancelled : lost).incrementAndGet();
    }
  }

  SoakResult result(long blocks, long bytesInUse, long early, long late) {
    return new SoakResult(
        right.get(), wrong.get(), lost.get(), cancelled.get(), blocks, bytesInUse, early, late);
  }
}
