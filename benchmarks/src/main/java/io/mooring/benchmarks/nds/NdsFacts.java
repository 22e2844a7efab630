package io.mooring.benchmarks.nds;

import java.util.List;

/**
 * The large tables, in the proportions of TPC-DS.
 *
 * @param sales rows of {@code store_sales}
 * @param addresses rows of {@code customer_address}
 */
record NdsFacts(RowDice dice, long sales, long addresses) {

  private static final int LINES_OF_TICKET = 12;
  private static final int LINES_OF_ORDER = 4;
  private static final int RETURN_ONE_IN = 10;
  private static final int WAREHOUSES = 15;
  private static final int PROMOTIONS = 1_000;

  List<NdsTable> tables() {
    return List.of(storeSales(), catalogSales(), webSales(), webReturns());
  }

  private NdsTable storeSales() {
    Sales it = new Sales(dice, "ss_", sales, LINES_OF_TICKET, addresses);
    return it.table(
        "store_sales",
        List.of(
            it.customer("customer_sk", 20),
            it.key("hdemo_sk", 21, NdsDimensions.HOUSEHOLDS),
            it.address("addr_sk", 22),
            it.key("store_sk", 23, NdsDimensions.STORES),
            it.key("promo_sk", 24, PROMOTIONS),
            it.number("ticket_number")),
        List.of(
            "wholesale_cost",
            "list_price",
            "sales_price",
            "ext_discount_amt",
            "ext_sales_price",
            "ext_list_price",
            "coupon_amt",
            "net_paid",
            "net_profit"));
  }

  private NdsTable catalogSales() {
    Sales it = new Sales(new RowDice(dice.seed() + 1), "cs_", sales / 2, LINES_OF_ORDER, addresses);
    return it.table(
        "catalog_sales",
        List.of(
            it.customer("bill_customer_sk", 20),
            it.key("warehouse_sk", 21, WAREHOUSES),
            it.key("promo_sk", 22, PROMOTIONS),
            it.number("order_number")),
        List.of("wholesale_cost", "list_price", "ext_sales_price", "ext_list_price", "net_profit"));
  }

  private NdsTable webSales() {
    Sales it = new Sales(new RowDice(dice.seed() + 2), "ws_", sales / 4, LINES_OF_ORDER, addresses);
    return it.table(
        "web_sales",
        List.of(
            it.saleDate("ship_date_sk", 120),
            it.customer("bill_customer_sk", 20),
            it.address("bill_addr_sk", 21),
            it.address("ship_addr_sk", 22),
            it.key("web_site_sk", 23, NdsDimensions.WEB_SITES),
            warehouse(it.dice()),
            it.number("order_number")),
        List.of("wholesale_cost", "list_price", "ext_sales_price", "ext_ship_cost", "net_profit"));
  }

  /** Half of the orders come from one warehouse, the lines of the others from any. */
  private static String warehouse(RowDice dice) {
    return "cast(1 + if(%s = 0, %s, %s) AS int) AS ws_warehouse_sk"
        .formatted(
            dice.below(Sales.ORDER, 24, 2),
            dice.below(Sales.ORDER, 25, WAREHOUSES),
            dice.below("id", 25, WAREHOUSES));
  }

  /** One line of the web in ten came back, so that four orders in ten have a return. */
  private NdsTable webReturns() {
    String line = "(id * " + RETURN_ONE_IN + ")";
    RowDice own = new RowDice(dice.seed() + 3);
    return NdsTable.of(
        "web_returns",
        sales / 4 / RETURN_ONE_IN,
        own.foreignKey("wr_returned_date_sk", "id", 1, Calendar.FIRST_SALE, Calendar.DAYS_OF_SALES),
        own.foreignKey("wr_refunded_customer_sk", "id", 2, 1, 2 * addresses),
        "1 + " + line + " div " + LINES_OF_ORDER + " AS wr_order_number",
        own.foreignKey("wr_return_quantity", "id", 3, 1, 100),
        Money.column("wr_return_amt", own.below("id", 4, 2_000_001)),
        Money.column("wr_net_loss", own.below("id", 5, 1_000_001)));
  }
}
