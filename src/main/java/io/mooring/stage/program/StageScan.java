package io.mooring.stage.program;

import io.mooring.datasource.MooringScan;
import io.mooring.datasource.RuntimePrunedScan;
import java.util.Arrays;
import java.util.Set;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/** Decides which scans, and which of their columns, a stage can read. */
public final class StageScan {
  private static final Set<DataType> FLAT =
      Set.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType,
          DataTypes.StringType,
          DataTypes.BinaryType);

  private StageScan() {}

  /** Whether a scan is Mooring's and gives rows of its files, whose columns have no parts. */
  public static boolean takes(Scan scan) {
    MooringScan ours = of(scan);
    return ours != null
        && ours.pushdown().aggregate() == null
        && ours.columnarSupportMode() == Scan.ColumnarSupportMode.SUPPORTED
        && Arrays.stream(ours.pushdown().output().fields())
            .allMatch(field -> isFlat(field.dataType()));
  }

  /** Mooring's scan, whether it is pruned at run time or not; null for any other. */
  public static @Nullable MooringScan of(Scan scan) {
    if (scan instanceof RuntimePrunedScan pruned) {
      return pruned.scan();
    }
    return scan instanceof MooringScan plain ? plain : null;
  }

  /** Whether columns of a type can leave a stage. */
  public static boolean isFlat(DataType type) {
    return type instanceof DecimalType || FLAT.contains(type);
  }
}
