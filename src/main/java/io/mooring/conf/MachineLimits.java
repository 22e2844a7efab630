package io.mooring.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the system lets this process use, in bytes, read from files below a root folder (a test
 * gives another root).
 */
public final class MachineLimits {
  private final Path root;

  public MachineLimits(Path root) {
    this.root = root;
  }

  /** The limits of this machine. */
  public static MachineLimits ofThisMachine() {
    return new MachineLimits(Path.of("/"));
  }

  /** The cgroup's memory limit where there is one below the machine's memory, else that. */
  public long memory() {
    long machine = meminfo();
    for (String file :
        List.of("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes")) {
      OptionalLong limit = number(file);
      if (limit.isPresent() && limit.getAsLong() < machine) {
        return limit.getAsLong();
      }
    }
    return machine;
  }

  /** The memlock limit; Long.MAX_VALUE when there is none, or the process is privileged. */
  public long lockable() {
    if ("root".equals(System.getProperty("user.name"))) {
      return Long.MAX_VALUE;
    }
    return lines("proc/self/limits").stream()
        .filter(line -> line.startsWith("Max locked memory"))
        .map(line -> line.substring("Max locked memory".length()).trim().split("\\s+")[0])
        .filter(text -> !text.equals("unlimited"))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  private long meminfo() {
    return lines("proc/meminfo").stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  private OptionalLong number(String file) {
    List<String> lines = lines(file);
    boolean isNumber = !lines.isEmpty() && lines.get(0).matches("\\d{1,18}");
    return isNumber ? OptionalLong.of(Long.parseLong(lines.get(0))) : OptionalLong.empty();
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }
}
