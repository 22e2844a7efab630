package io.mooring.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Local files as {@code gated:/...}, which cannot be opened while their gate is closed. A gate is a
 * folder that several processes share; a process that waits leaves its id in it.
 */
public final class GatedFileSystem extends SchemeFileSystem {
  private static final String FOLDER = "fs.gated.folder";
  private static final String CLOSED = "closed";
  private static final long POLL_MILLIS = 20;

  /** The settings of a session that make the scheme known, with a gate in a folder. */
  public static Map<String, String> settings(Path gate) {
    return Map.of(
        "spark.hadoop.fs.gated.impl",
        GatedFileSystem.class.getName(),
        "spark.hadoop." + FOLDER,
        gate.toString());
  }

  /** Closes a gate. */
  public static void close(Path gate) throws IOException {
    Files.createDirectories(gate);
    Files.createFile(gate.resolve(CLOSED));
  }

  /** Opens a gate, if it is closed. */
  public static void open(Path gate) throws IOException {
    Files.deleteIfExists(gate.resolve(CLOSED));
  }

  /** The processes that have come to a gate while it was closed. */
  public static List<Long> waiting(Path gate) {
    List<Long> found = new ArrayList<>();
    try (Stream<Path> names = Files.list(gate)) {
      names
          .map(it -> it.getFileName().toString())
          .filter(it -> !it.equals(CLOSED))
          .forEach(it -> found.add(Long.valueOf(it)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  @Override
  protected InputStream wrapped(org.apache.hadoop.fs.Path path, FSDataInputStream local)
      throws IOException {
    Path gate = Path.of(getConf().get(FOLDER));
    while (Files.exists(gate.resolve(CLOSED))) {
      leaveId(gate);
      sleep();
    }
    return local;
  }

  private static void leaveId(Path gate) throws IOException {
    Files.write(gate.resolve(String.valueOf(ProcessHandle.current().pid())), new byte[0]);
  }

  private static void sleep() throws IOException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted at a closed gate");
    }
  }
}
