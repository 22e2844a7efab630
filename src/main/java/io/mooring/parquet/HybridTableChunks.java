package io.mooring.parquet;

import ai.rapids.cudf.Table;
import io.mooring.jni.FaultJni;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a unit as tables of about {@link ReadUnit#chunkBytes} each: libcudf decompresses as
 * many pages as give that much, and cuts what they hold where pages end. A limit is not kept where
 * a single page exceeds it. Belongs to the thread of its task.
 */
final class HybridTableChunks implements AutoCloseable {
  // From here on libcudf takes the encoded bytes off what pages may be decompressed to.
  private static final long ENCODED_COUNT_FROM = 200L << 20;

  private final UnitUpload upload;
  private final boolean nullsInDoubt;
  private @Nullable HybridUnit source;

  /**
   * @param upload whose bytes are on the device, and stay there until this is closed
   */
  HybridTableChunks(UnitUpload upload) {
    this.upload = upload;
    this.nullsInDoubt = EmptyNulls.areInDoubt(upload.unit());
  }

  /** The next rows, in the order of the file; null behind the last. The caller closes the table. */
  @Nullable Table next() {
    FaultJni.decoding();
    HybridUnit open = source == null ? start() : source;
    if (!open.reader().hasNextTableChunk()) {
      return null;
    }
    Table table = open.reader().materializeAllColumnsChunk();
    return nullsInDoubt ? EmptyNulls.of(table) : table;
  }

  private HybridUnit start() {
    HybridUnit made = HybridUnit.of(upload);
    source = made;
    ReadUnit unit = upload.unit();
    long bytes = unit.chunkBytes();
    long inWork = bytes < ENCODED_COUNT_FROM ? bytes : bytes + made.chunkBytes();
    made.reader().setupChunkingForAllColumns(bytes, inWork, unit.rowGroups(), made.chunks());
    return made;
  }

  @Override
  public void close() {
    if (source != null) {
      source.close();
    }
  }
}
