package io.mooring.conf;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds keys that look like Mooring's and are not, with what was probably meant. */
public final class UnknownKeys {
  private UnknownKeys() {}

  /** One sentence for each unknown key of {@code keys}. */
  public static List<String> warnings(Set<String> keys) {
    Set<String> known =
        MooringConf.ENTRIES.stream().map(ConfEntry::key).collect(Collectors.toSet());
    return keys.stream()
        .filter(key -> key.startsWith(MooringConf.PREFIX) && !known.contains(key))
        .sorted()
        .map(key -> key + " is not a setting of Mooring; did you mean " + nearest(key, known) + "?")
        .toList();
  }

  private static String nearest(String key, Set<String> known) {
    return known.stream()
        .min(Comparator.comparingInt((String k) -> distance(key, k)).thenComparing(k -> k))
        .orElseThrow();
  }

  /** Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
