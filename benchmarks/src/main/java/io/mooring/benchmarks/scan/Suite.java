package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.nds.NdsQueries;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is generated, and which queries belong to it. */
enum Suite {
  /** One table, and queries over it alone. */
  STORE_SALES,

  /** Ten tables, joined as in TPC-DS. */
  NDS;

  static Suite named(String name) {
    return Arrays.stream(values())
        .filter(suite -> suite.text().equals(name))
        .findFirst()
        .orElseThrow(
            () -> UserError.usage("--suite must be store_sales or nds, not '" + name + "'"));
  }

  /** As the user writes it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What runs when no query is asked for. */
  List<String> defaults() {
    return this == NDS ? NdsQueries.NAMES : ScanQueries.DEFAULT;
  }

  /** The names asked for, checked, in the order in which they run. */
  List<String> checkNames(List<String> names) {
    if (this == STORE_SALES) {
      return ScanQueries.checkNames(names);
    }
    for (String name : names) {
      if (!NdsQueries.NAMES.contains(name)) {
        throw UserError.usage("no query '" + name + "'; the queries are " + NdsQueries.NAMES);
      }
    }
    return NdsQueries.NAMES.stream().filter(names::contains).toList();
  }
}
