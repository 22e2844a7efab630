package io.mooring.session;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.conf.UnknownKeys;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Mooring's settings in a session. A wrong value does not fail a query: it is logged once for each
 * session. Thread-safe.
 */
public final class SessionConf {
  private static final Logger LOG = LoggerFactory.getLogger(SessionConf.class);
  private static final Map<SparkSession, Set<String>> LOGGED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private SessionConf() {}

  /** The session's value; the application's, or else the default, in the place of a bad one. */
  public static <T> T get(SparkSession session, ConfEntry<T> entry) {
    return get(session, session.sessionState().conf(), entry);
  }

  /** The value in the settings that a session plans with just now. */
  public static <T> T get(SparkSession session, SQLConf conf, ConfEntry<T> entry) {
    // RuntimeConfig.getOption throws an exception internally for a key that is not set.
    String text = conf.getConfString(entry.key(), entry.defaultText());
    try {
      return entry.parse(text);
    } catch (IllegalArgumentException e) {
      String otherwise = otherwise(session, entry);
      if (isNew(session, entry.key() + "=" + text)) {
        LOG.warn("{}. This session goes on with {}", e.getMessage(), otherwise);
      }
      return entry.parse(otherwise);
    }
  }

  private static String otherwise(SparkSession session, ConfEntry<?> entry) {
    Option<String> text = session.sparkContext().conf().getOption(entry.key());
    try {
      text.foreach(entry::parse);
      return text.isEmpty() ? entry.defaultText() : text.get();
    } catch (IllegalArgumentException e) {
      // Only where the plugin, which checks it, does not run.
      return entry.defaultText();
    }
  }

  /** Warns of keys that the session has set and nobody reads. */
  public static void warnOfUnread(SparkSession session) {
    Map<String, String> all = CollectionConverters.asJava(session.conf().getAll());
    all.forEach(
        (key, value) -> {
          if (key.startsWith(MooringConf.PREFIX) && !isOfApplication(session, key, value)) {
            unread(key)
                .filter(sentence -> isNew(session, key))
                .ifPresent(sentence -> LOG.warn("{}", sentence));
          }
        });
  }

  private static boolean isOfApplication(SparkSession session, String key, String value) {
    return session.sparkContext().conf().getOption(key).contains(value);
  }

  private static Optional<String> unread(String key) {
    return MooringConf.ENTRIES.stream()
        .filter(entry -> entry.key().equals(key))
        .findFirst()
        .map(SessionConf::unread)
        .orElseGet(() -> UnknownKeys.warnings(Set.of(key)).stream().findFirst());
  }

  private static Optional<String> unread(ConfEntry<?> entry) {
    return entry.applies() == ConfEntry.Applies.RUNTIME
        ? Optional.empty()
        : Optional.of(
            entry.key()
                + " is read when the application starts: set in a session, it has no effect");
  }

  private static boolean isNew(SparkSession session, String what) {
    return LOGGED.computeIfAbsent(session, any -> ConcurrentHashMap.newKeySet()).add(what);
  }
}
