package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.scan.Arm.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/**
 * Arms as they are written: {@code NAME[:SIZE][+KEY=VALUE]...}. The size is for {@code pool} and
 * {@code pinned-memory-pool}; a key that does not begin with {@code spark.} is one of {@code
 * spark.mooring.}.
 *
 * @param poolSizes of those arms where they name none; several make an arm each
 */
record Arms(List<String> poolSizes) {

  private static final String LIBCUDF_POOL = "spark.mooring.libcudf.defaultPool.size";
  private static final String OURS = "spark.mooring.";

  /** The names that an arm can begin with. */
  static final List<String> NAMES =
      List.of(
          Arm.SPARK_CPU.name(),
          Arm.BASE,
          "cudf-default",
          Arm.POOL,
          Arm.CUDFS_POOL,
          PeerSettings.BEST,
          PeerSettings.MULTITHREADED,
          PeerSettings.DEFAULT);

  /** The arms written so, in this order; one that is written twice is numbered. */
  List<Arm> parse(List<String> texts) {
    Set<String> names = new LinkedHashSet<>();
    List<Arm> arms = new ArrayList<>();
    for (String text : texts) {
      for (Arm arm : parse(text)) {
        String name = arm.name();
        for (int copy = 2; !names.add(name); copy++) {
          name = arm.name() + "#" + copy;
        }
        arms.add(arm.renamed(name));
      }
    }
    return arms;
  }

  private List<Arm> parse(String text) {
    String[] parts = text.split("\\+", -1);
    Map<String, String> own = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw UserError.usage("arm '" + text + "': '" + parts[i] + "' is not KEY=VALUE");
      }
      String key = parts[i].substring(0, equals);
      own.put(key.startsWith("spark.") ? key : OURS + key, parts[i].substring(equals + 1));
    }
    return bases(parts[0]).stream()
        .map(
            arm ->
                new Arm(
                    arm.name() + text.substring(parts[0].length()), arm.kind(), arm.conf(), own))
        .toList();
  }

  private static final List<String> WITH_SIZE = List.of(Arm.POOL, Arm.CUDFS_POOL);

  private List<Arm> bases(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    if (!NAMES.contains(name)) {
      throw UserError.usage("no arm '" + name + "'; the arms are " + NAMES);
    }
    if (colon >= 0 && !WITH_SIZE.contains(name)) {
      throw UserError.usage("arm '" + text + "': only " + WITH_SIZE + " take a size");
    }
    if (!WITH_SIZE.contains(name)) {
      return List.of(base(name));
    }
    List<String> sizes = colon < 0 ? poolSizes : List.of(size(text.substring(colon + 1)));
    boolean unnamed = colon < 0 && sizes.size() == 1;
    return sizes.stream()
        .map(size -> mooring(unnamed ? name : name + ":" + size, withoutCache(size)))
        .toList();
  }

  /** Every run is to read the files: an arm with the cache asks for it. */
  private static Map<String, String> withoutCache(String size) {
    return Map.of(Arm.POOL_SIZE, size, Arm.CACHE_SIZE, "0");
  }

  private Arm base(String name) {
    Map<String, Supplier<Arm>> fixed =
        Map.of(
            Arm.SPARK_CPU.name(),
            () -> Arm.SPARK_CPU,
            Arm.BASE,
            () -> mooring(name, Map.of(Arm.POOL_SIZE, "0", LIBCUDF_POOL, "0")),
            "cudf-default",
            () -> mooring(name, Map.of(Arm.POOL_SIZE, "0", LIBCUDF_POOL, "auto")));
    return fixed
        .getOrDefault(name, () -> new Arm(name, Kind.PEER, PeerSettings.of(name), Map.of()))
        .get();
  }

  private static String size(String text) {
    try {
      return new ByteSize.PoolConverter().convert(text);
    } catch (TypeConversionException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private static Arm mooring(String name, Map<String, String> conf) {
    return new Arm(name, Kind.MOORING, conf, Map.of());
  }
}
