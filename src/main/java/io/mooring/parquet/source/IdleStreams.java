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
 * A cache of open streams of files in object stores, at most one a file of a task, for the task's
 * next read of that file. Streams that compare e-tags give bytes of one state of the file only, so
 * that the reader of column chunks that takes over the footer's stream need not request the file's
 * status. Idle streams hold no connection. Thread-safe.
 */
public final class IdleStreams {
  // A stream takes some KB. A task with more files takes one more request for each.
  private static final int MOST = 2048;

  private record Idle(FileSystem fs, FSDataInputStream in) {}

  private static final Map<FileOfTask, Idle> STREAMS = new LinkedHashMap<>();

  private IdleStreams() {}

  /** Takes the stream of a file, which the caller then owns; null where there is none. */
  static @Nullable FSDataInputStream take(ParquetFile file, FileSystem fs) {
    synchronized (STREAMS) {
      Idle idle = STREAMS.get(new FileOfTask(file));
      // Each user has a file system, and may not read what another may.
      if (idle == null || idle.fs() != fs) {
        return null;
      }
      STREAMS.remove(new FileOfTask(file));
      return idle.in();
    }
  }

  /** Keeps an idle stream, or closes it where its file has one already. */
  static void keep(ParquetFile file, FileSystem fs, FSDataInputStream in) {
    in.unbuffer();
    List<FSDataInputStream> tooMany = new ArrayList<>();
    synchronized (STREAMS) {
      if (STREAMS.putIfAbsent(new FileOfTask(file), new Idle(fs, in)) != null) {
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

  /** Closes the stream of a file that will not be read for now, and drops its bytes. */
  public static void close(ParquetFile file) {
    WholeFiles.shared().drop(file);
    Idle idle;
    synchronized (STREAMS) {
      idle = STREAMS.remove(new FileOfTask(file));
    }
    if (idle != null) {
      close(idle.in());
    }
  }

  /** Closes a stream; a failure loses nothing, because everything asked for has been read. */
  static void close(FSDataInputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      // The stream is gone either way.
    }
  }
}
