package io.mooring.conf;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What kind of value a setting takes. Immutable.
 *
 * @param name for the documentation
 * @param allowed completes "must be", for the error of a bad value
 * @param parser gives the value, or null or an IllegalArgumentException for a bad text
 */
public record ConfType<T>(String name, String allowed, Function<String, @Nullable T> parser) {
  static final ConfType<Boolean> FLAG = new ConfType<>("boolean", "true or false", Parsers::flag);

  /** Bytes; 0 is allowed. */
  static final ConfType<Long> SIZE = new ConfType<>("size", "a size such as 8g", Parsers::bytes);

  static final ConfType<Double> FRACTION =
      new ConfType<>("fraction", "a number above 0 and up to 1", Parsers::fraction);

  static final ConfType<Duration> TIME =
      new ConfType<>("duration", "a time such as 60s", Parsers::time);

  static ConfType<String> oneOf(String... values) {
    List<String> all = List.of(values);
    return new ConfType<>(
        String.join(" or ", all),
        "one of " + String.join(", ", all),
        text -> all.contains(text) ? text : null);
  }

  static ConfType<Long> numberIn(long least, long most) {
    String allowed = "a number from " + least + " to " + most;
    return new ConfType<>("int", allowed, Parsers.numberIn(least, most));
  }

  /** {@code auto}, read as an empty value, or what {@code type} takes. */
  static ConfType<OptionalLong> autoOr(ConfType<Long> type) {
    return new ConfType<>(
        type.name + " or auto", "auto or " + type.allowed, Parsers.autoOr(type.parser));
  }

  /** As {@link #autoOr}, for a size that says of 0 that it has a meaning of its own. */
  static ConfType<OptionalLong> autoZeroOrSize() {
    return new ConfType<>(
        "size or auto", "auto, 0 or " + SIZE.allowed, Parsers.autoOr(Parsers::bytes));
  }
}
