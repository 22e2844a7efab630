package io.mooring.benchmarks.nds;

import java.util.List;

/** The small tables, and the one of addresses, whose size follows the facts. */
record NdsDimensions(RowDice dice, long addresses) {

  static final int HOUSEHOLDS = 7_200;
  static final int STORES = 402;
  static final int WEB_SITES = 24;

  private static final int SECONDS = 86_400;
  private static final int COUNTIES = 1_850;
  private static final String COMPANIES = "'ought', 'able', 'pri', 'ese', 'anti', 'cally'";

  List<NdsTable> tables() {
    return List.of(dates(), times(), households(), stores(), webSites(), customerAddresses());
  }

  private static NdsTable dates() {
    NdsTable days =
        NdsTable.of(
            "date_dim", Calendar.DAYS, "id", "date_add(date'1900-01-02', cast(id AS int)) AS d");
    List<String> columns =
        List.of(
            "cast(id + " + Calendar.FIRST_KEY + " AS int) AS d_date_sk",
            "d AS d_date",
            "12 * (year(d) - 1900) + month(d) - 1 AS d_month_seq",
            // Weeks begin on Sundays: day 0 is a Tuesday.
            "cast((id + 2) div 7 + 1 AS int) AS d_week_seq",
            "4 * (year(d) - 1900) + quarter(d) AS d_quarter_seq",
            "year(d) AS d_year",
            "dayofweek(d) - 1 AS d_dow",
            "month(d) AS d_moy",
            "dayofmonth(d) AS d_dom",
            "quarter(d) AS d_qoy",
            "date_format(d, 'EEEE') AS d_day_name");
    return new NdsTable(days.name(), days.rows(), List.of(days.steps().get(0), columns));
  }

  private static NdsTable times() {
    return NdsTable.of(
        "time_dim",
        SECONDS,
        "cast(id AS int) AS t_time_sk",
        "cast(id div 3600 AS int) AS t_hour",
        "cast(id div 60 % 60 AS int) AS t_minute",
        "cast(id % 60 AS int) AS t_second",
        "if(id < 43200, 'AM', 'PM') AS t_am_pm");
  }

  private static NdsTable households() {
    return NdsTable.of(
        "household_demographics",
        HOUSEHOLDS,
        "cast(id + 1 AS int) AS hd_demo_sk",
        "cast(id % 20 + 1 AS int) AS hd_income_band_sk",
        "cast(id div 20 % 10 AS int) AS hd_dep_count",
        "cast(id div 200 % 6 - 1 AS int) AS hd_vehicle_count");
  }

  private static NdsTable stores() {
    return NdsTable.of(
        "store",
        STORES,
        "cast(id + 1 AS int) AS s_store_sk",
        "element_at(array("
            + COMPANIES
            + ", 'ation', 'eing', 'bar'), cast(id % 9 AS int) + 1)"
            + " AS s_store_name",
        "cast(200 + id % 100 AS int) AS s_number_employees");
  }

  private static NdsTable webSites() {
    return NdsTable.of(
        "web_site",
        WEB_SITES,
        "cast(id + 1 AS int) AS web_site_sk",
        "concat('site_', id div 6) AS web_name",
        "element_at(array(" + COMPANIES + "), cast(id % 6 AS int) + 1) AS web_company_name");
  }

  private NdsTable customerAddresses() {
    String states = "array('IL', 'TX', 'GA', 'VA', 'KY', 'MO', 'KS', 'NC', 'IA', 'NE')";
    return NdsTable.of(
        "customer_address",
        addresses,
        "cast(id + 1 AS int) AS ca_address_sk",
        "concat('County ', " + dice.below("id", 1, COUNTIES) + ") AS ca_county",
        "element_at(" + states + ", cast(" + dice.below("id", 2, 10) + " AS int) + 1) AS ca_state",
        "lpad(" + dice.below("id", 3, 100_000) + ", 5, '0') AS ca_zip",
        "concat('City ', " + dice.below("id", 4, 900) + ") AS ca_city");
  }
}
