package io.mooring.benchmarks.pool.jmh;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Threads that JMH keeps from one run to the next, as executors keep theirs: some allocators
 * remember every thread there ever was. JMH makes it by name, and shuts it down after each run.
 */
public final class KeptThreads extends AbstractExecutorService {

  private static final ExecutorService ALL = Executors.newCachedThreadPool(KeptThreads::daemon);

  private volatile boolean shutDown;

  /** As JMH wants it. */
  public KeptThreads(int threads, String prefix) {}

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "jmh-worker");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable work) {
    ALL.execute(work);
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutDown = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutDown;
  }

  @Override
  public boolean isTerminated() {
    return shutDown;
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) {
    return true;
  }
}
