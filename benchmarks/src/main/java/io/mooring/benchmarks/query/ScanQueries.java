package io.mooring.benchmarks.query;

import static io.mooring.benchmarks.query.ScanQuery.VIEW;

import io.mooring.benchmarks.cli.UserError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The queries, written for the columns that the data has.
 *
 * @param types columns in order: name and Spark's simple type name
 */
public record ScanQueries(Map<String, String> types) {

  static final String FILTER = "filter";
  static final String BANDS = "bands";
  public static final String SUM = "sum";
  public static final String LOOKUP = "lookup";
  public static final String ALL = "all";

  /** Names of the queries that run by default. */
  static final List<String> DEFAULT = List.of(FILTER, BANDS, SUM, LOOKUP, ALL);

  /** All names, in the order in which the queries run. */
  static final List<String> NAMES =
      Stream.concat(DEFAULT.stream(), TpcdsQueries.COLUMNS.keySet().stream().sorted()).toList();

  /** Names that stand for others. */
  private static final Map<String, List<String>> GROUPS =
      Map.of(
          "q9", List.of(BANDS),
          "tpcds",
              Stream.concat(Stream.of(BANDS), TpcdsQueries.COLUMNS.keySet().stream()).toList());

  private static final int BAND = 20;
  private static final int BAND_COUNT = 5;
  private static final Set<String> NUMERIC =
      Set.of("tinyint", "smallint", "int", "bigint", "float", "double");

  /** Columns of the filter and band queries. */
  private static final Set<String> BAND_COLUMNS =
      Set.of("quantity", "ext_discount_amt", "net_paid");

  /** The names asked for, checked. */
  static List<String> checkNames(List<String> names) {
    Set<String> wanted = new HashSet<>();
    names.forEach(name -> wanted.addAll(GROUPS.getOrDefault(name, List.of(name))));
    for (String name : wanted) {
      if (!NAMES.contains(name)) {
        throw UserError.usage("no query '" + name + "'; the queries are " + NAMES);
      }
    }
    return NAMES.stream().filter(wanted::contains).toList();
  }

  /** Names that this data cannot answer, because it lacks a column. */
  List<String> unanswerable(List<String> names) {
    return names.stream()
        .filter(name -> types.isEmpty() || !types.keySet().containsAll(needs(name)))
        .toList();
  }

  private static Set<String> needs(String name) {
    return switch (name) {
      case FILTER, BANDS -> BAND_COLUMNS;
      case LOOKUP -> Set.of("item_sk", "store_sk");
      default -> TpcdsQueries.COLUMNS.getOrDefault(name, Set.of());
    };
  }

  /** Finds one pair of keys that is in the data: always the same, and nowhere near an end. */
  public String lookupKeys() {
    return "SELECT item_sk, store_sk FROM "
        + VIEW
        + " WHERE item_sk IS NOT NULL AND store_sk IS NOT NULL"
        + " ORDER BY hash(item_sk, store_sk), item_sk, store_sk LIMIT 1";
  }

  /** The query of this name; {@code keys} are the values that {@link #lookupKeys} found. */
  ScanQuery query(String name, List<Object> keys) {
    return switch (name) {
      case FILTER -> ScanQuery.aggregate(name, filter());
      case BANDS -> ScanQuery.aggregate(name, bands());
      case SUM -> ScanQuery.aggregate(name, sum());
      case LOOKUP -> ScanQuery.rows(name, lookup(keys));
      case ALL -> ScanQuery.everything(name, List.copyOf(types.keySet()));
      default -> ScanQuery.aggregate(name, TpcdsQueries.sql(name));
    };
  }

  private static String filter() {
    return "SELECT count(*), avg(ext_discount_amt), avg(net_paid) FROM "
        + VIEW
        + " WHERE quantity BETWEEN 1 AND "
        + BAND;
  }

  /** In the shape of TPC-DS q9: three scalar sub-queries for each band of quantities. */
  private static String bands() {
    List<String> cells = new ArrayList<>();
    for (int band = 0; band < BAND_COUNT; band++) {
      String where =
          " FROM %s WHERE quantity BETWEEN %d AND %d)"
              .formatted(VIEW, band * BAND + 1, (band + 1) * BAND);
      for (String value : List.of("count(*)", "avg(ext_discount_amt)", "avg(net_paid)")) {
        cells.add("(SELECT " + value + where + " AS v" + (cells.size() + 1));
      }
    }
    return "SELECT " + String.join(", ", cells);
  }

  /** Sums of numbers; other columns are counted, so that every column is read. */
  private String sum() {
    List<String> cells = new ArrayList<>();
    types.forEach(
        (name, type) -> {
          boolean numeric = NUMERIC.contains(type) || type.startsWith("decimal");
          cells.add((numeric ? "sum(`" : "count(`") + name + "`)");
        });
    return "SELECT " + String.join(", ", cells) + " FROM " + VIEW;
  }

  private static String lookup(List<Object> keys) {
    return "SELECT * FROM %s WHERE item_sk = %s AND store_sk = %s"
        .formatted(VIEW, keys.get(0), keys.get(1));
  }
}
