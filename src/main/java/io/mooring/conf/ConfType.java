package io.mooring.conf;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What kind of value a setting takes. Immutable.
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
}
