package io.mooring.conf;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One setting: key, documentation, type, default and check. Immutable.
 *
 * @param key the whole key
 * @param doc Markdown, for one cell of a table
 * @param type what values it takes
 * @param defaultText the default as a user would write it
 * @param since the version of Mooring that brought it
 * @param applies when a change takes effect
 */
public record ConfEntry<T>(
    String key, String doc, ConfType<T> type, String defaultText, String since, Applies applies) {

  /** When a change of the setting takes effect. */
  public enum Applies {
    /** Read once, when the application starts. */
    STARTUP,
    /** Read for each query. */
    RUNTIME
  }

  /**
   * Begins an entry that is read at startup.
   *
   * @param name the key behind what every key begins with
   */
  static <T> Builder<T> entry(String name, ConfType<T> type) {
    return new Builder<>(MooringConf.PREFIX + name, type);
  }

  /**
   * The value in {@code conf}, or the default.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  public T read(Map<String, String> conf) {
    return parse(conf.getOrDefault(key, defaultText));
  }

  /**
   * The value that a text stands for.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  public T parse(String text) {
    T value = parsed(text.trim());
    if (value == null) {
      throw new IllegalArgumentException(
          "'"
              + text.trim()
              + "' in "
              + key
              + " is invalid: must be "
              + type.allowed()
              + type.hint().apply(text.trim()));
    }
    return value;
  }

  private @Nullable T parsed(String text) {
    try {
      return type.parser().apply(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Puts an entry together. Not thread-safe. */
  static final class Builder<T> {
    private final String key;
    private final ConfType<T> type;
    private String doc = "";
    private String since = "0.1.0";
    private Applies applies = Applies.STARTUP;

    private Builder(String key, ConfType<T> type) {
      this.key = key;
      this.type = type;
    }

    Builder<T> doc(String text) {
      doc = text;
      return this;
    }

    Builder<T> since(String version) {
      since = version;
      return this;
    }

    Builder<T> atRuntime() {
      applies = Applies.RUNTIME;
      return this;
    }

    /** Ends the entry. */
    ConfEntry<T> defaultsTo(String text) {
      return new ConfEntry<>(key, doc, type, text, since, applies);
    }
  }
}
