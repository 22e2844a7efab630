package io.mooring.stage;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Work of a task on another thread. Threads serve one task after the other: CUDA makes a stream for
 * each new thread, and frees it with the thread, under locks that all threads of the process need.
 */
final class DecodeThread {
  private static final int IDLE_SECONDS = 60;
  private static final ExecutorService THREADS = threads();

  private final Runnable work;
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable Thread thread;
  private boolean interrupted;

  private DecodeThread(Runnable work) {
    this.work = work;
  }

  private static ExecutorService threads() {
    AtomicInteger count = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> {
          Thread thread = new Thread(work, "mooring-decode-" + count.getAndIncrement());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Starts work that throws nothing. */
  static DecodeThread start(Runnable work) {
    DecodeThread started = new DecodeThread(work);
    THREADS.execute(started::run);
    return started;
  }

  private void run() {
    begin();
    try {
      work.run();
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    thread = Thread.currentThread();
    if (interrupted) {
      thread.interrupt();
    }
  }

  private synchronized void end() {
    thread = null;
    // It must not reach the work of another task.
    Thread.interrupted();
    end.countDown();
  }

  /** Interrupts the work, unless it has ended. */
  synchronized void interrupt() {
    interrupted = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  boolean hasEnded() {
    return end.getCount() == 0;
  }

  /** Waits until the work has ended. */
  void join() throws InterruptedException {
    end.await();
  }
}
