package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.Scan;
import org.jspecify.annotations.Nullable;

/** Calls that differ between versions of Iceberg and are not in its API. */
final class IcebergVersion {
  private static final String PARTITION = "org.apache.iceberg.spark.source.SparkInputPartition";
  private static final String GROUP = "ScanTaskGroup";
  private static final String SHARES_DELETES = "cacheDeleteFilesOnExecutors";
  // The columns that a partition reads, in JSON; Iceberg 1.11 and older has the second name.
  private static final Set<String> COLUMNS = Set.of("projectionString", "expectedSchemaString");

  private IcebergVersion() {}

  /** The columns that a scan or a partition reads; Iceberg 1.11 and older has another name. */
  static Object projection(Object target) {
    String method = LIBRARY.has(target, "projection", 0) ? "projection" : "expectedSchema";
    return LIBRARY.call(target, method);
  }

  /** The access to a table's files, which is the table's own in Iceberg 1.11 and older. */
  static Object io(InputPartition partition) {
    Object owner = LIBRARY.has(partition, "io", 0) ? partition : LIBRARY.call(partition, "table");
    return LIBRARY.call(owner, "io");
  }

  /** Whether {@link #with} knows how partitions of a scan are made. */
  static boolean isKnown(Scan scan) {
    try {
      Class<?> type = Class.forName(PARTITION, false, scan.getClass().getClassLoader());
      Class<?>[] fields = fields(type).stream().map(Field::getType).toArray(Class<?>[]::new);
      return Arrays.stream(type.getDeclaredConstructors())
          .map(Constructor::getParameterTypes)
          .anyMatch(parameters -> Arrays.equals(parameters, fields));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** A partition as the given one, of other tasks: a constructor takes what final fields hold. */
  static InputPartition with(InputPartition partition, List<?> tasks) {
    return with(partition, tasks, null);
  }

  /**
   * A partition like the given one, but with other tasks. If it reads other columns, its reader
   * shares cached deletes only where the cache does not depend on the order of columns.
   *
   * @param columns the columns that it reads, as JSON of a schema; null for those of the given one
   */
  static InputPartition with(InputPartition partition, List<?> tasks, @Nullable String columns) {
    Object group = LIBRARY.create("org.apache.iceberg.BaseScanTaskGroup", tasks);
    List<Field> fields = fields(partition.getClass());
    if (columns != null && fields.stream().noneMatch(it -> COLUMNS.contains(it.getName()))) {
      throw new IllegalStateException("the columns of Iceberg's partitions are not found");
    }
    @Nullable Object[] arguments =
        fields.stream().map(it -> argument(it, partition, group, columns)).toArray();
    return (InputPartition) LIBRARY.create(partition.getClass(), arguments);
  }

  private static @Nullable Object argument(
      Field field, InputPartition partition, Object group, @Nullable String columns) {
    if (field.getType().getSimpleName().equals(GROUP)) {
      return group;
    }
    if (columns != null && field.getName().equals(SHARES_DELETES)) {
      return sharesKeysOfAnyOrder(partition) && Boolean.TRUE.equals(value(field, partition));
    }
    return columns != null && COLUMNS.contains(field.getName()) ? columns : value(field, partition);
  }

  /**
   * Whether the equality deletes that readers cache on an executor have their columns in the order
   * of ids. Iceberg 1.11 and older cache them in the order of the first query, so that later
   * queries compare the wrong columns.
   */
  private static boolean sharesKeysOfAnyOrder(InputPartition partition) {
    try {
      ClassLoader loader = partition.getClass().getClassLoader();
      Class<?> types = Class.forName("org.apache.iceberg.types.TypeUtil", false, loader);
      return Arrays.stream(types.getMethods())
          .anyMatch(it -> it.getName().equals("selectInIdOrder"));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static List<Field> fields(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(it -> Modifier.isFinal(it.getModifiers()) && !Modifier.isStatic(it.getModifiers()))
        .toList();
  }

  private static @Nullable Object value(Field field, InputPartition partition) {
    try {
      field.setAccessible(true);
      return field.get(partition);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field of Iceberg's partitions cannot be read", e);
    }
  }
}
