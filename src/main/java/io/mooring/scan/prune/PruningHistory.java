package io.mooring.scan.prune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/**
 * How many files of a table the statistics in their footers ruled out for the same filters, as this
 * process has seen it: reading such files whole would be a waste. Thread-safe.
 */
public final class PruningHistory {
  private static final int MOST_SCANS = 1_000;
  // Fewer files prove nothing.
  private static final int LEAST_FILES = 16;
  // A small file that is ruled out costs up to 25 ms more if it is read whole; any other costs up
  // to three round trips of 10 to 30 ms more if it is not.
  private static final double MOST_RULED_OUT = 0.75;
  private static final PruningHistory SHARED = new PruningHistory();

  /**
   * The identity of a table's filters.
   *
   * @param keys the columns that are compared with the keys of joins
   * @param columns that are read
   */
  public record Key(List<Filter> filters, List<String> keys, StructType columns) {
    /** The key of a scan. */
    public static Key of(PruningFilters filters, StructType columns) {
      List<String> keys = filters.keys().stream().map(ColumnKeys::column).toList();
      return new Key(filters.filters(), keys, columns);
    }
  }

  private record Totals(long files, long ruledOut) {
    Totals plus(Totals more) {
      return new Totals(files + more.files(), ruledOut + more.ruledOut());
    }
  }

  private final Map<Key, Totals> totals =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Totals> eldest) {
              return size() > MOST_SCANS;
            }
          });

  PruningHistory() {}

  /** The history of this process. */
  public static PruningHistory shared() {
    return SHARED;
  }

  /**
   * Adds a file.
   *
   * @param ruledOut whether its statistics rule out every row group
   */
  public void add(Key key, boolean ruledOut) {
    totals.merge(key, new Totals(1, ruledOut ? 1 : 0), Totals::plus);
  }

  /** Whether most files are ruled out; false for filters of which little is known. */
  public boolean mostAreRuledOut(Key key) {
    Totals known = totals.get(key);
    return known != null
        && known.files() >= LEAST_FILES
        && known.ruledOut() > known.files() * MOST_RULED_OUT;
  }
}
