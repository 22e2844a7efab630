package io.mooring.scan.schema;

import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/**
 * The columns that a scan reads.
 *
 * @param data columns of files
 * @param partition columns whose values folders have
 */
public record ScanColumns(StructType data, StructType partition) implements Serializable {
  /** Data columns, then partition columns. */
  public StructType all() {
    StructType all = data;
    for (var field : partition.fields()) {
      all = all.add(field);
    }
    return all;
  }
}
