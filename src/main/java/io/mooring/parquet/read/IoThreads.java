package io.mooring.parquet.read;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The I/O threads of one device: they fill host buffers from files and start their copies to the
 * device. Pieces of a unit that its task waits for come before pieces that are read ahead, and
 * otherwise in the order of submission: several threads fill one unit together, and every task's
 * first unit comes before any task's second. Object stores have threads of their own, one for each
 * request under way, so that no core waits for the network. Thread-safe.
 */
public final class IoThreads {
  // Bounds the host buffers in use, so that their bytes are still in the cache when copied.
  private static final long BUFFER_BYTES_PER_THREAD = 6L << 20;
  private static final long LEAST_BUFFER_BYTES = 64L << 20;

  private final int requests;
  private final long uploadStream;
  private final Runnable useDevice;
  private final IoLane files;
  private @Nullable IoLane stores;
  private @Nullable CachedUploads cached;

  private IoThreads(int threads, int requests, long uploadStream, Runnable useDevice) {
    this.requests = requests;
    this.uploadStream = uploadStream;
    this.useDevice = useDevice;
    this.files =
        lane(
            "mooring-io-",
            threads,
            Math.max(LEAST_BUFFER_BYTES, threads * BUFFER_BYTES_PER_THREAD));
  }

  /**
   * Starts {@code threads} daemon threads, which live as long as the process.
   *
   * @param requests most under way at object stores at a time; their threads start with the first
   * @param uploadStream that all copies to the device go through, so that the copy engine need not
   *     change between streams
   * @param useDevice makes the device current for the thread that calls; called before each copy
   */
  public static IoThreads start(int threads, int requests, long uploadStream, Runnable useDevice) {
    return new IoThreads(threads, requests, uploadStream, useDevice);
  }

  private IoLane lane(String name, int threads, long bufferBytes) {
    return new IoLane(name, threads, bufferBytes, piece -> piece.startCopy(useDevice));
  }

  private synchronized IoLane stores() {
    if (stores == null) {
      stores = lane("mooring-store-", requests, PieceSizes.allRequestsBytes(requests));
    }
    return stores;
  }

  /** Waits, on a thread of its own, for an upload from the cache. */
  synchronized void finish(CachedUpload upload) {
    if (cached == null) {
      cached = new CachedUploads();
    }
    cached.add(upload);
  }

  /** Makes the device current for the calling thread; cheap when it is. */
  Runnable useDevice() {
    return useDevice;
  }

  /** Most bytes of one request to a store. */
  long requestBytes() {
    return PieceSizes.requestBytes(requests);
  }

  long uploadStream() {
    return uploadStream;
  }

  /**
   * Submits all pieces of a unit.
   *
   * @param ahead how many units the task uses before this one
   * @throws OutOfMemoryError when no thread can be started; no piece has been submitted then
   */
  void submit(List<UploadPiece> pieces, int ahead) {
    List<UploadPiece> requested = pieces.stream().filter(UploadPiece::byRequest).toList();
    if (!requested.isEmpty()) {
      stores().submit(requested, ahead);
    }
    if (requested.size() < pieces.size()) {
      files.submit(pieces.stream().filter(piece -> !piece.byRequest()).toList(), ahead);
    }
  }

  /**
   * The uploads from the cache to one device, which a thread of its own waits for, in the order in
   * which they were started: that is the order in which they end. Thread-safe.
   */
  private static final class CachedUploads {
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
          LOG.warn(
              "The thread that waits for uploads from the cache was interrupted and continues");
        } catch (RuntimeException | Error e) {
          // Tasks wait for what is in the queue: this thread must not end.
          LOG.error("The thread that waits for uploads from the cache continues after an error", e);
        }
      }
    }
  }
}
