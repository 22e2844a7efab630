package io.mooring.benchmarks.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Says which name the user may have meant. */
public final class Suggestion {

  private Suggestion() {}

  /** A sentence on a name that is not among {@code names}: the nearest first, then all. */
  public static String unknown(String kind, String name, List<String> names) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    String lower = name.toLowerCase(Locale.ROOT);
    return names.stream()
        .min(
            Comparator.comparingInt(other -> distance.apply(lower, other.toLowerCase(Locale.ROOT))))
        .map(
            nearest ->
                "no %s '%s'; did you mean '%s'? There are %s".formatted(kind, name, nearest, names))
        .orElse("no %s '%s': there is none at all".formatted(kind, name));
  }
}
