package io.mooring.conf;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** From the text of a setting to its value; null for a text that is no such value. */
final class Parsers {
  static final String AUTO = "auto";

  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*([kmgtp]?)(?:i?b)?");
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|min|h|d)?");
  private static final Pattern BARE = Pattern.compile("\\d{1,9}");
  private static final long LEAST_POOL = 1L << 20;
  private static final String SIZE_UNITS = "kmgtp";

  private Parsers() {}

  /** Bytes as Spark writes them: 512m, 8g, 8gb; a bare number is bytes. */
  static @Nullable Long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return null;
    }
    int shift = matcher.group(2).isEmpty() ? 0 : 10 * (SIZE_UNITS.indexOf(matcher.group(2)) + 1);
    long number = Long.parseLong(matcher.group(1));
    return number > Long.MAX_VALUE >> shift ? null : Long.valueOf(number << shift);
  }

  /** As {@link #bytes}, and 0 or a mebibyte at least. */
  static @Nullable Long poolBytes(String text) {
    Long bytes = bytes(text);
    return bytes == null || (bytes > 0 && bytes < LEAST_POOL) ? null : bytes;
  }

  /** The question whether a number without a unit was meant as gibibytes, or as mebibytes. */
  static String unit(String text) {
    if (!BARE.matcher(text).matches()) {
      return "";
    }
    return "; did you mean " + text + (Integer.parseInt(text) < 1024 ? "g?" : "m?");
  }

  /** {@code auto} as an empty value, else what {@code parser} says. */
  static Function<String, @Nullable OptionalLong> autoOr(Function<String, @Nullable Long> parser) {
    return text -> {
      if (text.equalsIgnoreCase(AUTO)) {
        return OptionalLong.empty();
      }
      Long value = parser.apply(text);
      return value == null ? null : OptionalLong.of(value);
    };
  }

  static Function<String, @Nullable Long> numberIn(long least, long most) {
    return text -> {
      long value = Long.parseLong(text);
      return value >= least && value <= most ? Long.valueOf(value) : null;
    };
  }

  static @Nullable Double fraction(String text) {
    double value = Double.parseDouble(text);
    return value > 0 && value <= 1 ? Double.valueOf(value) : null;
  }

  static @Nullable Boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  /** A time as Spark writes it: 500ms, 60s, 2min; a bare number is seconds. */
  static @Nullable Duration time(String text) {
    Matcher matcher = TIME.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return null;
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "m", "min" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofSeconds(number);
    };
  }
}
