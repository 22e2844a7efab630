package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomCases;
import io.mooring.testing.Sessions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same random expressions without a GPU: most of them are translated, and they travel. */
@Tag("random")
class RandomTranslationTest {
  private static final int CASES = RandomCases.of("mooring.test.translations", 100);

  @Test
  void mostExpressionsAreTranslatedAndTravel() throws Exception {
    long seed = Long.getLong("mooring.test.seed", System.nanoTime());
    System.out.println("RandomTranslationTest seed " + seed);
    Random random = new Random(seed);
    RandomExpressions expressions = new RandomExpressions(random);
    Map<String, Integer> refused = new TreeMap<>();
    int translated = 0;
    int analysed = 0;
    SparkSession spark = Sessions.withPlugin(1, Interpreted.SETTINGS);
    try {
      AnalysedExpression.table(
          spark, "t", new RandomValues(random).rows(1, 0.2), RandomValues.schema());
      for (int i = 0; i < CASES; i++) {
        spark.conf().set("spark.sql.ansi.enabled", i % 2 == 0);
        Optional<AnalysedExpression> expression = analysed(spark, expressions.next());
        analysed += expression.isPresent() ? 1 : 0;
        if (expression.isPresent() && isTranslated(expression.get(), refused)) {
          translated++;
        }
      }
    } finally {
      spark.stop();
    }
    System.out.println(analysed + " analysed, " + translated + " translated, others: " + refused);
    assertThat(analysed).isGreaterThan(CASES / 4);
    assertThat(translated).isGreaterThan(analysed / 2);
  }

  private static Optional<AnalysedExpression> analysed(SparkSession spark, String sql) {
    try {
      return AnalysedExpression.of(spark, sql, "t");
    } catch (Exception e) {
      // Its types do not go together, or its constants overflow.
      return Optional.empty();
    }
  }

  private static boolean isTranslated(AnalysedExpression expression, Map<String, Integer> refused)
      throws Exception {
    try {
      DeviceExpr translated =
          new CatalystTranslator(expression.input()).translate(expression.expression());
      assertThat(travelled(translated)).isEqualTo(translated);
      assertThat(translated.type()).isEqualTo(expression.expression().dataType());
      return true;
    } catch (UnsupportedExpressionException e) {
      refused.merge(e.getMessage(), 1, Integer::sum);
      return false;
    }
  }

  private static Object travelled(DeviceExpr expr) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(expr);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
