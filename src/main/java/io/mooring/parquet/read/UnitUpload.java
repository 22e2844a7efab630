package io.mooring.parquet.read;

import ai.rapids.cudf.DeviceMemoryBuffer;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.UndecodablePagesException;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encoded bytes of one unit on their way to the device. The task that started it waits for it
 * and closes it; I/O threads report their pieces from any thread.
 */
public final class UnitUpload implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnitUpload.class);

  // Decompressors read whole words past the end of a chunk.
  static final long PADDING_BYTES = 64;
  private static final long PER_THREAD_STREAM = 2;

  private final ReadUnit unit;
  private final ScanCounters counters;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<DeviceMemoryBuffer> buffers = new ArrayList<>();
  // Of each of the unit's ranges.
  private final List<List<FileRange>> cuts;
  private final CountDownLatch pending;
  private final UnitSources sources;
  private final UnitVerification verification;
  private volatile boolean cancelled;

  /**
   * An upload of which nothing has been started: {@link #start} is for those of a device.
   *
   * @param pieceBytes most bytes of a piece
   * @param requestBytes most bytes of one that is read by one request to a store
   */
  UnitUpload(
      ReadUnit unit,
      PageChecks checks,
      ScanCounters counters,
      Configuration conf,
      long pieceBytes,
      long requestBytes)
      throws IOException {
    this.unit = unit;
    this.counters = counters;
    this.verification = ExpectedChunks.verification(unit, checks);
    this.sources = UnitSources.open(unit.files(), unit.ranges(), conf, counters);
    this.cuts = unit.ranges().stream().map(range -> cut(range, pieceBytes, requestBytes)).toList();
    this.pending = new CountDownLatch(cuts.stream().mapToInt(List::size).sum());
  }

  /**
   * Starts reading and uploading a unit. Called by the task that will decode it, because device
   * memory is bound to that thread's stream.
   *
   * @param ahead units that the task uses before this one
   * @param checks of the pages before {@link #await} ends well
   */
  public static UnitUpload start(
      ReadUnit unit,
      int ahead,
      PageChecks checks,
      IoThreads threads,
      Configuration conf,
      ScanCounters counters)
      throws IOException {
    UnitUpload upload =
        new UnitUpload(unit, checks, counters, conf, PieceSizes.now(), threads.requestBytes());
    List<UploadPiece> pieces;
    try {
      pieces = upload.allocate(threads.uploadStream());
    } catch (RuntimeException | Error e) {
      upload.releaseAll();
      throw e;
    }
    upload.countNeeded();
    threads.submit(pieces, ahead);
    return upload;
  }

  private void countNeeded() {
    if (unit.ranges().stream().anyMatch(sources::byRequests)) {
      counters.needed(unit.neededBytes());
    }
  }

  private List<UploadPiece> allocate(long stream) {
    List<UploadPiece> pieces = new ArrayList<>();
    for (int i = 0; i < cuts.size(); i++) {
      long bytes = unit.ranges().get(i).length();
      DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(bytes + PADDING_BYTES);
      buffers.add(device);
      pieces.addAll(pieces(i, device.getAddress(), stream));
    }
    // The I/O threads copy on another stream: the memory must be there before they start.
    TransferJni.syncStream(PER_THREAD_STREAM);
    return pieces;
  }

  /** The pieces of the unit's range of an index, which lies at an address of the device. */
  List<UploadPiece> pieces(int range, long deviceAddress, long stream) {
    List<UploadPiece> pieces = new ArrayList<>();
    for (FileRange piece : cuts.get(range)) {
      long address = deviceAddress + piece.offset() - unit.ranges().get(range).offset();
      pieces.add(new UploadPiece(this, sources, piece, address, stream));
    }
    return pieces;
  }

  private List<FileRange> cut(FileRange range, long pieceBytes, long requestBytes) {
    // Short requests at the ends would each cost as much time as the first byte of a long one.
    return sources.byRequests(range)
        ? FileRanges.cutEvenly(range, requestBytes)
        : FileRanges.cut(range, Math.min(pieceBytes, sources.pieceBytes(range)));
  }

  /** What is on its way. */
  public ReadUnit unit() {
    return unit;
  }

  UnitVerification verification() {
    return verification;
  }

  ScanCounters counters() {
    return counters;
  }

  boolean cancelled() {
    return cancelled || failure.get() != null;
  }

  void pieceDone() {
    pending.countDown();
  }

  void pieceFailed(Throwable e) {
    failure.compareAndSet(null, e);
    pending.countDown();
  }

  /**
   * Waits until every byte is on the device and has been verified.
   *
   * @throws UndecodablePagesException when the bytes cannot be decoded safely
   * @throws IOException what an I/O thread met
   */
  public void await() throws IOException, InterruptedException {
    pending.await();
    Throwable e = failure.get();
    if (e instanceof IOException io) {
      throw io;
    } else if (e instanceof RuntimeException runtime) {
      throw runtime;
    } else if (e instanceof Error error) {
      throw error;
    }
    verification.check();
  }

  /** Where a stretch of the files lies on the device. */
  DeviceMemoryBuffer slice(long offset, long length) {
    for (int i = 0; i < buffers.size(); i++) {
      FileRange range = unit.ranges().get(i);
      if (range.contains(offset, length)) {
        return buffers.get(i).slice(offset - range.offset(), length);
      }
    }
    throw new IllegalStateException(
        "The decoder asks for bytes that were not read: " + new FileRange(offset, length));
  }

  /** Stops what has not begun, waits for the rest, and frees the device memory. */
  @Override
  public void close() {
    cancelled = true;
    boolean interrupted = false;
    while (true) {
      try {
        pending.await();
        break;
      } catch (InterruptedException e) {
        // Copies into the device memory are in flight: it cannot be freed before they are done.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    releaseAll();
  }

  private void releaseAll() {
    verification.giveUp();
    sources.close();
    free();
  }

  /** Frees the device memory, of which nothing is asked for any more. */
  public void free() {
    for (DeviceMemoryBuffer buffer : buffers) {
      try {
        buffer.close();
      } catch (RuntimeException e) {
        // The device is lost: the others are still to be let go, and the table is still good.
        LOG.debug("Device memory could not be freed", e);
      }
    }
    buffers.clear();
  }
}
