package io.mooring.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A cgroup with a memory limit, as a container has, for processes that a test starts. */
public final class MemoryCgroup implements AutoCloseable {
  private static final Path V2 = Path.of("/sys/fs/cgroup");
  private static final Path V1 = V2.resolve("memory");

  private final Path group;

  private MemoryCgroup(Path group) {
    this.group = group;
  }

  /**
   * Makes one below the top of the hierarchy, which takes root.
   *
   * @param bytes past which the system ends a process; skips the test where none can be made
   */
  public static MemoryCgroup of(long bytes) throws IOException {
    boolean isV1 = Files.isDirectory(V1);
    Path group = (isV1 ? V1 : V2).resolve("mooring-test-" + ProcessHandle.current().pid());
    try {
      Files.createDirectory(group);
      Path limit = group.resolve(isV1 ? "memory.limit_in_bytes" : "memory.max");
      Files.writeString(limit, String.valueOf(bytes));
      return new MemoryCgroup(group);
    } catch (IOException e) {
      Files.deleteIfExists(group);
      return abort("no memory cgroup can be made here: " + e);
    }
  }

  /** A command that runs inside. */
  public ProcessBuilder run(List<String> command, Path folder) {
    String enter = "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"";
    ProcessBuilder inside = new ProcessBuilder("sh", "-c", enter, "sh");
    inside.command().addAll(command);
    return inside.directory(folder.toFile());
  }

  /** What the kernel counts there now, in its own words. */
  public String usage() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name :
        List.of(
            "memory.max_usage_in_bytes", "memory.peak", "memory.events", "memory.oom_control")) {
      Path file = group.resolve(name);
      if (Files.exists(file)) {
        text.append(name).append(": ").append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    Files.delete(group);
  }
}
