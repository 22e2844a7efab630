package io.mooring.benchmarks.nds;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import scala.Function1;
import scala.collection.immutable.Seq;

/** Amounts of money, decimal(7,2) as in TPC-DS, made of cents. */
final class Money {

  private static final String FUNCTION = "money_of_cents";
  private static final int DIGITS = 7;
  private static final int SCALE = 2;

  private Money() {}

  /**
   * Makes the function known to a session. SQL has none that puts a point into a whole number, and
   * a division of decimals costs many times as much.
   */
  static void register(SparkSession spark) {
    Function1<Seq<Expression>, Expression> make =
        arguments -> new MakeDecimal(arguments.head(), DIGITS, SCALE);
    ((org.apache.spark.sql.classic.SparkSession) spark)
        .sessionState()
        .functionRegistry()
        .createOrReplaceTempFunction(FUNCTION, make, "scala_udf");
  }

  /** A column; {@code cents} is an expression of type bigint. */
  static String column(String name, String cents) {
    return FUNCTION + "(" + cents + ") AS " + name;
  }
}
