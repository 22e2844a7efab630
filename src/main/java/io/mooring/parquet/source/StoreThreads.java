package io.mooring.parquet.source;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Threads that read footers and page indexes of many files in object stores at a time, ahead of the
 * task that plans them: each file takes a round trip or more, and keeps no core busy. Thread-safe.
 */
public final class StoreThreads {
  // At a round trip of 30 ms below the 5,500 requests a second that S3 grants a prefix.
  private static final int THREADS = 128;
  private static final int LEAST_THREADS = 8;
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  // One thread for this many of S3A's connections: of the 96 of Hadoop 3.3, 64 are left for
  // requests for data.
  private static final int CONNECTIONS_PART = 3;
  private static final long IDLE_SECONDS = 10;
  private static final AtomicInteger STARTED = new AtomicInteger();
  private static final ThreadPoolExecutor POOL = pool();

  private StoreThreads() {}

  private static ThreadPoolExecutor pool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            StoreThreads::thread);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Thread thread(Runnable work) {
    String name = "mooring-plan-" + STARTED.getAndIncrement();
    // The thread inherits no thread-local values of the task, such as the name of its current file:
    // reading deleted rows changes that name.
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    // Not the class loader of the first task, which has its session's classes.
    thread.setContextClassLoader(StoreThreads.class.getClassLoader());
    return thread;
  }

  /** Runs something that may wait for a store. */
  static void execute(Runnable work) {
    POOL.execute(work);
  }

  /**
   * Begins work on a file in a store; work on another file is for the caller to run. Callers run
   * the task before they get its result, which does nothing where it has begun.
   */
  public static <T> FutureTask<T> begin(ParquetFile file, Configuration conf, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    try {
      FileSystem store = file.hadoopPath().getFileSystem(conf);
      if (Storage.of(store) == Storage.OBJECTS) {
        keepBelow(threads(store.getUri().getScheme(), store.getConf()));
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        POOL.execute(() -> user.doAs(running(task)));
      }
    } catch (IOException | RuntimeException e) {
      // The caller meets the same when it runs the task.
    }
    return task;
  }

  /**
   * The threads that a store has connections for. With more, requests for data wait for a
   * connection until their client gives them up.
   */
  static int threads(String scheme, Configuration conf) {
    if (!scheme.equals("s3a")) {
      return THREADS;
    }
    int connections = conf.getInt(CONNECTIONS, CONNECTIONS_PART * THREADS);
    return Math.max(LEAST_THREADS, Math.min(THREADS, connections / CONNECTIONS_PART));
  }

  /** Lowers the number of threads: the store with the fewest connections in a process counts. */
  private static synchronized void keepBelow(int threads) {
    if (threads < POOL.getCorePoolSize()) {
      POOL.setCorePoolSize(threads);
      POOL.setMaximumPoolSize(threads);
    }
  }

  private static PrivilegedAction<Void> running(FutureTask<?> task) {
    return () -> {
      task.run();
      return null;
    };
  }
}
