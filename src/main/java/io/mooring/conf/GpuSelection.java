package io.mooring.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The choice among the GPUs that a process sees. Immutable.
 *
 * @param all every one of them
 * @param numbers CUDA's numbers of those to use, each once; empty when all are
 */
public record GpuSelection(boolean all, List<Integer> numbers) {
  static final ConfType<GpuSelection> TYPE =
      new ConfType<>(
          "all, first or list", "all, first or numbers of GPUs such as 0,2", GpuSelection::parse);

  private static final Pattern LIST = Pattern.compile("\\d{1,4}(\\s*,\\s*\\d{1,4})*");

  private static @Nullable GpuSelection parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "all" -> new GpuSelection(true, List.of());
      case "first" -> new GpuSelection(false, List.of(0));
      default -> LIST.matcher(text).matches() ? listed(text) : null;
    };
  }

  private static @Nullable GpuSelection listed(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String number : text.split(",", -1)) {
      numbers.add(Integer.parseInt(number.trim()));
    }
    boolean twice = numbers.stream().distinct().count() < numbers.size();
    return twice ? null : new GpuSelection(false, List.copyOf(numbers));
  }
}
