package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.util.List;

/**
 * A file of data or of deletes, as Iceberg's metadata describe it.
 *
 * @param file Iceberg's own description
 */
record IcebergFile(Object file) {

  /** The place of the file, as its writer spelt it. */
  String location() {
    return (String) LIBRARY.call(file, "location");
  }

  long length() {
    return (long) LIBRARY.call(file, "fileSizeInBytes");
  }

  /** The format, in capitals: PARQUET, ORC or AVRO. */
  String format() {
    return LIBRARY.call(file, "format").toString();
  }

  boolean isEncrypted() {
    return LIBRARY.get(file, "keyMetadata") != null;
  }

  /** Whether the rows of the file have ids, as all have that were added in format 3. */
  boolean hasRowIds() {
    return LIBRARY.get(file, "firstRowId") != null;
  }

  /** Whether the file names deleted rows by their values, and not by their places. */
  boolean deletesByValue() {
    return LIBRARY.call(file, "content").toString().equals("EQUALITY_DELETES");
  }

  /** The field ids of the columns by whose values rows are deleted. */
  List<?> equalityColumns() {
    return (List<?>) LIBRARY.call(file, "equalityFieldIds");
  }
}
