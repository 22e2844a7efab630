package io.mooring.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The system's limits for this process, in bytes, read from files below a root folder (a test gives
 * another root). Long.MAX_VALUE where nothing is said. Thread-safe.
 */
public final class MachineLimits {
  // cgroup v1 writes "no limit" as a number near 2^63.
  private static final long NO_LIMIT = 1L << 60;
  // One part in so many of a machine without a limit stays with the system and its page cache.
  private static final int SYSTEM_SHARE = 5;

  private final Path root;

  public MachineLimits(Path root) {
    this.root = root;
  }

  /** The limits of this machine. */
  public static MachineLimits ofThisMachine() {
    return new MachineLimits(Path.of("/"));
  }

  /**
   * The memory limit of the process's cgroup, v2 or v1: the smallest limit of the cgroup and its
   * ancestors. Empty where it reaches the machine's memory: then other processes may use the memory
   * too.
   */
  public OptionalLong containerLimit() {
    OptionalLong limit = groupLimit();
    return limit.isPresent() && limit.getAsLong() < machineMemory() ? limit : OptionalLong.empty();
  }

  /**
   * Four fifths of the machine's memory: the rest is the system's. A cgroup limit above the
   * machine's memory replaces it: some virtual machines get more memory only when they use it.
   */
  public long memory() {
    long machine = machineMemory();
    OptionalLong limit = groupLimit();
    long most = limit.isPresent() ? Math.max(limit.getAsLong(), machine) : machine;
    return most / SYSTEM_SHARE * (SYSTEM_SHARE - 1);
  }

  private OptionalLong groupLimit() {
    LongStream limits =
        Stream.of(
                cgroupFiles("0::.*", "sys/fs/cgroup", "memory.max"),
                cgroupFiles(
                    "\\d+:([^:]*,)?memory(,[^:]*)?:.*",
                    "sys/fs/cgroup/memory",
                    "memory.limit_in_bytes"))
            .flatMap(List::stream)
            .flatMap(file -> number(file).stream())
            .mapToLong(Long::longValue)
            .filter(bytes -> bytes < NO_LIMIT);
    return limits.min();
  }

  private long machineMemory() {
    return lineOf("proc/meminfo", "MemTotal:")
        .flatMap(line -> parse(line.replaceAll("\\D", "")))
        .map(kilobytes -> kilobytes << 10)
        .orElse(Long.MAX_VALUE);
  }

  /** The files of the process's cgroup and of all above it; the mount's own in a container. */
  private List<Path> cgroupFiles(String line, String mount, String file) {
    Path top = root.resolve(mount);
    Path group =
        lines(root.resolve("proc/self/cgroup")).stream()
            .filter(it -> it.matches(line))
            .findFirst()
            .map(it -> top.resolve(it.substring(it.indexOf(":/") + 2)).normalize())
            // A process that has entered a container has a path that leads out of its mount.
            .filter(it -> it.startsWith(top))
            .orElse(top);
    return Stream.iterate(group, path -> path != null && path.startsWith(top), Path::getParent)
        .map(path -> path.resolve(file))
        .toList();
  }

  private static Optional<Long> number(Path file) {
    return lines(file).stream().findFirst().flatMap(MachineLimits::parse);
  }

  /** Empty for "max" and for numbers past 18 digits, which mean the same. */
  private static Optional<Long> parse(String text) {
    return text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private Optional<String> lineOf(String file, String start) {
    return lines(root.resolve(file)).stream().filter(line -> line.startsWith(start)).findFirst();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
