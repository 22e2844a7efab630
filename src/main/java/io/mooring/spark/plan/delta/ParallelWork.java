package io.mooring.spark.plan.delta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs work of the driver on new threads. New threads inherit the session and the job group of the
 * calling thread; threads of a pool would not.
 */
final class ParallelWork {
  private static final int MOST_THREADS = 8;

  private final Queue<Callable<?>> work;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private ParallelWork(Collection<? extends Callable<?>> work) {
    this.work = new ConcurrentLinkedQueue<>(work);
    for (int i = 0; i < Math.min(MOST_THREADS, work.size()); i++) {
      Thread thread = new Thread(this::take, "mooring-files-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /**
   * Runs all, and returns once no thread is at work any more.
   *
   * @throws Exception what one of them throws, which ends the others, or an interrupt of the
   *     calling thread
   */
  static void run(Collection<? extends Callable<?>> work) throws Exception {
    if (work.size() == 1) {
      work.iterator().next().call();
      return;
    }
    ParallelWork all = new ParallelWork(work);
    all.threads.forEach(Thread::start);
    all.threads.forEach(all::await);
    Throwable thrown = all.failure.get();
    if (thrown instanceof Error error) {
      throw error;
    } else if (thrown != null) {
      throw (Exception) thrown;
    }
  }

  private void take() {
    for (Callable<?> next = work.poll(); next != null; next = work.poll()) {
      try {
        next.call();
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  private void failed(Throwable e) {
    failure.compareAndSet(null, e);
    work.clear();
    threads.forEach(Thread::interrupt);
  }

  private void await(Thread thread) {
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        failed(e);
      }
    }
  }
}
