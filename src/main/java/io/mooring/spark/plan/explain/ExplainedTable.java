package io.mooring.spark.plan.explain;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;

/**
 * A table under a name that tells why Mooring does not read it. A planned scan uses only the name.
 */
record ExplainedTable(Table table, String reason) implements Table {
  @Override
  public String name() {
    return table.name() + " " + reason;
  }

  @Override
  @SuppressWarnings("deprecation") // columns() is newer than the oldest Spark served
  public StructType schema() {
    return table.schema();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Transform[] partitioning() {
    return table.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }
}
