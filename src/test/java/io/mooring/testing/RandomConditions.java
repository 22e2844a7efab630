package io.mooring.testing;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/** Random conditions on the columns of some rows, against values that occur in them. */
public final class RandomConditions {
  private static final int MOST_VALUES = 15;

  private final Random random;
  private final List<Row> rows;

  /**
   * @param rows with a schema
   */
  public RandomConditions(Random random, List<Row> rows) {
    this.random = random;
    this.rows = rows;
  }

  /** A condition mostly on the column {@code name}. */
  public Column on(String name) {
    return switch (random.nextInt(6)) {
      case 0 -> not(on(name));
      case 1 -> on(name).and(on(some()));
      case 2 -> on(name).or(on(random.nextBoolean() ? name : some()));
      default -> simple(name);
    };
  }

  private String some() {
    String[] names = rows.get(0).schema().fieldNames();
    return names[random.nextInt(names.length)];
  }

  private Column simple(String name) {
    Column column = col("`" + name + "`");
    Column value = value(name);
    return switch (random.nextInt(11)) {
      case 0, 1 -> column.equalTo(value);
      case 2 -> column.notEqual(value);
      case 3 -> column.lt(value);
      case 4 -> column.leq(value);
      case 5 -> column.gt(value);
      case 6 -> column.geq(value);
      case 7 -> column.eqNullSafe(value);
      case 8 -> random.nextBoolean() ? column.isNull() : column.isNotNull();
      case 9 -> column.isin(values(name));
      default -> column.between(value, value(name));
    };
  }

  private Object[] values(String name) {
    Object[] values = new Object[1 + random.nextInt(MOST_VALUES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(name);
    }
    return values;
  }

  /** A null one time in a while, as in the rows. */
  private Column value(String name) {
    Row row = rows.get(random.nextInt(rows.size()));
    return lit(row.get(row.fieldIndex(name))).cast(row.schema().apply(name).dataType());
  }
}
