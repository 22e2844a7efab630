package io.mooring.benchmarks.scan;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rows of a query, compared without regard to their order. */
record ResultRows(List<List<Object>> rows) {

  /** One place where two results differ, in words. */
  record Difference(String expected, String got) {}

  ResultRows {
    rows = rows.stream().sorted(Comparator.comparing(ResultRows::sortKey)).toList();
  }

  /**
   * Where the other result differs first, if it does.
   *
   * @param tolerance how far doubles may lie apart, relative to the expected one
   */
  Optional<Difference> difference(ResultRows other, double tolerance) {
    if (rows.size() != other.rows.size()) {
      return Optional.of(new Difference(rows.size() + " rows", other.rows.size() + " rows"));
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!equal(rows.get(i), other.rows.get(i), tolerance)) {
        return Optional.of(new Difference(rows.get(i).toString(), other.rows.get(i).toString()));
      }
    }
    return Optional.empty();
  }

  private static boolean equal(List<Object> expected, List<Object> got, double tolerance) {
    if (expected.size() != got.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!equal(expected.get(i), got.get(i), tolerance)) {
        return false;
      }
    }
    return true;
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
