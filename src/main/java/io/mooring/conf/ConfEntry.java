package io.mooring.conf;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One setting: key, documentation, default and check. Immutable.
 *
 * @param defaultText the default as a user would write it
 * @param allowed completes "must be", for the error of a bad value
 * @param parser gives the value, or null (or an IllegalArgumentException) for a bad text
 */
public record ConfEntry<T>(
    String key,
    String doc,
    String defaultText,
    String allowed,
    Applies applies,
    Function<String, @Nullable T> parser) {

  /** When a change of the setting takes effect. */
  public enum Applies {
    /** Read once, when the application starts. */
    STARTUP,
    /** Read for each query. */
    RUNTIME
  }

  /**
   * The value in {@code conf}, or the default.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  public T read(Map<String, String> conf) {
    String text = conf.getOrDefault(key, defaultText).trim();
    T value;
    try {
      value = parser.apply(text);
    } catch (IllegalArgumentException e) {
      value = null;
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "'" + text + "' in " + key + " is invalid: must be " + allowed);
    }
    return value;
  }
}
