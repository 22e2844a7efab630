package io.mooring.benchmarks.nds;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of orders: the keys of an order are those of all its lines, the amounts are each line's.
 *
 * @param prefix of the columns
 * @param rows of the table
 * @param linesOfOrder how many lines each order has
 * @param addresses rows of {@code customer_address}
 */
record Sales(RowDice dice, String prefix, long rows, int linesOfOrder, long addresses) {

  /** Dates are sorted within each such block of rows, about a file. */
  private static final long BLOCK_ROWS = 3_000_000;

  private static final int ITEMS = 204_000;
  private static final int OPENS_AT = 28_800;
  private static final int OPEN_SECONDS = 46_800;
  private static final int CUSTOMERS_OF_ADDRESS = 2;
  private static final String LINE = "id";
  static final String ORDER = "o";

  /** The table; {@code keys} are the columns beyond date, time, item and quantity. */
  NdsTable table(String name, List<String> keys, List<String> amounts) {
    List<String> last = new ArrayList<>(List.of(saleDate("sold_date_sk", 0)));
    last.add(dice.foreignKey(prefix + "sold_time_sk", ORDER, 1, OPENS_AT, OPEN_SECONDS));
    last.add("cast(1 + " + dice.below(LINE, 2, ITEMS) + " AS int) AS " + prefix + "item_sk");
    last.addAll(keys);
    last.add("cast(q AS int) AS " + prefix + "quantity");
    amounts.forEach(amount -> last.add(Money.column(prefix + amount, cents(amount))));
    return new NdsTable(name, rows, List.of(costs(), prices(), discounts(), last));
  }

  /** A date of the order, so many days after the sale. */
  String saleDate(String name, int days) {
    long block = Math.min(BLOCK_ROWS, rows);
    String place = "pmod(%s * %d, %d)".formatted(ORDER, linesOfOrder, block);
    String day =
        "%d + %s * %d div %d".formatted(Calendar.FIRST_SALE, place, Calendar.DAYS_OF_SALES, block);
    String later = days == 0 ? "" : " + 1 + " + dice.below(LINE, 3, days);
    return "cast(if(%s = 0, null, %s%s) AS int) AS %s"
        .formatted(dice.below(ORDER, 4, 25), day, later, prefix + name);
  }

  /** A foreign key of the order. */
  String key(String name, int column, long values) {
    return dice.foreignKey(prefix + name, ORDER, column, 1, values);
  }

  String customer(String name, int column) {
    return key(name, column, addresses * CUSTOMERS_OF_ADDRESS);
  }

  String address(String name, int column) {
    return key(name, column, addresses);
  }

  /** The number of the order. */
  String number(String name) {
    return "1 + " + ORDER + " AS " + prefix + name;
  }

  private List<String> costs() {
    return List.of(
        LINE,
        "id div " + linesOfOrder + " AS " + ORDER,
        "if(%s = 0, null, 1 + %s) AS q"
            .formatted(dice.below(LINE, 5, 25), dice.below(LINE, 6, 100)),
        "100 + " + dice.below(LINE, 7, 9_901) + " AS wholesale");
  }

  private List<String> prices() {
    String markUp = dice.below(LINE, 8, 101);
    return List.of(
        LINE, ORDER, "q", "wholesale", "wholesale * (100 + " + markUp + ") div 100 AS list");
  }

  private List<String> discounts() {
    String sold = "list * %s div 100 AS sold".formatted(dice.below(LINE, 9, 101));
    String coupon =
        "if(%s = 0, %s, 0) AS share_of_coupon"
            .formatted(dice.below(LINE, 10, 5), dice.below(LINE, 11, 101));
    return List.of(LINE, ORDER, "q", "wholesale", "list", sold, coupon);
  }

  private String cents(String amount) {
    String paid = "(q * sold - q * sold * share_of_coupon div 100)";
    return switch (amount) {
      case "wholesale_cost" -> "wholesale";
      case "list_price" -> "list";
      case "sales_price" -> "sold";
      case "ext_list_price" -> "q * list";
      case "ext_sales_price" -> "q * sold";
      case "ext_discount_amt" -> "q * (list - sold)";
      case "ext_ship_cost" -> "q * list * " + dice.below(LINE, 12, 51) + " div 100";
      case "coupon_amt" -> "q * sold * share_of_coupon div 100";
      case "net_paid" -> paid;
      case "net_profit" -> paid + " - q * wholesale";
      default -> throw new IllegalArgumentException(amount);
    };
  }
}
