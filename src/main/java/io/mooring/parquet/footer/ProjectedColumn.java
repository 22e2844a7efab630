package io.mooring.parquet.footer;

import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.Type;

/**
 * A top-level column of a file with the type by which it is decoded.
 *
 * @param type the file's own, or one of the same levels with some of its leaves
 * @param leaves paths in the file of the type's leaves, in order
 * @param asWritten whether the type is the file's own
 */
public record ProjectedColumn(Type type, List<ColumnPath> leaves, boolean asWritten) {
  public String name() {
    return type.getName();
  }
}
