package io.mooring.benchmarks.query;

import io.mooring.benchmarks.cli.UserError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A data set and the queries that belong to it. */
public enum Suite {
  /** One fact table, and queries over it alone. */
  STORE_SALES,

  /** Eight tables and 22 queries. */
  TPCH,

  /** 24 tables and 99 queries, four of them in two parts. */
  TPCDS;

  public static Suite named(String name) {
    return Arrays.stream(values())
        .filter(suite -> suite.text().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.usage("--suite must be store_sales, tpch or tpcds, not '" + name + "'"));
  }

  /** The name that users write. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** True for a suite whose queries and data are made by others. */
  public boolean isStandard() {
    return this != STORE_SALES;
  }

  /** The texts of a standard suite. */
  StandardQueries texts() {
    return StandardQueries.of(text());
  }

  /** The queries that run when none is named. */
  public List<String> defaults() {
    return isStandard() ? texts().names() : ScanQueries.DEFAULT;
  }

  /** The names asked for, checked, in the order in which they run. */
  public List<String> checkNames(List<String> names) {
    if (this == STORE_SALES) {
      return ScanQueries.checkNames(names);
    }
    List<String> known = texts().names();
    for (String name : names) {
      if (!known.contains(name)) {
        throw UserError.usage("no query '" + name + "'; the queries are " + known);
      }
    }
    return known.stream().filter(names::contains).toList();
  }
}
