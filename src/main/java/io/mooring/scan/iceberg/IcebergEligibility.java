package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;

/** Finds the reason why a scan stays with Iceberg's own reader. */
record IcebergEligibility(IcebergScan scan, Configuration hadoop) {
  private static final String GROUPING = "spark.sql.iceberg.planning.preserve-data-grouping";

  /** The first that is found; empty where there is none. */
  String problem() {
    if (!scan.isQuery()) {
      return ofKind();
    } else if (!IcebergVersion.isKnown(scan.scan())) {
      return "this version of Iceberg is not known";
    } else if (isGrouped()) {
      return GROUPING + " is true";
    }
    String files = ofFiles();
    String columns = files.isEmpty() ? IcebergColumns.problem(scan.projection()) : files;
    return columns.isEmpty() ? IcebergFileColumns.of(scan).problem() : columns;
  }

  private String ofKind() {
    return switch (scan.kind()) {
      case "SparkCopyOnWriteScan" -> "Iceberg rewrites the files that it reads";
      case "SparkChangelogScan" -> "it is a scan of changes";
      case "SparkStagedScan" -> "Iceberg reads the files for an action of its own";
      default -> "Iceberg reads it by a " + scan.kind();
    };
  }

  /** Whether Spark counts on the files of a partition being read together. */
  private boolean isGrouped() {
    return scan.scan() instanceof SupportsReportPartitioning reporting
        && reporting.outputPartitioning() instanceof KeyGroupedPartitioning;
  }

  private String ofFiles() {
    Set<String> schemes = new HashSet<>();
    for (IcebergTask task : scan.tasks()) {
      if (!task.readsData()) {
        return "it is a table of Iceberg's metadata";
      }
      IcebergFile file = task.file();
      String problem = ofFile(task, file);
      String scheme = new Path(file.location()).toUri().getScheme();
      if (problem.isEmpty() && scheme != null && schemes.add(scheme)) {
        problem = ofScheme(scheme);
      }
      if (!problem.isEmpty()) {
        return problem;
      }
    }
    return "";
  }

  private static String ofFile(IcebergTask task, IcebergFile file) {
    if (!file.format().equals("PARQUET")) {
      return "files are in " + file.format();
    } else if (file.isEncrypted() || task.deletes().stream().anyMatch(IcebergFile::isEncrypted)) {
      return "files are encrypted";
    }
    return "";
  }

  /** Iceberg may have a way of its own to the files, which Mooring reads through Hadoop. */
  private String ofScheme(String scheme) {
    Object io = LIBRARY.call(scan.table(), "io");
    try {
      FileSystem.getFileSystemClass(scheme, hadoop);
      return "";
    } catch (IOException | RuntimeException e) {
      return io.getClass().getSimpleName()
          + " reads its files, and Hadoop has no "
          + scheme
          + "://";
    }
  }
}
