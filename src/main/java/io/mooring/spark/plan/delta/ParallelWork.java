package io.mooring.spark.plan.delta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs work of the driver on threads that inherit the session and the job group of the calling one,
 * which new threads do and those of a pool do not.
 */
final class ParallelWork {
  private static final int MOST_THREADS = 8;

  private final Queue<Runnable> work;
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  private ParallelWork(Collection<Runnable> work) {
    this.work = new ConcurrentLinkedQueue<>(work);
  }

  /**
   * Runs all, and returns once no thread is at work any more.
   *
   * @throws RuntimeException what one of them throws; others may not have been run then
   * @throws CancellationException when the calling thread is interrupted, which it stays
   */
  static void run(Collection<Runnable> work) {
    ParallelWork all = new ParallelWork(work);
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < Math.min(MOST_THREADS, work.size()); i++) {
      Thread other = new Thread(all::take, "mooring-files-" + i);
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    all.take();
    all.awaitAll(others);
    RuntimeException thrown = all.failure.get();
    if (thrown != null) {
      throw thrown;
    }
  }

  private void take() {
    for (Runnable next = work.poll(); next != null; next = work.poll()) {
      try {
        next.run();
      } catch (RuntimeException e) {
        failed(e);
      } catch (Throwable e) {
        // Scala code throws checked exceptions, too.
        failed(new IllegalStateException(e));
      }
    }
  }

  private void failed(RuntimeException e) {
    failure.compareAndSet(null, e);
    work.clear();
  }

  private void awaitAll(List<Thread> others) {
    boolean interrupted = false;
    for (Thread other : others) {
      while (other.isAlive()) {
        if (interrupted) {
          others.forEach(Thread::interrupt);
        }
        try {
          other.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      failed(new CancellationException("the choice of files was interrupted"));
    }
  }
}
