package io.mooring.parquet.source;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Small files in object stores that a task has read whole for their footers: page indexes and
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

  private record Whole(byte[] bytes, long since) {}

  private final long mostBytes;
  private final LongSupplier nanos;
  private final Map<FileOfTask, Whole> files = new LinkedHashMap<>();
  private long usedBytes;

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
   *     others use all the memory
   * @throws IOException when it cannot be read
   */
  byte @Nullable [] read(ParquetFile file, Read read) throws IOException {
    byte[] there = find(file);
    if (there != null || file.length() > MOST_FILE_BYTES || !reserve(file.length())) {
      return there;
    }
    boolean held = false;
    try {
      byte[] bytes = read.all();
      held = hold(file, bytes);
      // Bytes of one state of the file, also if two threads of the task have read it.
      return held ? bytes : find(file);
    } finally {
      if (!held) {
        release(file.length());
      }
    }
  }

  private synchronized boolean reserve(long bytes) {
    dropStale();
    if (usedBytes + bytes > mostBytes) {
      return false;
    }
    usedBytes += bytes;
    return true;
  }

  private synchronized boolean hold(ParquetFile file, byte[] bytes) {
    return files.putIfAbsent(new FileOfTask(file), new Whole(bytes, nanos.getAsLong())) == null;
  }

  private void dropStale() {
    Iterator<Whole> oldest = files.values().iterator();
    while (oldest.hasNext()) {
      Whole whole = oldest.next();
      if (nanos.getAsLong() - whole.since() < STALE_NANOS) {
        return;
      }
      oldest.remove();
      release(whole.bytes().length);
    }
  }

  /** The bytes of a file, not to be changed; null where they are not held. */
  synchronized byte @Nullable [] find(ParquetFile file) {
    Whole whole = files.get(new FileOfTask(file));
    return whole == null ? null : whole.bytes();
  }

  /** Takes the bytes of a file, which the caller releases; null where they are not held. */
  synchronized byte @Nullable [] take(ParquetFile file) {
    Whole whole = files.remove(new FileOfTask(file));
    return whole == null ? null : whole.bytes();
  }

  /** Makes room of bytes that were taken and are used no more. */
  synchronized void release(long bytes) {
    usedBytes -= bytes;
  }

  /** Whether the bytes of all these files are held. */
  synchronized boolean holdsAll(List<ParquetFile> wanted) {
    return wanted.stream().map(FileOfTask::new).allMatch(files::containsKey);
  }

  /** Drops the bytes of a file that is not needed. */
  synchronized void drop(ParquetFile file) {
    byte[] bytes = take(file);
    if (bytes != null) {
      release(bytes.length);
    }
  }

  /** Bytes that are held or taken, or that reads in progress have room for. */
  synchronized long usedBytes() {
    return usedBytes;
  }
}
