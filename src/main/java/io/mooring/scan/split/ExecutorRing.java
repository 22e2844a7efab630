package io.mooring.scan.split;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import scala.jdk.javaapi.CollectionConverters;
import scala.util.hashing.MurmurHash3$;

/**
 * Gives each split an executor: the same as long as there are the same executors, and nearly always
 * the same when one comes or goes. No executor gets much more than its share of the bytes:
 * consistent hashing with bounded loads (V. Mirrokni, M. Thorup, M. Zadimoghaddam, 2018).
 */
final class ExecutorRing {
  private static final int PLACES_OF_EACH = 64;
  private static final double MOST_OF_SHARE = 1.1;

  private final NavigableMap<Integer, String> ring = new TreeMap<>();
  private final int executors;

  /**
   * @param executors as locations of Spark; none for no preference
   */
  ExecutorRing(Collection<String> executors) {
    this.executors = executors.size();
    for (String executor : executors) {
      for (int place = 0; place < PLACES_OF_EACH; place++) {
        ring.put(MurmurHash3$.MODULE$.stringHash(executor, place), executor);
      }
    }
  }

  /** The executors of this application by name; none where there is only one. */
  static ExecutorRing ofApplication() {
    BlockManager driver = SparkEnv.get().blockManager();
    List<String> executors = new ArrayList<>();
    for (BlockManagerId executor :
        CollectionConverters.asJava(driver.master().getPeers(driver.blockManagerId()))) {
      // The form in which Spark's scheduler reads a location that is an executor.
      executors.add("executor_" + executor.host() + "_" + executor.executorId());
    }
    return new ExecutorRing(executors.size() > 1 ? executors : List.of());
  }

  /** Whether there are executors to prefer. */
  boolean isEmpty() {
    return ring.isEmpty();
  }

  /** How many executors there are. */
  int executors() {
    return executors;
  }

  /**
   * The splits of each executor.
   *
   * @param splits the largest first, so that none is left for which there is no room
   * @param openCostBytes what opening a file is counted as
   */
  Map<String, List<FileSplit>> assign(List<FileSplit> splits, long openCostBytes) {
    long total = splits.stream().mapToLong(split -> split.length() + openCostBytes).sum();
    long most = (long) (MOST_OF_SHARE * total / executors) + 1;
    Map<String, Long> loads = new HashMap<>();
    Map<String, List<FileSplit>> assigned = new LinkedHashMap<>();
    for (FileSplit split : splits) {
      long bytes = split.length() + openCostBytes;
      String executor = executorOf(split, most - bytes, loads);
      loads.merge(executor, bytes, Long::sum);
      assigned.computeIfAbsent(executor, none -> new ArrayList<>()).add(split);
    }
    return assigned;
  }

  /** The first executor from the split's place on whose load is at most this, or the least. */
  private String executorOf(FileSplit split, long most, Map<String, Long> loads) {
    int place = MurmurHash3$.MODULE$.stringHash(split.path(), Long.hashCode(split.start()));
    String least = "";
    for (NavigableMap<Integer, String> part :
        List.of(ring.tailMap(place, true), ring.headMap(place, false))) {
      for (String executor : part.values()) {
        long load = loads.getOrDefault(executor, 0L);
        if (load <= most) {
          return executor;
        }
        least = least.isEmpty() || load < loads.getOrDefault(least, 0L) ? executor : least;
      }
    }
    return least;
  }
}
