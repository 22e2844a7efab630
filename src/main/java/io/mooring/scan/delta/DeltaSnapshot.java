package io.mooring.scan.delta;

import static io.mooring.scan.delta.DeltaFormat.LIBRARY;
import static io.mooring.scan.delta.DeltaFormat.PACKAGE;

import io.mooring.catalyst.ScalaLists;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * One version of a table. Used on the driver; thread-safe.
 *
 * @param snapshot Delta Lake's object
 */
public record DeltaSnapshot(Object snapshot) {
  private static final String GENERATED = "delta.generationExpression";

  /**
   * The version that a query reads by an index of the table's log: the current one, or the one that
   * the query asks for.
   */
  public static DeltaSnapshot of(FileIndex index) {
    return new DeltaSnapshot(LIBRARY.call(index, "getSnapshot"));
  }

  /** Whether a transaction is under way, which keeps account of what it reads. */
  public static boolean isInTransaction() {
    Object active = LIBRARY.callStatic(PACKAGE + "OptimisticTransaction", "getActive");
    return ((Option<?>) active).isDefined();
  }

  /** Whether a query asks for a version of its own. */
  public static boolean isTimeTravel(FileIndex index) {
    return (boolean) LIBRARY.call(index, "isTimeTravelQuery");
  }

  /** What identifies the table of an index. */
  public static Object table(FileIndex index) {
    return LIBRARY.call(LIBRARY.call(index, "deltaLog"), "compositeId");
  }

  /** The number of the version. */
  public long version() {
    return (long) LIBRARY.call(snapshot, "version");
  }

  /** When the version was written, by the modification time of its file in the log. */
  public long committedAt() {
    Object log = LIBRARY.call(snapshot, "logSegment");
    return (long) LIBRARY.call(log, "lastCommitFileModificationTimestamp");
  }

  /** Whether columns are computed from others, by which conditions give further conditions. */
  public boolean hasGeneratedColumns() {
    StructType schema = (StructType) LIBRARY.call(LIBRARY.call(snapshot, "metadata"), "schema");
    return Arrays.stream(schema.fields()).anyMatch(it -> it.metadata().contains(GENERATED));
  }

  /**
   * The files that may have rows for which all conditions are true; runs a Spark job.
   *
   * @throws Exception what Delta Lake throws, as when the job is cancelled
   */
  public DeltaFiles files(List<Expression> conditions) throws Exception {
    Seq<Expression> all = ScalaLists.seq(conditions);
    return DeltaFiles.of(LIBRARY.callThrowing(snapshot, "filesForScan", all, false));
  }

  /**
   * A relation of the table, with filters and projections above it, that reads chosen files.
   *
   * @param relation the relation in it
   */
  public LogicalPlan over(LogicalPlan plan, HadoopFsRelation relation, DeltaFiles files) {
    DeltaFiles chosen =
        DeltaFormat.of(relation.fileFormat()).mayDeleteRows() ? files.askedForDeletions() : files;
    FileIndex prepared = prepared(relation.location(), chosen);
    return (LogicalPlan)
        LIBRARY.callStatic(PACKAGE + "DeltaTableUtils", "replaceFileIndex", plan, prepared);
  }

  private FileIndex prepared(FileIndex index, DeltaFiles files) {
    Object session = LIBRARY.call(index, "spark");
    Object log = LIBRARY.call(index, "deltaLog");
    Object path = LIBRARY.call(index, "path");
    Object scan = files.toScan(snapshot);
    Object version = LIBRARY.call(index, "versionToUse");
    return (FileIndex)
        (LIBRARY.has(index, "catalogTableOpt", 0)
            ? LIBRARY.create(
                DeltaFormat.PREPARED,
                session,
                log,
                path,
                LIBRARY.call(index, "catalogTableOpt"),
                scan,
                version)
            : LIBRARY.create(DeltaFormat.PREPARED, session, log, path, scan, version));
  }
}
