package io.mooring.benchmarks.query;

import static io.mooring.benchmarks.query.ScanQuery.VIEW;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Queries in the shapes of TPC-DS over the one table that is generated; dimension tables are made
 * of ranges on the fly. What is kept of each is how it scans, joins and aggregates.
 */
public final class TpcdsQueries {

  /** Columns that each needs. */
  public static final Map<String, Set<String>> COLUMNS =
      Map.of(
          "q2", Set.of("sold_date_sk", "ext_sales_price"),
          "q28", Set.of("quantity", "list_price", "coupon_amt", "wholesale_cost"),
          "q31", Set.of("sold_date_sk", "store_sk", "ext_sales_price"),
          "q88", Set.of("sold_time_sk", "hdemo_sk", "store_sk"),
          "q95",
              Set.of("sold_date_sk", "store_sk", "ticket_number", "ext_list_price", "net_profit"));

  private static final int FIRST_DATE = 2_450_816;

  private TpcdsQueries() {}

  public static String sql(String name) {
    return switch (name) {
      case "q2" -> weeksOfTwoYears();
      case "q28" -> bandsWithAlternatives();
      case "q31" -> growthByStore();
      case "q88" -> halfHours();
      case "q95" -> ticketsOfSeveralStores();
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** In the shape of q2: sums by weekday and week, joined with the sums of a year later. */
  private static String weeksOfTwoYears() {
    String days =
        IntStream.range(0, 7)
            .mapToObj(
                d ->
                    "sum(CASE WHEN pmod(sold_date_sk, 7) = %1$d THEN ext_sales_price END) d%1$d"
                        .formatted(d))
            .collect(Collectors.joining(", "));
    String ratios =
        IntStream.range(0, 7)
            .mapToObj("a.d%1$d / b.d%1$d"::formatted)
            .collect(Collectors.joining(", "));
    return """
        WITH weekly AS (
          SELECT (sold_date_sk - %d) DIV 7 AS week, %s FROM %s GROUP BY 1)
        SELECT a.week, %s FROM weekly a JOIN weekly b ON b.week = a.week + 53
        WHERE a.week BETWEEN 0 AND 51"""
        .formatted(FIRST_DATE, days, VIEW, ratios);
  }

  /**
   * In the shape of q28: six bands of quantities with alternatives, and a distinct count for each.
   */
  private static String bandsWithAlternatives() {
    List<String> bands = new ArrayList<>();
    for (int b = 0; b < 6; b++) {
      bands.add(
          """
          (SELECT avg(list_price), count(list_price), count(DISTINCT list_price) FROM %s
           WHERE quantity BETWEEN %d AND %d AND (list_price BETWEEN %d AND %d
             OR coupon_amt BETWEEN %d AND %d OR wholesale_cost BETWEEN %d AND %d)) AS b%d"""
              .formatted(
                  VIEW,
                  5 * b + 1,
                  5 * b + 5,
                  1800 * b,
                  1800 * b + 100,
                  2700 * b,
                  2700 * b + 1000,
                  900 * b,
                  900 * b + 200,
                  b));
    }
    return "SELECT * FROM " + String.join(",\n", bands);
  }

  /** In the shape of q31: sums by place and quarter, three of them joined, growth compared. */
  private static String growthByStore() {
    return """
        WITH quarterly AS (
          SELECT store_sk, (sold_date_sk - %1$d) DIV 91 AS quarter, sum(ext_sales_price) AS sales
          FROM %2$s WHERE sold_date_sk < %1$d + 273 GROUP BY 1, 2)
        SELECT a.store_sk, b.sales / a.sales, c.sales / b.sales FROM quarterly a
        JOIN quarterly b ON b.store_sk = a.store_sk JOIN quarterly c ON c.store_sk = a.store_sk
        WHERE a.quarter = 0 AND b.quarter = 1 AND c.quarter = 2
          AND b.sales / a.sales > c.sales / b.sales"""
        .formatted(FIRST_DATE, VIEW);
  }

  /**
   * In the shape of q88: eight counts, one for each half hour, above three joins with small tables.
   */
  private static String halfHours() {
    List<String> counts = new ArrayList<>();
    for (int half = 17; half < 25; half++) {
      counts.add(
          """
          (SELECT count(*) FROM %s, time_dim, household, store
           WHERE sold_time_sk = t_time_sk AND hdemo_sk = hd_demo_sk AND store_sk = s_store_sk
             AND t_hour = %d AND t_minute DIV 30 = %d AND s_name = 'store 3'
             AND ((hd_dep = 4 AND hd_cars <= 6) OR (hd_dep = 2 AND hd_cars <= 4))) AS h%d"""
              .formatted(VIEW, half / 2, half % 2, half));
    }
    return """
        WITH time_dim AS (
          SELECT id AS t_time_sk, id DIV 3600 AS t_hour, id DIV 60 %% 60 AS t_minute
          FROM range(86400)),
        household AS (
          SELECT id AS hd_demo_sk, id %% 10 AS hd_dep, id %% 7 AS hd_cars FROM range(7200)),
        store AS (SELECT id AS s_store_sk, concat('store ', id %% 8) AS s_name FROM range(1002))
        SELECT * FROM %s"""
        .formatted(String.join(",\n", counts));
  }

  /** In the shape of q95: the fact table joined with itself by ticket, as a filter. */
  private static String ticketsOfSeveralStores() {
    String days = "sold_date_sk BETWEEN %d AND %d".formatted(FIRST_DATE, FIRST_DATE + 60);
    return """
        WITH days AS (SELECT * FROM %s WHERE %s),
        several AS (
          SELECT a.ticket_number FROM days a JOIN days b ON a.ticket_number = b.ticket_number
          WHERE a.store_sk <> b.store_sk)
        SELECT count(DISTINCT ticket_number), sum(ext_list_price), sum(net_profit)
        FROM days WHERE ticket_number IN (SELECT ticket_number FROM several)"""
        .formatted(VIEW, days);
  }
}
