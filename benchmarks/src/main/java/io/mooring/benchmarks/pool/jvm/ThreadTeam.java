package io.mooring.benchmarks.pool.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that are kept from one period to the next, as executors keep theirs: some allocators
 * remember every thread there ever was. One caller at a time.
 */
final class ThreadTeam {

  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.DAYS, new SynchronousQueue<>(), ThreadTeam::daemon);

  /** The work of a thread. */
  interface Work {
    void run(int index, ThreadTeam crew) throws Exception;
  }

  private volatile long begin;
  private volatile boolean begun;
  private volatile boolean failed;
  private final List<Future<?>> threads = new ArrayList<>();

  private ThreadTeam() {}

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    return thread;
  }

  /** Starts so many threads and returns when all begin. */
  static ThreadTeam start(int count, Work work) {
    ThreadTeam crew = new ThreadTeam();
    AtomicInteger arrived = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      int index = i;
      crew.threads.add(
          THREADS.submit(
              () -> {
                arrived.incrementAndGet();
                crew.run(work, index);
                return null;
              }));
    }
    while (arrived.get() < count) {
      Thread.yield();
    }
    crew.begin = System.nanoTime();
    crew.begun = true;
    return crew;
  }

  private void run(Work work, int index) throws Exception {
    while (!begun) {
      Thread.yield();
    }
    try {
      work.run(index, this);
    } catch (Exception | Error e) {
      failed = true;
      throw e;
    }
  }

  /** Whether a thread has failed, so that the others would wait forever. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Waits until all are done; throws what one of them threw.
   *
   * @return seconds since they began
   */
  double join() throws ExecutionException, InterruptedException {
    for (Future<?> thread : threads) {
      thread.get();
    }
    return (System.nanoTime() - begin) / 1e9;
  }
}
