package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.nds.NdsQueries;
import java.util.ArrayList;
import java.util.List;

/**
 * What the user wants to run.
 *
 * @param suite whose queries the names are
 * @param names of the harness's queries
 * @param own statements of the user's
 */
record QueryChoice(Suite suite, List<String> names, List<SqlText> own) {

  /** Names that this data cannot answer, because it lacks a column. */
  List<String> unanswerable(ScanQueries queries) {
    return suite == Suite.NDS ? List.of() : queries.unanswerable(names);
  }

  /** The names that it can. */
  List<String> answerable(ScanQueries queries) {
    List<String> answerable = new ArrayList<>(names);
    answerable.removeAll(unanswerable(queries));
    return answerable;
  }

  /** True when one of these needs keys that are in the data. */
  boolean needsKeys(List<String> answerable) {
    return suite == Suite.STORE_SALES && answerable.contains(ScanQueries.LOOKUP);
  }

  /** The harness's query of this name. */
  ScanQuery query(String name, ScanQueries queries, List<Object> keys) {
    return suite == Suite.NDS
        ? ScanQuery.aggregate(name, NdsQueries.sql(name))
        : queries.query(name, keys);
  }
}
