package io.mooring.stage;

import io.mooring.gpu.LentDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Work of a task on another thread, for the same user, with the same class loader and the same GPU.
 * Threads serve one task after the other: CUDA makes a stream for each new thread, and frees it
 * with the thread, under locks that all threads of the process need.
 */
final class DecodeThread {
  private static final int IDLE_SECONDS = 60;
  private static final ExecutorService THREADS = threads();

  private final Runnable work;
  private final UserGroupInformation user;
  private final @Nullable ClassLoader classes = Thread.currentThread().getContextClassLoader();
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable Thread thread;
  private boolean interrupted;

  private DecodeThread(Runnable work, UserGroupInformation user) {
    this.work = work;
    this.user = user;
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
          String name = "mooring-decode-" + count.getAndIncrement();
          // No inheritable thread-locals: the first task's values would be wrong for the next task.
          Thread thread = new Thread(null, work, name, 0, false);
          thread.setDaemon(true);
          thread.setContextClassLoader(DecodeThread.class.getClassLoader());
          return thread;
        });
  }

  /** Starts work that throws nothing. */
  static DecodeThread start(Runnable work) {
    try {
      DecodeThread started =
          new DecodeThread(LentDevice.inherited(work), UserGroupInformation.getCurrentUser());
      THREADS.execute(started::run);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run() {
    begin();
    try {
      user.doAs(
          (PrivilegedAction<@Nullable Void>)
              () -> {
                work.run();
                return null;
              });
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    thread = Thread.currentThread();
    thread.setContextClassLoader(classes);
    if (interrupted) {
      thread.interrupt();
    }
  }

  private synchronized void end() {
    thread = null;
    // Neither must reach the work of another task.
    Thread.currentThread().setContextClassLoader(DecodeThread.class.getClassLoader());
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

  /** Waits until the work has ended, but not longer than so many milliseconds. */
  void join(long millis) throws InterruptedException {
    end.await(millis, TimeUnit.MILLISECONDS);
  }
}
