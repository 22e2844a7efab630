package io.mooring.benchmarks.nds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The suite's queries; each is a resource that bears its name. */
public final class NdsQueries {

  /** Every name, in the order in which the queries run. */
  public static final List<String> NAMES = List.of("q2", "q9", "q28", "q31", "q88", "q95");

  private NdsQueries() {}

  /** The statement of this name, without a semicolon. */
  public static String sql(String name) {
    try (InputStream text = NdsQueries.class.getResourceAsStream(name + ".sql")) {
      byte[] bytes = Objects.requireNonNull(text, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
