package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mooring.testing.Sessions;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** What becomes of the expressions of physical plans. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CatalystTranslatorTest {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "b boolean, i int, l bigint, f float, d double, price decimal(15,2), tax decimal(15,2),"
              + " wide decimal(38,0), fine decimal(38,38), day date, at timestamp, name string,"
              + " bytes binary, list array<int>");

  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.sql.adaptive.enabled", "false"));
    spark
        .createDataFrame(spark.createDataFrame(List.of(), SCHEMA).toJavaRDD(), SCHEMA)
        .createOrReplaceTempView("t");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** The projection, or the filter, that Spark executes. */
  private static SparkPlan operator(SparkPlan plan) {
    return plan instanceof ProjectExec || plan instanceof FilterExec
        ? plan
        : operator(plan.children().head());
  }

  private List<DeviceExpr> translated(String query) throws UnsupportedExpressionException {
    Dataset<Row> data = spark.sql(query);
    SparkPlan operator = operator(data.queryExecution().executedPlan());
    List<Attribute> input = CollectionConverters.asJava(operator.children().head().output());
    CatalystTranslator translator = new CatalystTranslator(input);
    List<DeviceExpr> all = new ArrayList<>();
    if (operator instanceof ProjectExec project) {
      for (NamedExpression expression : CollectionConverters.asJava(project.projectList())) {
        all.add(translator.translate((Expression) expression));
      }
    } else {
      all.add(translator.translate(((FilterExec) operator).condition()));
    }
    return all;
  }

  private DeviceExpr one(String sql) throws UnsupportedExpressionException {
    return translated("select " + sql + " as x from t").get(0);
  }

  private DeviceExpr.Mode modeOfCast(String sql) throws UnsupportedExpressionException {
    return ((DeviceExpr.Cast) one(sql)).mode();
  }

  private String reason(String sql) {
    return catchThrowableOfType(UnsupportedExpressionException.class, () -> one(sql)).getMessage();
  }

  @Test
  void productsOfTheFirstQueryOfTpchHaveSparksTypes() throws UnsupportedExpressionException {
    DeviceExpr product = one("price * (1 - tax) * (1 + tax)");
    assertThat(product.type()).isEqualTo(new DecimalType(38, 6));
    Arithmetic outer = (Arithmetic) product;
    assertThat(outer.operator()).isEqualTo(Arithmetic.Operator.MULTIPLY);
    assertThat(outer.left().type()).isEqualTo(new DecimalType(32, 4));
    assertThat(outer.right().type()).isEqualTo(new DecimalType(16, 2));
    assertThat(outer.canFail()).isTrue();
  }

  @Test
  void filtersReferToTheirInputByPlace() throws UnsupportedExpressionException {
    DeviceExpr condition = translated("select * from t where day < date'1998-09-02'").get(0);
    assertThat(condition.toString()).contains("LESS").contains("InputColumn[ordinal=9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void theModeIsThatOfTheExpression(String ansi) throws UnsupportedExpressionException {
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    try {
      DeviceExpr.Mode wanted = ansi.equals("true") ? DeviceExpr.Mode.ANSI : DeviceExpr.Mode.LEGACY;
      assertThat(((Arithmetic) one("i + i")).mode()).isEqualTo(wanted);
      assertThat(((Unary) one("-i")).mode()).isEqualTo(wanted);
      assertThat(((DeviceExpr.Cast) one("cast(l as int)")).mode()).isEqualTo(wanted);
      assertThat(((Arithmetic) one("try_add(i, i)")).mode()).isEqualTo(DeviceExpr.Mode.TRY);
      assertThat(modeOfCast("cast(price as string)")).isEqualTo(wanted);
      // It writes no exponents, as under ANSI mode.
      assertThat(modeOfCast("try_cast(price as string)")).isEqualTo(DeviceExpr.Mode.ANSI);
      assertThat(modeOfCast("cast(name as decimal(5,2))")).isEqualTo(wanted);
      assertThat(modeOfCast("try_cast(name as decimal(5,2))")).isEqualTo(DeviceExpr.Mode.TRY);
      assertThat(one("i + i").canFail()).isEqualTo(ansi.equals("true"));
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "case when name like 'PROMO%' then price * (1 - tax) else 0 end",
        "year(day)",
        "extract(quarter from day)",
        "name in ('MAIL', 'SHIP') and day < date'1995-01-01'",
        "substring(name, 1, 2)",
        "name not like '%special%requests%'",
        "coalesce(price, 0) / tax",
        "round(price / tax, 2)",
        "round(d, 2)",
        "if(i = 0, null, l / i)",
        "cast(i as bigint) * 2",
        "nullif(i, 0)",
        "cast(name as int) + cast(name as bigint)",
        "cast(name as decimal(38,38))",
        "try_cast(name as decimal(10,2))",
        "cast(fine as string) || cast(wide as string)",
        "repeat(name, 3)",
        "translate(name, 'abc', 'x')",
        "substring_index(name, '->', -2)",
        "name rlike '^[a-z]+.*$'",
        "name rlike '(a.)*'",
        "regexp_replace(name, '^https?://(?:www\\\\.)?([^/]+)/.*$', '$1')",
        "regexp_replace(name, '(a|b)+', '')",
        "regexp_extract(name, '^(a)(b)?')",
        "regexp_extract(name, '(a|b)+', 0)",
        "date_add(day, 30)",
        "trunc(day, 'month')",
        "date_trunc('hour', at)",
        "d <=> f",
        "greatest(i, 3)",
        "i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
        "concat(upper(name), '-', trim(name))"
      })
  void theseAreTranslated(String sql) throws UnsupportedExpressionException {
    assertThat(one(sql)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "cast(name as double); cast of STRING to DOUBLE",
        "try_cast(name as int); try_cast of STRING",
        "try_cast(d as decimal(10,2)); try_cast of DOUBLE",
        "cast(bytes as string); with BINARY",
        "name rlike '(a*)*'; rlike",
        "regexp_replace(name, 'a*', 'b'); matches an empty string",
        "regexp_replace(name, 'a', 'b', 2); from a position",
        "regexp_replace(name, 'a', name); replacement that is not a literal",
        "regexp_replace(name, name, 'b'); pattern that is not a literal",
        "regexp_replace(name, 'a', '$1'); replacement $1",
        "regexp_replace(name, '(a)+', '<$1>'); pattern (a)+",
        "regexp_extract(name, 'a(b)', 2); group that is not there",
        "regexp_extract(name, 'a(b)', -1); group that is not there",
        "regexp_extract(name, 'a(b)', i); group that is not a literal",
        "regexp_extract(name, '(a|b)*', 1); regexp_extract",
        "name rlike '\\\\p{L}'; rlike",
        "size(list); expression size",
        "bytes = X'00'; with BINARY",
        "wide div 3; of DECIMAL(38,0)",
        "shiftleft(i, i); by a number that is not a literal",
        "shiftrightunsigned(i, 2); shiftrightunsigned",
        "round(f, 2); round of FLOAT",
        "round(d, 15); round of DOUBLE",
        "round(price, -1); round of DECIMAL(15,2)",
        "substring(name, i, 2); position or length that is not a literal",
        "repeat(name, i); repeat with arguments",
        "repeat(name, 101); repeat with arguments",
        "translate(name, name, 'a'); translate with arguments",
        "substring_index(name, 'aa', 1); substring_index with arguments",
        "substring_index(name, 'abab', 1); substring_index with arguments",
        "substring_index(name, 'ä', 1); substring_index with arguments",
        "substring_index(name, '.', 17); substring_index with arguments",
        "nanvl(nanvl(nanvl(nanvl(nanvl(nanvl(nanvl(d, 1D), 2D), 3D), 4D), 5D), 6D), 7D); more than 6 calls of nanvl",
        "rand(); rand",
        "to_date(name, 'yyyy'); gettimestamp",
        "trim('x' from name); TRIM",
      })
  void theseAreNotAndSayWhy(String sql, String reason) {
    assertThat(reason(sql)).containsIgnoringCase(reason);
  }

  @Test
  void decimalsOfNegativeScaleAreLeftToSpark() {
    spark.conf().set("spark.sql.legacy.allowNegativeScaleOfDecimal", "true");
    try {
      assertThat(reason("price * 1E9BD")).contains("DECIMAL(17,-7)");
    } finally {
      spark.conf().unset("spark.sql.legacy.allowNegativeScaleOfDecimal");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, Europe/Berlin",
    "-08:00, -08:00",
    "UTC, Z",
    "Etc/GMT+5, -05:00",
  })
  void timesHaveTheZoneOfTheSession(String session, String zone)
      throws UnsupportedExpressionException {
    spark.conf().set("spark.sql.session.timeZone", session);
    try {
      assertThat(((DateFunction) one("hour(at)")).zone()).isEqualTo(ZoneId.of(zone));
      assertThat(((DeviceExpr.Cast) one("cast(at as date)")).zone()).isEqualTo(ZoneId.of(zone));
    } finally {
      spark.conf().unset("spark.sql.session.timeZone");
    }
  }

  @Test
  void escapesOfLikeAreOurs() throws UnsupportedExpressionException {
    DeviceExpr like = one("name like 'a\\\\%\\\\_%\\\\\\\\_'");
    assertThat(like.children().get(1).toString()).contains("a\u0001%\u0001_%\\_");
  }

  @Test
  void columnsOfOtherTypesPassThrough() throws UnsupportedExpressionException {
    assertThat(one("bytes")).isInstanceOf(DeviceExpr.InputColumn.class);
  }
}
