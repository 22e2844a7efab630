package io.mooring.parquet.read;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads units from stores by the threads that scans read with, and verifies every page. Nothing is
 * copied to a device. Thread-safe.
 */
public final class StoreReads {
  private static final long PIECE_BYTES = 16 << 20;
  private static final long SMALL_PIECE_BYTES = 1 << 20;

  private final IoLane lane;

  /**
   * @param requests that may be under way at a time
   * @param bufferBytes of host buffers in use at a time
   */
  public StoreReads(int requests, long bufferBytes) {
    this.lane = new IoLane("store-test-", requests, bufferBytes, StoreReads::isCopied);
  }

  /**
   * Stands for a copy of which the device has the bytes already; drops a piece that nobody wants.
   */
  private static boolean isCopied(UploadPiece piece) {
    return !piece.isGivenUp() || piece.startCopy(() -> {});
  }

  /** Begins to read a unit, which the caller closes. */
  UnitUpload begin(ReadUnit unit, ScanCounters counters, Configuration conf) throws IOException {
    UnitUpload upload =
        new UnitUpload(
            unit,
            CachedParts.NONE,
            PageChecks.CHECKSUMS,
            counters,
            conf,
            PIECE_BYTES,
            SMALL_PIECE_BYTES);
    lane.submit(VerifiedUnits.pieces(upload), 0);
    return upload;
  }

  /** Reads all of a unit. */
  public void read(ReadUnit unit, ScanCounters counters, Configuration conf)
      throws IOException, InterruptedException {
    try (UnitUpload upload = begin(unit, counters, conf)) {
      upload.await(() -> {});
    }
  }
}
