package io.mooring.cache;

import io.mooring.cache.ChunkRead.ChunkName;
import io.mooring.parquet.source.FileState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cached chunks by file; all chunks of a file belong to one state of it. Not thread-safe. */
final class CachedFiles {
  private final Map<ChunkName.FileName, Map<ChunkName, CachedChunk>> files = new HashMap<>();

  boolean has(FileState file) {
    return files.containsKey(ChunkName.FileName.of(file));
  }

  @Nullable CachedChunk get(ChunkName name) {
    Map<ChunkName, CachedChunk> chunks = files.get(name.file());
    return chunks == null ? null : chunks.get(name);
  }

  /** The chunks of the same file in another state; empty where there are none. */
  List<CachedChunk> otherStates(FileState file) {
    Map<ChunkName, CachedChunk> chunks = files.get(ChunkName.FileName.of(file));
    return chunks == null || chunks.values().iterator().next().read().file().equals(file)
        ? List.of()
        : List.copyOf(chunks.values());
  }

  void put(CachedChunk chunk) {
    ChunkName name = chunk.read().name();
    files.computeIfAbsent(name.file(), file -> new HashMap<>()).put(name, chunk);
  }

  void remove(CachedChunk chunk) {
    ChunkName name = chunk.read().name();
    Map<ChunkName, CachedChunk> chunks = files.get(name.file());
    if (chunks != null && chunks.remove(name, chunk) && chunks.isEmpty()) {
      files.remove(name.file());
    }
  }
}
