package io.mooring.scan.schema;

import io.mooring.columnar.TypeSupport;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import java.util.Arrays;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.spark.sql.types.DataType;

/**
 * A type in a file's schema with its path.
 *
 * @param repetition its own, but required for a repeated type that is the element of a list
 */
record FileNode(Type type, ColumnPath path, Repetition repetition) {
  static FileNode top(Type column) {
    return new FileNode(column, ColumnPath.get(column.getName()), column.getRepetition());
  }

  /** Whether it is a column of a value in each row. */
  boolean isFlat() {
    return path.size() == 1 && type.isPrimitive() && !type.isRepetition(Repetition.REPEATED);
  }

  FileNode child(int ordinal) {
    return child(type.asGroupType().getType(ordinal));
  }

  FileNode child(Type child) {
    String[] names = path.toArray();
    String[] longer = Arrays.copyOf(names, names.length + 1);
    longer[names.length] = child.getName();
    return new FileNode(child, ColumnPath.get(longer), child.getRepetition());
  }

  FileNode asElement() {
    return new FileNode(type, path, Repetition.REQUIRED);
  }

  /** The file has something else here than is read. */
  UnreadableOnGpuException misfit(DataType wanted) {
    return new UnreadableOnGpuException(TypeSupport.misfit(path.toDotString(), type, wanted));
  }
}
