package io.mooring.scan.fallback;

import java.io.FileNotFoundException;
import org.apache.spark.SparkUpgradeException;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.datasources.SchemaColumnConvertNotSupportedException;
import org.apache.spark.sql.execution.datasources.v2.FileDataSourceV2;

/** The errors that Spark's file scans make of what fails while they read a file. */
final class ReadErrors {
  private ReadErrors() {}

  /**
   * The error of Spark's own scan. It names the file also where Spark 3.5 fails to open one and
   * does not.
   *
   * @param path as Spark shows it
   */
  static Throwable of(Throwable e, String path) {
    try {
      return FileDataSourceV2.attachFilePath(() -> path, e);
    } catch (NoSuchMethodError older) {
      return inSpark3(e, path);
    }
  }

  private static Throwable inSpark3(Throwable e, String path) {
    if (e instanceof FileNotFoundException) {
      return ofSpark3(
          "readCurrentFileNotFoundError", e, new Class<?>[] {FileNotFoundException.class}, e);
    } else if (e instanceof SchemaColumnConvertNotSupportedException convert) {
      Class<?> text = String.class;
      return ofSpark3(
          "unsupportedSchemaColumnConvertError",
          e,
          new Class<?>[] {text, text, text, text, Exception.class},
          path,
          convert.getColumn(),
          convert.getLogicalType(),
          convert.getPhysicalType(),
          convert);
    } else if (e instanceof SparkUpgradeException) {
      return e;
    }
    return e.getCause() instanceof SparkUpgradeException upgrade
        ? upgrade
        : QueryExecutionErrors.cannotReadFilesError(e, path);
  }

  /** Calls a method that only Spark 3.5 has; gives the error itself where it fails. */
  private static Throwable ofSpark3(
      String method, Throwable e, Class<?>[] types, Object... arguments) {
    try {
      return (Throwable)
          QueryExecutionErrors.class.getMethod(method, types).invoke(null, arguments);
    } catch (ReflectiveOperationException missing) {
      return e;
    }
  }
}
