package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes of a column chunk that are in memory, all that one slice has of it. Its state is guarded by
 * the chunk's monitor; once the scan has passed it, only one thread checks it.
 */
final class ChunkFragment {
  private final FileRange range;
  private ByteBuffer bytes;
  private List<PageChecksum> bodies = List.of();
  private boolean passed;
  private boolean detached;

  ChunkFragment(FileRange range, ByteBuffer bytes) {
    this.range = range;
    this.bytes = bytes;
  }

  FileRange range() {
    return range;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** Takes the pages with a checksum that lie in it at least partly, once they are known. */
  void pass(List<PageChecksum> found) {
    bodies = found;
    passed = true;
  }

  boolean isPassed() {
    return passed;
  }

  /** Replaces the bytes by a copy, so that their buffer can be released; they are checked later. */
  void detach(ByteBuffer copy) {
    bytes = copy;
    detached = true;
  }

  boolean isDetached() {
    return detached;
  }

  /** Adds its share to the checksums; returns the pages that turn out to be damaged. */
  List<PageChecksum> damagedPages() {
    return bodies.stream().filter(body -> !body.add(bytes, range.offset())).toList();
  }
}
