package io.mooring.spark.plan.delta;

import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.delta.DeltaSnapshot;
import io.mooring.scan.library.UnknownVersionException;
import io.mooring.spark.plan.ScanRewriteConf;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Subquery;
import org.apache.spark.sql.catalyst.plans.logical.SupportsSubquery;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has Delta Lake choose the files of all scans of a query at a time, and keeps its choices: it runs
 * a Spark job for each scan, one after the other, which takes longer than the scan of a small
 * table. Comes before Delta Lake's own rule, which then finds nothing to do. Thread-safe.
 */
public final class DeltaFileSelection extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(DeltaFileSelection.class);
  // Shared by all sessions: rules are made for each query.
  private static final ChosenFiles CHOSEN = new ChosenFiles();

  private final SparkSession session;

  public DeltaFileSelection(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    ScanRewriteConf settings = ScanRewriteConf.of(session);
    boolean isQuery =
        !(plan instanceof Subquery
            || plan instanceof SupportsSubquery
            || plan instanceof V2WriteCommand);
    if (!isQuery || !settings.takesDelta() || !DeltaFormat.choosesFiles(SQLConf.get())) {
      return plan;
    }
    try {
      return chosen(plan);
    } catch (UnknownVersionException e) {
      LOG.debug("Files of Delta tables are not chosen for all scans at a time", e);
      return plan;
    } catch (Exception e) {
      return thrown(e);
    }
  }

  /** Throws what Delta Lake's own rule would, in Scala, where no exception is declared. */
  @SuppressWarnings("unchecked")
  private static <E extends Exception> LogicalPlan thrown(Exception e) throws E {
    throw (E) e;
  }

  private static LogicalPlan chosen(LogicalPlan plan) throws Exception {
    DeltaTableScans scans;
    Map<DeltaTableScan, Choice> choices;
    try {
      scans = new DeltaTableScans(plan);
      choices =
          scans.all().isEmpty() || DeltaSnapshot.isInTransaction()
              ? Map.of()
              : choices(scans.all());
    } catch (Exception | LinkageError e) {
      // Delta Lake's own rule does it, or fails alike.
      LOG.debug("Files of Delta tables are not chosen for all scans at a time", e);
      return plan;
    }
    Map<ChosenFiles.Key, Choice> missing = new HashMap<>();
    for (Choice choice : choices.values()) {
      if (choice.files == null) {
        missing.putIfAbsent(choice.key, choice);
      }
    }
    ParallelWork.run(missing.values().stream().map(Choice::chosen).toList());
    return scans.replaced(
        plan,
        scan -> {
          Choice choice = choices.get(scan);
          return choice == null ? null : choice.replaced(missing.get(choice.key));
        });
  }

  private static Map<DeltaTableScan, Choice> choices(List<DeltaTableScan> scans) {
    Map<DeltaTableScan, Choice> choices = new IdentityHashMap<>();
    Map<Object, DeltaSnapshot> current = new HashMap<>();
    for (DeltaTableScan scan : scans) {
      // All scans of a query read one version.
      DeltaSnapshot snapshot =
          DeltaSnapshot.isTimeTravel(scan.index())
              ? DeltaSnapshot.of(scan.index())
              : current.computeIfAbsent(scan.table(), any -> DeltaSnapshot.of(scan.index()));
      if (!snapshot.hasGeneratedColumns()) {
        choices.put(scan, new Choice(scan, snapshot, CHOSEN));
      }
    }
    return choices;
  }

  /** Forgets all choices. */
  public static void forget() {
    CHOSEN.clear();
  }
}
