package io.mooring.conformance;

import io.mooring.conformance.ConformanceCase.Excuse;
import io.mooring.conformance.ConformanceRound.RoundSessions;
import io.mooring.conformance.ConformanceRound.TableFolders;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;

/** Rounds of cases in several threads, and what came of them. Thread-safe. */
final class ConformanceRun implements AutoCloseable {
  private static final int REPORT_EACH = 1_000;

  private final TableFolders folders;
  private final long started = System.nanoTime();
  private final BlockingQueue<RoundSessions> free = new LinkedBlockingQueue<>();
  private final ExecutorService threads;
  private final Map<Thread, String> running = new ConcurrentHashMap<>();
  private final List<Future<?>> rounds = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int done;
  private int served;
  private int failed;
  private final Map<Excuse, Integer> excused = new EnumMap<>(Excuse.class);

  /**
   * @param folders of the tables
   */
  ConformanceRun(SparkSession spark, TableFolders folders, int atOnce) {
    this.folders = folders;
    this.threads = Executors.newFixedThreadPool(atOnce);
    for (int i = 0; i < atOnce; i++) {
      free.add(RoundSessions.of(spark));
    }
  }

  /**
   * Submits a number of cases in rounds with successive seeds; returns without waiting.
   *
   * @param most cases of a round
   * @return the number of rounds
   */
  int submitAll(long seed, int cases, int most) {
    int rounds = 0;
    for (int left = cases; left > 0; left -= most) {
      submit(seed + rounds++, 0, Math.min(most, left) - 1);
    }
    return rounds;
  }

  /**
   * Submits cases {@code first} to {@code last} of the round of a seed; returns without waiting.
   */
  void submit(long seed, int first, int last) {
    rounds.add(
        threads.submit(
            () -> {
              RoundSessions sessions = free.take();
              try {
                new ConformanceRound(sessions, folders, seed).run(first, last, listener());
              } finally {
                free.add(sessions);
                running.remove(Thread.currentThread());
              }
              return seed;
            }));
  }

  /** Waits for all that were submitted; a case that does not end is a failure. */
  void await(long limitSeconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    try {
      for (Future<?> round : rounds) {
        round.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException e) {
      fail("no end after " + limitSeconds + " s: " + running.values());
    } catch (ExecutionException e) {
      throw new IllegalStateException("a round failed: " + running.values(), e);
    }
    rounds.clear();
  }

  private ConformanceRound.Listener listener() {
    return new ConformanceRound.Listener() {
      private String name = "";

      @Override
      public void begins(String it) {
        name = it;
        running.put(Thread.currentThread(), it);
      }

      @Override
      public void ended(ConformanceCase result, Statement it, Map<String, String> settings) {
        note(result);
        if (result.excuse() != Excuse.NONE) {
          System.out.println(result.excuse() + " " + name);
        }
        if (!result.problems().isEmpty()) {
          fail(name + "\n " + result.problems() + "\n " + settings);
        }
      }
    };
  }

  private synchronized void note(ConformanceCase result) {
    done++;
    served += result.served() ? 1 : 0;
    failed += result.sparks().failed() ? 1 : 0;
    if (result.excuse() != Excuse.NONE) {
      excused.merge(result.excuse(), 1, Integer::sum);
    }
    if (done % REPORT_EACH == 0) {
      System.out.println(this);
    }
  }

  private synchronized void fail(String what) {
    System.out.println("FAILED " + what);
    failures.add(what);
  }

  /** What differed, and how to find it again. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Cases that Mooring read some of. */
  synchronized int served() {
    return served;
  }

  /** Cases that ended in an error, in Spark too. */
  synchronized int failed() {
    return failed;
  }

  /** Cases with another answer than Spark's that may be. */
  synchronized int excused(Excuse excuse) {
    return excused.getOrDefault(excuse, 0);
  }

  @Override
  public synchronized String toString() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
    String all = done + " cases, " + served + " served, " + failed + " with errors, ";
    return all + failures.size() + " differ, excused " + excused + ", " + seconds + " s";
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
