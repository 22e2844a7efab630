package io.mooring.testing;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Random conditions on the columns of some rows, against values that occur in them. */
public final class RandomConditions {
  private static final int MOST_VALUES = 15;
  private static final Set<DataType> FLOATING = Set.of(DataTypes.FloatType, DataTypes.DoubleType);

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
    List<Column> values = new ArrayList<>();
    int count = 1 + random.nextInt(MOST_VALUES);
    while (values.size() < count) {
      Object value = any(name);
      // Spark says of NaN and a long list with a null false in a projection and null in a filter.
      if (value != null || !FLOATING.contains(type(name))) {
        values.add(lit(value).cast(type(name)));
      }
    }
    return values.toArray();
  }

  /** A null one time in a while, as in the rows. */
  private Column value(String name) {
    return lit(any(name)).cast(type(name));
  }

  private @Nullable Object any(String name) {
    Row row = rows.get(random.nextInt(rows.size()));
    return row.get(row.fieldIndex(name));
  }

  private DataType type(String name) {
    return rows.get(0).schema().apply(name).dataType();
  }
}
