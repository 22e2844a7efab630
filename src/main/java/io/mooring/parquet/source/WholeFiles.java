package io.mooring.parquet.source;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Small files in object stores that were read whole for their footers: page indexes and
 * dictionaries are read of these bytes, and the unit that needs the column chunks takes them, so
 * that there is no second request. Thread-safe.
 */
final class WholeFiles {
  // One connection takes some 25 ms for them, where a unit needs few of the columns, and another
  // request would take 10 to 30 ms before its first byte.
  static final int MOST_FILE_BYTES = 2 << 20;
  private static final int HEAP_SHARE = 16;
  // A task drops at its end what it has not taken; what is read for it later stays so long.
  private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final WholeFiles SHARED =
      new WholeFiles(Runtime.getRuntime().maxMemory() / HEAP_SHARE, System::nanoTime);

  /** Reads a file. */
  interface Read {
    /** All bytes of the file. */
    byte[] all() throws IOException;
  }

  private record Whole(FileSystem fs, byte[] bytes, long since) {}

  private final long mostBytes;
  private final LongSupplier nanos;
  private final Map<ParquetFile, Whole> files = new LinkedHashMap<>();
  private long heldBytes;

  /**
   * @param mostBytes of all files together
   */
  WholeFiles(long mostBytes, LongSupplier nanos) {
    this.mostBytes = mostBytes;
    this.nanos = nanos;
  }

  /** The files of this process, which take at most a sixteenth of the heap. */
  static WholeFiles shared() {
    return SHARED;
  }

  /**
   * Reads a file, unless its bytes are there, and holds them until they are taken or dropped.
   *
   * @return the bytes, not to be changed; null, and nothing is read, where the file is not small or
   *     others hold all the memory
   * @throws IOException when it cannot be read
   */
  byte @Nullable [] read(ParquetFile file, FileSystem fs, Read read) throws IOException {
    byte[] there = find(file, fs);
    if (there != null) {
      return there;
    }
    if (file.length() > MOST_FILE_BYTES || !reserve(file.length())) {
      return null;
    }
    boolean held = false;
    try {
      byte[] bytes = read.all();
      held = hold(file, new Whole(fs, bytes, nanos.getAsLong()));
      return bytes;
    } finally {
      if (!held) {
        release(file.length());
      }
    }
  }

  private synchronized boolean reserve(long bytes) {
    dropStale();
    if (heldBytes + bytes > mostBytes) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  private synchronized void release(long bytes) {
    heldBytes -= bytes;
  }

  private synchronized boolean hold(ParquetFile file, Whole whole) {
    return files.putIfAbsent(file, whole) == null;
  }

  private void dropStale() {
    Iterator<Whole> oldest = files.values().iterator();
    while (oldest.hasNext()) {
      Whole whole = oldest.next();
      if (nanos.getAsLong() - whole.since() < STALE_NANOS) {
        return;
      }
      oldest.remove();
      heldBytes -= whole.bytes().length;
    }
  }

  /** The bytes of a file, not to be changed; null where they are not held for this user. */
  synchronized byte @Nullable [] find(ParquetFile file, FileSystem fs) {
    Whole whole = files.get(file);
    // Each user has a file system, and may not read what another may.
    return whole == null || whole.fs() != fs ? null : whole.bytes();
  }

  /** Takes the bytes of a file; null where they are not held for this user. */
  synchronized byte @Nullable [] take(ParquetFile file, FileSystem fs) {
    return find(file, fs) == null ? null : drop(file);
  }

  /** Whether the bytes of all these files are held. */
  synchronized boolean holdsAll(List<ParquetFile> wanted) {
    return files.keySet().containsAll(wanted);
  }

  /** Drops the bytes of a file that is not needed. */
  synchronized byte @Nullable [] drop(ParquetFile file) {
    Whole whole = files.remove(file);
    if (whole == null) {
      return null;
    }
    heldBytes -= whole.bytes().length;
    return whole.bytes();
  }

  /** Bytes that are held, or that reads in progress have room for. */
  synchronized long heldBytes() {
    return heldBytes;
  }
}
