package io.mooring.benchmarks.nds;

/**
 * Expressions for values that look random.
 *
 * @param seed of all of them
 */
record RowDice(long seed) {

  /** Foreign keys are null one time in so many, about as often as those of TPC-DS. */
  private static final int NULL_ONE_IN = 25;

  /** From 0 to {@code values - 1}, equal for equal keys. */
  String below(String key, int column, long values) {
    return "pmod(xxhash64(%s, %dL, %d), %dL)".formatted(key, seed, column, values);
  }

  /** An int column from {@code from} to {@code from + values - 1}, at times null. */
  String foreignKey(String name, String key, int column, long from, long values) {
    String hash = below(key, column, NULL_ONE_IN * values);
    return "cast(if(%1$s < %2$d, null, %3$d + pmod(%1$s, %2$dL)) AS int) AS %4$s"
        .formatted(hash, values, from, name);
  }
}
