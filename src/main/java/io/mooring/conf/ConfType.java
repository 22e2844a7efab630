package io.mooring.conf;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kind of value that a setting takes. Immutable.
 *
 * @param name for the documentation
 * @param allowed completes "must be", for the error of a bad value
 * @param parser gives the value, or null or an IllegalArgumentException for a bad text
 * @param hint ends that error with what was probably meant; empty where nobody knows
 */
public record ConfType<T>(
    String name, String allowed, Function<String, @Nullable T> parser, UnaryOperator<String> hint) {
  static final ConfType<Boolean> FLAG = new ConfType<>("boolean", "true or false", Parsers::flag);

  /** Bytes; 0 is allowed. */
  static final ConfType<Long> SIZE = new ConfType<>("size", "a size such as 8g", Parsers::bytes);

  /** Bytes of a pool; 0 is allowed, and else not so few that a unit must have been forgotten. */
  static final ConfType<Long> POOL_SIZE =
      new ConfType<>("size", "0 or a size from 1m, such as 8g", Parsers::poolBytes, Parsers::unit);

  static final ConfType<Double> FRACTION =
      new ConfType<>("fraction", "a number above 0 and up to 1", Parsers::fraction);

  static final ConfType<Duration> TIME =
      new ConfType<>("duration", "a time such as 60s", Parsers::time);

  ConfType(String name, String allowed, Function<String, @Nullable T> parser) {
    this(name, allowed, parser, text -> "");
  }

  /** The values are in lower case; a text may be in any. */
  static ConfType<String> oneOf(String... values) {
    List<String> all = List.of(values);
    return new ConfType<>(
        String.join(" or ", all),
        "one of " + String.join(", ", all),
        text -> {
          String value = text.toLowerCase(Locale.ROOT);
          return all.contains(value) ? value : null;
        });
  }

  static ConfType<Long> numberIn(long least, long most) {
    String allowed = "a number from " + least + " to " + most;
    return new ConfType<>("int", allowed, Parsers.numberIn(least, most));
  }

  /** {@code auto}, read as an empty value, or what {@code type} takes. */
  static ConfType<OptionalLong> autoOr(ConfType<Long> type) {
    return new ConfType<>(
        type.name + " or auto",
        type.allowed.startsWith("0 or ") ? "auto, " + type.allowed : "auto or " + type.allowed,
        Parsers.autoOr(type.parser),
        type.hint);
  }

  /** From the text of a setting to its value; null for a text that is no such value. */
  static final class Parsers {
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

    /** A size in bytes: 0, or a mebibyte at least. */
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
    static Function<String, @Nullable OptionalLong> autoOr(
        Function<String, @Nullable Long> parser) {
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
}
