package io.mooring.spark.plan.explain;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.Some;

/**
 * Adds to the names of scans the reason why Mooring does not read them, or why their rows are
 * exchanged, and changes nothing else.
 */
public final class ExplainedScans {
  private static final String FILES = "tableIdentifier";
  private static final String DATA_SOURCE_V2 = "table";

  private final String reason;

  private ExplainedScans(String reason) {
    this.reason = reason;
  }

  /** The reason as it stands in the name of a scan. */
  static String text(String reason) {
    // The message of an exception may have lines.
    return "(not Mooring: " + reason.replaceAll("\\s+", " ") + ")";
  }

  /** The same plan over a scan of Mooring, whose name tells why a join exchanges its rows. */
  public static SparkPlan exchanged(SparkPlan plan, String reason) {
    return renamed(plan, "(exchanged for a join: " + reason + ")");
  }

  /** The same plan, filters and projections over a scan, with the reason in the scan's name. */
  public static SparkPlan of(SparkPlan plan, String reason) {
    return renamed(plan, text(reason));
  }

  private static SparkPlan renamed(SparkPlan plan, String reason) {
    SparkPlan scan = plan;
    while (scan.children().size() == 1) {
      scan = scan.children().head();
    }
    return TreeNodes.replaceEnd(plan, scan, new ExplainedScans(reason).explained(scan));
  }

  private SparkPlan explained(SparkPlan scan) {
    // Hive's scan reads the very relation that has the name.
    return scan.getClass().getSimpleName().equals("HiveTableScanExec")
        ? new ExplainedScanExec(scan, reason)
        : renamed(scan);
  }

  /** The scan under another name; itself where it has none, as a node that is planned later. */
  private SparkPlan renamed(SparkPlan scan) {
    List<String> names = ScalaLists.list(scan.productElementNames().toSeq());
    if (!names.contains(FILES) && !names.contains(DATA_SOURCE_V2)) {
      return scan;
    }
    Object[] arguments = new Object[names.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = explained(names.get(i), scan.productElement(i));
    }
    return scan.makeCopy(arguments);
  }

  private Object explained(String name, Object argument) {
    if (name.equals(FILES)) {
      Option<?> table = (Option<?>) argument;
      String shown = table.isEmpty() ? "" : ((TableIdentifier) table.get()).unquotedString() + " ";
      return new Some<>(new TableIdentifier(shown + reason));
    }
    return name.equals(DATA_SOURCE_V2) ? new ExplainedTable((Table) argument, reason) : argument;
  }

  /** A table under a name with a reason. A planned scan uses only the name. */
  private record ExplainedTable(Table table, String reason) implements Table {
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
}
