package io.mooring.scan.delta;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Map;

/** The deletion vector of a file, as Delta's file index describes it; used on executors. */
public final class DeletionVector {
  private static final String ID = "row_index_filter_id_encoded";
  private static final String TYPE = "row_index_filter_type";
  private static final String DELETED = "IF_CONTAINED";
  private static final String PACKAGE = "org.apache.spark.sql.delta.";

  private DeletionVector() {}

  /**
   * Whether some of a file's rows may be deleted.
   *
   * @param file as the file index lists it
   */
  public static boolean isOf(Map<String, Object> file) {
    return file.contains(ID) || file.contains(TYPE);
  }

  /** Whether the vector lists the deleted rows; otherwise it lists the rows that remain. */
  public static boolean namesDeleted(Map<String, Object> file) {
    Object type = value(file, TYPE);
    return file.contains(ID) && type != null && type.toString().equals(DELETED);
  }

  /**
   * Reads the vector, where there is one.
   *
   * @return the indexes of the deleted rows in the file, ascending
   * @throws RuntimeException when it cannot be read, or is not what its description says
   */
  public static long[] positions(Map<String, Object> file, String tablePath, Configuration conf) {
    Object id = value(file, ID);
    if (id == null) {
      return new long[0];
    }
    Object descriptor =
        DeltaFormat.LIBRARY.callStatic(
            PACKAGE + "actions.DeletionVectorDescriptor", "deserializeFromBase64", id);
    Object stored =
        DeltaFormat.LIBRARY.callStatic(
            PACKAGE + "deletionvectors.StoredBitmap", "create", descriptor, new Path(tablePath));
    Object store = DeltaFormat.LIBRARY.create(PACKAGE + "storage.dv.HadoopFileSystemDVStore", conf);
    return (long[])
        DeltaFormat.LIBRARY.call(DeltaFormat.LIBRARY.call(stored, "load", store), "toArray");
  }

  private static @Nullable Object value(Map<String, Object> file, String key) {
    return file.contains(key) ? file.apply(key) : null;
  }
}
