package io.mooring.parquet.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Streams of files in object stores that something has been read of, at most one a file, for the
 * next read of that file. Where {@link ETags} are compared, a stream gives bytes of one state of
 * the file only, so that who goes on with the stream that read the footer need not ask the store
 * whether the file is still the same. They hold no connection. Thread-safe.
 */
public final class IdleStreams {
  // One takes some KB. Where a task has more files, the store is asked once more for each.
  private static final int MOST = 2048;

  private record Idle(FileSystem fs, FSDataInputStream in) {}

  private static final Map<ParquetFile, Idle> STREAMS = new LinkedHashMap<>();

  private IdleStreams() {}

  /** A stream of a file, which is the caller's from here on; null where there is none. */
  static @Nullable FSDataInputStream take(ParquetFile file, FileSystem fs) {
    synchronized (STREAMS) {
      Idle idle = STREAMS.get(file);
      // File systems of several users are several, and what one may read another may not.
      if (idle == null || idle.fs() != fs) {
        return null;
      }
      STREAMS.remove(file);
      return idle.in();
    }
  }

  /** Keeps a stream that nobody reads, or closes it where there is one of its file already. */
  static void keep(ParquetFile file, FileSystem fs, FSDataInputStream in) {
    in.unbuffer();
    List<FSDataInputStream> tooMany = new ArrayList<>();
    synchronized (STREAMS) {
      if (STREAMS.putIfAbsent(file, new Idle(fs, in)) != null) {
        tooMany.add(in);
      }
      Iterator<Idle> oldest = STREAMS.values().iterator();
      while (STREAMS.size() > MOST) {
        tooMany.add(oldest.next().in());
        oldest.remove();
      }
    }
    tooMany.forEach(IdleStreams::close);
  }

  /** Closes that of a file of which nothing will be read for now. */
  public static void close(ParquetFile file) {
    Idle idle;
    synchronized (STREAMS) {
      idle = STREAMS.remove(file);
    }
    if (idle != null) {
      close(idle.in());
    }
  }

  /** Everything that was asked for has been read: nothing is lost by a failing close. */
  static void close(FSDataInputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
