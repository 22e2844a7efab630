package io.mooring.benchmarks.scan;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rows of a query, compared without regard to their order. */
record ResultRows(List<List<Object>> rows) {

  /** The first place where two results differ, in words. */
  record Difference(String expected, String got) {}

  ResultRows {
    rows = rows.stream().sorted(Comparator.comparing(ResultRows::sortKey)).toList();
  }

  /**
   * Finds the first place where the other result differs.
   *
   * @param tolerance how far doubles may lie apart, relative to the expected one
   */
  Optional<Difference> difference(ResultRows other, double tolerance) {
    if (rows.size() != other.rows.size()) {
      return Optional.of(new Difference(rows.size() + " rows", other.rows.size() + " rows"));
    }
    return IntStream.range(0, rows.size())
        .mapToObj(i -> difference(i + 1, rows.get(i), other.rows.get(i), tolerance))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Difference> difference(
      int number, List<Object> expected, List<Object> got, double tolerance) {
    if (expected.size() != got.size()) {
      return Optional.of(new Difference(expected.size() + " columns", got.size() + " columns"));
    }
    return IntStream.range(0, expected.size())
        .filter(i -> !equal(expected.get(i), got.get(i), tolerance))
        .mapToObj(
            i ->
                new Difference(
                    "%s (row %d, column %d)".formatted(expected.get(i), number, i + 1),
                    String.valueOf(got.get(i))))
        .findFirst();
  }

  private static boolean equal(Object expected, Object got, double tolerance) {
    if (expected instanceof Double a && got instanceof Double b) {
      return a.equals(b) || Math.abs(a - b) <= tolerance * Math.abs(a);
    }
    if (isWhole(expected) && isWhole(got)) {
      return ((Number) expected).longValue() == ((Number) got).longValue();
    }
    return Objects.equals(expected, got);
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer || value instanceof Long;
  }

  /** Exact values first, so that doubles that differ in the last digit do not change the order. */
  private static String sortKey(List<Object> row) {
    return row.stream()
        .sorted(Comparator.comparing(cell -> cell instanceof Double))
        .map(String::valueOf)
        .collect(Collectors.joining("\u0000"));
  }
}
