package io.mooring.cache;

import io.mooring.memory.EvictableBuffer;
import io.mooring.parquet.source.FileRange;

/**
 * Bytes of a file in an acquired buffer, which the reader releases.
 *
 * @param range of the file
 * @param address of its first byte
 */
public record CachedRange(FileRange range, long address, EvictableBuffer buffer) {}
