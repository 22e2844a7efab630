package io.mooring.benchmarks.env;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The NUMA nodes of a machine. */
public final class NumaNodes {

  /** The folder in which Linux lists NUMA nodes. */
  public static final Path SYSFS = Path.of("/sys/devices/system/node");

  private static final Pattern TOTAL = Pattern.compile("(?m)^Node \\d+ MemTotal:\\s+(\\d+) kB$");

  private NumaNodes() {}

  /** Nodes that have memory, ascending; node 0 where sysfs shows none. */
  public static List<Integer> withMemory(Path folder) {
    List<Integer> nodes = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "node[0-9]*")) {
      for (Path node : all) {
        if (hasMemory(node)) {
          nodes.add(Integer.valueOf(node.getFileName().toString().substring("node".length())));
        }
      }
    } catch (IOException e) {
      return List.of(0);
    }
    Collections.sort(nodes);
    return nodes.isEmpty() ? List.of(0) : List.copyOf(nodes);
  }

  private static boolean hasMemory(Path node) throws IOException {
    Path file = node.resolve("meminfo");
    Matcher total = TOTAL.matcher(Files.exists(file) ? Files.readString(file) : "");
    return total.find() && Long.parseLong(total.group(1)) > 0;
  }
}
