package io.mooring.benchmarks.report;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command's arguments as a report keeps them: the names of files, not where they lie. */
public final class RecordedArguments {

  private RecordedArguments() {}

  /** Cuts absolute paths down to their last element, in lists too. */
  public static List<String> recorded(List<String> arguments) {
    return arguments.stream().map(RecordedArguments::recorded).toList();
  }

  private static String recorded(String argument) {
    return Stream.of(argument.split(",", -1))
        .map(RecordedArguments::one)
        .collect(Collectors.joining(","));
  }

  private static String one(String argument) {
    int value = argument.lastIndexOf('=') + 1;
    String text = argument.substring(value);
    return text.startsWith("/") ? argument.substring(0, value) + name(Path.of(text)) : argument;
  }

  /** The last element of a path; of a root, the root. */
  public static String name(Path path) {
    Path last = path.normalize().getFileName();
    return last == null ? path.toString() : last.toString();
  }
}
