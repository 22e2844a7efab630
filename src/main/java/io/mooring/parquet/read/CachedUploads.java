package io.mooring.parquet.read;

import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The uploads from the cache to one device, which a thread of its own waits for, in the order in
 * which they were started: that is the order in which they end. Thread-safe.
 */
final class CachedUploads {
  private static final Logger LOG = LoggerFactory.getLogger(CachedUploads.class);

  private final LinkedBlockingQueue<CachedUpload> started = new LinkedBlockingQueue<>();

  /** Starts the thread, which lives as long as the process. */
  CachedUploads() {
    Thread thread = new Thread(this::finishForEver, "mooring-cache");
    thread.setDaemon(true);
    thread.start();
  }

  void add(CachedUpload upload) {
    started.add(upload);
  }

  private void finishForEver() {
    while (true) {
      try {
        started.take().finish();
      } catch (InterruptedException e) {
        LOG.warn("The thread that waits for uploads from the cache was interrupted and continues");
      } catch (RuntimeException | Error e) {
        // Tasks wait for what is in the queue: this thread must not end.
        LOG.error("The thread that waits for uploads from the cache continues after an error", e);
      }
    }
  }
}
