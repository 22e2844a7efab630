package io.mooring.datasource;

import io.mooring.conf.SqlEntries;
import io.mooring.scan.fallback.SparkReaderBuilder;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.util.Utils;

/** The files of one of Spark's relations as a readable table. Immutable, and so thread-safe. */
public final class MooringTable implements SupportsRead {
  // Characters: a pruned table has a root for each partition.
  private static final int MOST_NAMED = 100;

  private final HadoopFsRelation relation;
  private final StructType schema;

  public MooringTable(HadoopFsRelation relation) {
    this(relation, relation.schema());
  }

  /**
   * @param schema the relation's, with columns behind it that stand for expressions and are only
   *     read within aggregates that are pushed down
   */
  public MooringTable(HadoopFsRelation relation, StructType schema) {
    this.relation = relation;
    this.schema = schema;
  }

  @Override
  public String name() {
    return MooringDataSource.NAME + " " + location(relation);
  }

  /** The paths of a relation, of which the first are named. */
  static String location(HadoopFsRelation relation) {
    return Utils.buildLocationMetadata(relation.location().rootPaths(), MOST_NAMED);
  }

  @Override
  @SuppressWarnings("deprecation") // columns() is newer than the oldest Spark served
  public StructType schema() {
    return schema;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new MooringScanBuilder(relation, schema, evaluates());
  }

  /** Whether scans evaluate filters and aggregates. */
  private boolean evaluates() {
    SparkSession session = relation.sparkSession();
    String mode = SessionConf.get(session, SqlEntries.PUSHDOWN);
    boolean wanted =
        mode.equals("always") || (mode.equals("auto") && new GpuAvailability(session).expected());
    // Where Spark has no batches for the columns, rows are read, and leave the scan as they are.
    return wanted && SparkReaderBuilder.returnsBatches(session, relation.schema());
  }
}
