package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes of a column chunk that are in memory. Its state belongs to the chunk's monitor; once it has
 * been passed only one thread checks it.
 */
final class ChunkFragment {
  private final FileRange range;
  private ByteBuffer bytes;
  private List<PageChecksum> bodies = List.of();
  private boolean passed;
  private boolean left;

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

  /** Its pages are known: those with a checksum that lie in it at least partly. */
  void pass(List<PageChecksum> found) {
    bodies = found;
    passed = true;
  }

  boolean isPassed() {
    return passed;
  }

  /** Copied out of its buffer: whoever passes it checks it. */
  void leave(ByteBuffer copy) {
    bytes = copy;
    left = true;
  }

  boolean isLeft() {
    return left;
  }

  /** Reckons its share of checksums: those pages that are known by it to be damaged. */
  List<PageChecksum> damagedPages() {
    return bodies.stream().filter(body -> !body.add(bytes, range.offset())).toList();
  }
}
