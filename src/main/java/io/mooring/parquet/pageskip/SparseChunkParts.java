package io.mooring.parquet.pageskip;

import io.mooring.parquet.source.FileRange;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Puts the parts of a thinned chunk one behind the other; neighbours of one kind become one. */
final class SparseChunkParts {
  private final List<SparseColumnChunk.Part> parts = new ArrayList<>();
  private final ByteArrayOutputStream filler = new ByteArrayOutputStream();

  /** Adds bytes of the file, which follow those added last of it or come after a gap. */
  void keep(FileRange range) {
    if (range.length() == 0) {
      return;
    }
    endFiller();
    int last = parts.size() - 1;
    if (last >= 0
        && parts.get(last) instanceof SparseColumnChunk.Kept before
        && before.range().end() == range.offset()) {
      long bytes = before.range().length() + range.length();
      parts.set(last, new SparseColumnChunk.Kept(new FileRange(before.range().offset(), bytes)));
    } else {
      parts.add(new SparseColumnChunk.Kept(range));
    }
  }

  /** Adds bytes that are not in the file. */
  void fill(byte[] bytes) {
    filler.writeBytes(bytes);
  }

  private void endFiller() {
    if (filler.size() > 0) {
      parts.add(new SparseColumnChunk.Filler(filler.toByteArray()));
      filler.reset();
    }
  }

  List<SparseColumnChunk.Part> all() {
    endFiller();
    return List.copyOf(parts);
  }
}
