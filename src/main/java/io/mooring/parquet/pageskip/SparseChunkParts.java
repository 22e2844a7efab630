package io.mooring.parquet.pageskip;

import io.mooring.parquet.source.FileRange;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Puts the parts of a sparse chunk one behind the other; neighbours of one kind become one. */
final class SparseChunkParts {
  private final List<SparseColumnChunk.Part> parts = new ArrayList<>();
  private final ByteArrayOutputStream placeholders = new ByteArrayOutputStream();

  /** Adds bytes of the file, which follow those added last of it or come after a gap. */
  void keep(FileRange range) {
    if (range.length() == 0) {
      return;
    }
    endPlaceholders();
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
    placeholders.writeBytes(bytes);
  }

  private void endPlaceholders() {
    if (placeholders.size() > 0) {
      parts.add(new SparseColumnChunk.Placeholders(placeholders.toByteArray()));
      placeholders.reset();
    }
  }

  List<SparseColumnChunk.Part> all() {
    endPlaceholders();
    return List.copyOf(parts);
  }
}
