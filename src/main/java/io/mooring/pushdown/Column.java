package io.mooring.pushdown;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A column of the scan.
 *
 * @param name as the scan's schema spells it
 */
public record Column(String name, DataType type) implements Expr {
  @Override
  public List<Expr> children() {
    return List.of();
  }

  @Override
  public Expr withChildren(List<Expr> children) {
    return this;
  }

  @Override
  public <R> R accept(Expr.Visitor<R> visitor) {
    return visitor.visit(this);
  }

  @Override
  public @Nullable Object onRow(RowColumns row) {
    return row.value(this);
  }

  @Override
  public void addColumns(Set<String> names) {
    names.add(name);
  }

  @Override
  public Expr bind(Function<Column, @Nullable Constant> known) {
    Constant value = known.apply(this);
    return value == null ? this : value;
  }
}
