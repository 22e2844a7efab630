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
 * What the system lets this process use, in bytes, read from files below a root folder (a test
 * gives another root). Long.MAX_VALUE where nothing is said. Thread-safe.
 */
public final class MachineLimits {
  // cgroup v1 writes "no limit" as a number near 2^63.
  private static final long NO_LIMIT = 1L << 60;
  private static final String MEMLOCK = "Max locked memory";

  private final Path root;

  public MachineLimits(Path root) {
    this.root = root;
  }

  /** The limits of this machine. */
  public static MachineLimits ofThisMachine() {
    return new MachineLimits(Path.of("/"));
  }

  /**
   * The memory limit of the process's cgroup (v2 or v1, its own or that of one above it) where
   * there is one, else the machine's memory. The limit counts even where it is the larger: some
   * virtual machines are given their memory only as it is used.
   */
  public long memory() {
    LongStream limits =
        Stream.of(
                cgroupFiles("0::", "sys/fs/cgroup", "memory.max"),
                cgroupFiles(":memory:", "sys/fs/cgroup/memory", "memory.limit_in_bytes"))
            .flatMap(List::stream)
            .flatMap(file -> number(file).stream())
            .mapToLong(Long::longValue)
            .filter(bytes -> bytes < NO_LIMIT);
    OptionalLong limit = limits.min();
    return limit.orElseGet(this::machineMemory);
  }

  /** The memlock limit; Long.MAX_VALUE when there is none, or it does not bind (root). */
  public long lockable() {
    if (isRoot()) {
      return Long.MAX_VALUE;
    }
    return lineOf("proc/self/limits", MEMLOCK)
        .map(line -> line.substring(MEMLOCK.length()).trim().split("\\s+")[0])
        .flatMap(MachineLimits::parse)
        .orElse(Long.MAX_VALUE);
  }

  /** By the effective user, the second of the four. */
  private boolean isRoot() {
    return lineOf("proc/self/status", "Uid:")
        .map(line -> line.trim().split("\\s+"))
        .map(words -> words.length > 2 && words[2].equals("0"))
        .orElse(false);
  }

  private long machineMemory() {
    return lineOf("proc/meminfo", "MemTotal:")
        .flatMap(line -> parse(line.replaceAll("\\D", "")))
        .map(kilobytes -> kilobytes << 10)
        .orElse(Long.MAX_VALUE);
  }

  /** The files of the process's cgroup and of all above it; the mount's own in a container. */
  private List<Path> cgroupFiles(String marker, String mount, String file) {
    Path top = root.resolve(mount);
    Path group =
        lines(root.resolve("proc/self/cgroup")).stream()
            .filter(line -> line.contains(marker))
            .findFirst()
            .map(line -> top.resolve(line.substring(line.lastIndexOf(":/") + 2)).normalize())
            .orElse(top);
    return Stream.iterate(group, path -> path != null && path.startsWith(top), Path::getParent)
        .map(path -> path.resolve(file))
        .toList();
  }

  private static Optional<Long> number(Path file) {
    return lines(file).stream().findFirst().flatMap(MachineLimits::parse);
  }

  /** Empty for "max", "unlimited" and numbers past 18 digits, which mean the same. */
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
