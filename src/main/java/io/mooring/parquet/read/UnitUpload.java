package io.mooring.parquet.read;

import ai.rapids.cudf.DeviceMemoryBuffer;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.UndecodablePagesException;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encoded bytes of one unit on their way to the device. Belongs to the task that started it,
 * which waits for it and closes it; I/O threads report their pieces to its {@link UploadState}.
 */
final class UnitUpload implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnitUpload.class);

  // Decompressors read whole words past the end of a column chunk.
  static final long PADDING_BYTES = 64;
  // Allocations of the device have the same.
  private static final long ALIGNMENT = 256;

  private final ReadUnit unit;
  private final UploadState state;

  /** Where each of the unit's ranges begins in the device memory, and the end of the last. */
  private final long[] starts;

  private @Nullable DeviceMemoryBuffer memory;

  /** The ranges that are read of the files; the rest is cached, or not needed. */
  private final List<FileRange> read;

  /** For each of the unit's ranges the ranges of its pieces. */
  private final List<List<FileRange>> pieceRanges;

  /**
   * An upload of which nothing has been started; {@link #start} makes those of a device.
   *
   * @param pieceBytes most bytes of a piece
   * @param requestBytes most bytes of a piece that is read by one request to a store
   * @param cached what need not be read
   */
  UnitUpload(
      ReadUnit unit,
      CachedParts cached,
      PageChecks checks,
      ScanCounters counters,
      Configuration conf,
      long pieceBytes,
      long requestBytes)
      throws IOException {
    this.unit = unit;
    UnitVerification verification = ExpectedChunks.verification(unit, checks, cached);
    List<List<FileRange>> toRead = unit.ranges().stream().map(cached::toRead).toList();
    this.read = toRead.stream().flatMap(List::stream).toList();
    UnitSources sources = open(conf, counters, cached);
    this.starts = starts(unit.ranges());
    this.pieceRanges =
        toRead.stream()
            .map(ranges -> PieceSizes.cut(ranges, sources, pieceBytes, requestBytes))
            .toList();
    int pieces = pieceRanges.stream().mapToInt(List::size).sum();
    this.state =
        new UploadState(
            sources, verification, cached, counters, cached.isEmpty() ? pieces : pieces + 1);
  }

  private static long[] starts(List<FileRange> ranges) {
    long[] starts = new long[ranges.size() + 1];
    for (int i = 0; i < ranges.size(); i++) {
      long end = starts[i] + ranges.get(i).length() + PADDING_BYTES;
      starts[i + 1] = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return starts;
  }

  private UnitSources open(Configuration conf, ScanCounters counters, CachedParts cached)
      throws IOException {
    UnitSources sources = UnitSources.open(unit.files(), read, conf, counters);
    try {
      if (!read.isEmpty()) {
        cached.checkUnchanged(conf);
      }
      return sources;
    } catch (IOException | RuntimeException | Error e) {
      sources.close();
      throw e;
    }
  }

  /**
   * Starts to read and upload a unit. The task that will decode it has to call this, because device
   * memory is bound to that thread's stream.
   *
   * @param ahead how many units the task uses before this one
   * @param checks of the pages, done when {@link #await} returns
   * @param cached what need not be read; the upload's from here on
   */
  static UnitUpload start(
      ReadUnit unit,
      int ahead,
      PageChecks checks,
      IoThreads threads,
      CachedParts cached,
      Configuration conf,
      ScanCounters counters)
      throws IOException {
    UnitUpload upload;
    try {
      long most = PieceSizes.pieceBytes();
      upload = new UnitUpload(unit, cached, checks, counters, conf, most, threads.requestBytes());
    } catch (IOException | RuntimeException | Error e) {
      cached.release();
      throw e;
    }
    try {
      List<UploadPiece> pieces = upload.allocate(threads.uploadStream());
      upload.startCached(threads);
      upload.countNeeded();
      threads.submit(pieces, ahead);
      return upload;
    } catch (RuntimeException | Error e) {
      upload.giveUp();
      throw e;
    }
  }

  private void startCached(IoThreads threads) {
    CachedParts cached = state.cached();
    if (!cached.isEmpty()) {
      long[] to = cached.parts().stream().mapToLong(part -> addressOf(part.range())).toArray();
      CachedUpload copies =
          CachedUpload.start(threads.useDevice(), cached, to, state, threads.uploadStream());
      try {
        threads.finish(copies);
      } catch (RuntimeException | Error e) {
        copies.finish();
        throw e;
      }
    }
  }

  private void countNeeded() {
    if (read.stream().anyMatch(state.sources()::isOfStore)) {
      state.counters().needed(unit.neededBytes() - state.cached().bytes());
    }
  }

  private List<UploadPiece> allocate(long stream) {
    List<UploadPiece> pieces = new ArrayList<>();
    if (pieceRanges.isEmpty()) {
      return pieces;
    }
    // Each allocation is a call under locks of the CUDA driver.
    DeviceMemoryBuffer all = DeviceMemoryBuffer.allocate(starts[pieceRanges.size()]);
    memory = all;
    for (int i = 0; i < pieceRanges.size(); i++) {
      pieces.addAll(pieces(i, all.getAddress() + starts[i], stream));
    }
    // The I/O threads copy on another stream: the memory must be there before they start.
    TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
    return pieces;
  }

  /**
   * The pieces of one of the unit's ranges.
   *
   * @param deviceAddress where the range begins on the device
   */
  List<UploadPiece> pieces(int range, long deviceAddress, long stream) {
    List<UploadPiece> pieces = new ArrayList<>();
    for (FileRange piece : pieceRanges.get(range)) {
      long address = deviceAddress + piece.offset() - unit.ranges().get(range).offset();
      pieces.add(new UploadPiece(state, piece, address, stream));
    }
    return pieces;
  }

  ReadUnit unit() {
    return unit;
  }

  UploadState state() {
    return state;
  }

  /**
   * Waits until every byte is on the device and has been verified.
   *
   * @param check called now and then; the wait ends with what it throws
   * @throws UndecodablePagesException when the bytes cannot be decoded safely
   * @throws IOException what an I/O thread met
   */
  void await(Runnable check) throws IOException, InterruptedException {
    state.await(check);
    state.verification().check();
    state.cached().publish();
  }

  /** A range of the files on the device; the caller closes it. */
  DeviceMemoryBuffer slice(long offset, long length) {
    return Objects.requireNonNull(memory).slice(placeOf(offset, length), length);
  }

  private long addressOf(FileRange part) {
    return Objects.requireNonNull(memory).getAddress() + placeOf(part.offset(), part.length());
  }

  /** Where a range of the files is in the device memory. */
  private long placeOf(long offset, long length) {
    int index = indexOf(offset, length);
    return starts[index] + offset - unit.ranges().get(index).offset();
  }

  private int indexOf(long offset, long length) {
    for (int i = 0; i < pieceRanges.size(); i++) {
      if (unit.ranges().get(i).contains(offset, length)) {
        return i;
      }
    }
    throw new IllegalStateException(
        "The decoder asks for bytes that were not read: " + new FileRange(offset, length));
  }

  /**
   * Stops all reads and frees the device memory. Does not wait for a read that the store does not
   * answer: the read keeps its host buffer until the store's client gives it up.
   */
  @Override
  public void close() {
    state.cancel();
    // Copies into the device memory are in flight: it cannot be freed before they are done.
    state.awaitCopies();
    free();
    state.afterLastPiece(this::releaseSources);
  }

  private void releaseSources() {
    state.verification().giveUp();
    state.sources().close();
    state.cached().giveUp();
    state.cached().release();
  }

  /** Frees everything of an upload of which no piece has been submitted. */
  private void giveUp() {
    state.awaitCopies();
    releaseSources();
    free();
  }

  /** Frees the device memory; {@link #slice} must not be called any more. */
  void free() {
    DeviceMemoryBuffer last = memory;
    memory = null;
    if (last != null) {
      try {
        last.close();
      } catch (RuntimeException e) {
        // The device is lost, and the table is good.
        LOG.debug("Device memory could not be freed", e);
      }
    }
  }
}
