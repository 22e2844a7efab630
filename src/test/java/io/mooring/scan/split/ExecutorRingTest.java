package io.mooring.scan.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which executor gets which files, and how few change hands when executors or files do. */
class ExecutorRingTest {
  private static final int EXECUTORS = 8;
  private static final int FILES = 400;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private static List<String> executors(int count) {
    return IntStream.range(0, count).mapToObj(i -> "executor_host" + i + "_" + i).toList();
  }

  /** The largest first. */
  private static List<FileSplit> files(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Splits.file("s3a://tables/part-" + i, 10_000 - i))
        .toList();
  }

  private static Map<String, String> executorsOf(List<FileSplit> files, List<String> executors) {
    Map<String, String> byPath = new HashMap<>();
    new ExecutorRing(executors)
        .assign(files, 0)
        .forEach(
            (executor, splits) ->
                splits.forEach(
                    split -> assertThat(byPath.put(split.path(), executor)).as("twice").isNull()));
    assertThat(byPath).hasSize(files.size());
    return byPath;
  }

  private static long moved(Map<String, String> before, Map<String, String> after) {
    return before.entrySet().stream()
        .filter(file -> !file.getValue().equals(after.get(file.getKey())))
        .count();
  }

  @Test
  void executorsAreTheSameInWhateverOrderTheyAreNamed() {
    List<String> shuffled = new ArrayList<>(executors(EXECUTORS));
    Collections.shuffle(shuffled, random);
    assertThat(executorsOf(files(FILES), shuffled))
        .as("seed %s", seed)
        .isEqualTo(executorsOf(files(FILES), executors(EXECUTORS)));
  }

  @Test
  void noExecutorHasMuchMoreThanItsShare() {
    List<FileSplit> files = files(FILES);
    long total = files.stream().mapToLong(FileSplit::length).sum();
    Map<String, List<FileSplit>> assigned = new ExecutorRing(executors(EXECUTORS)).assign(files, 0);
    assertThat(assigned).hasSize(EXECUTORS);
    assertThat(assigned.values())
        .allSatisfy(
            splits ->
                assertThat(splits.stream().mapToLong(FileSplit::length).sum())
                    .isLessThanOrEqualTo(total * 115 / 100 / EXECUTORS));
  }

  @Test
  void anExecutorThatComesTakesLittleMoreThanItsShare() {
    Map<String, String> before = executorsOf(files(FILES), executors(EXECUTORS));
    Map<String, String> after = executorsOf(files(FILES), executors(EXECUTORS + 1));
    assertThat(moved(before, after)).isBetween(1L, 3L * FILES / (EXECUTORS + 1));
  }

  @Test
  void newFilesLeaveTheOthersWhereTheyAre() {
    Map<String, String> before = executorsOf(files(FILES), executors(EXECUTORS));
    Map<String, String> after = executorsOf(files(FILES + 20), executors(EXECUTORS));
    assertThat(moved(before, after)).isLessThan(FILES / 10);
  }

  @Test
  void fewFilesAreSpreadToo() {
    Map<String, String> two = executorsOf(files(2), executors(2));
    assertThat(two.values()).doesNotHaveDuplicates();
  }

  @Test
  void tasksAreThoseOfOneExecutorEach() {
    List<FileSplit> files = files(FILES);
    List<ScanPartition> tasks =
        new BalancedSplits(1 << 30, 0, 16).plan(files, new ExecutorRing(executors(EXECUTORS)));
    assertThat(tasks).hasSize(16);
    assertThat(tasks).allMatch(task -> task.preferredLocations().length == 1);
    assertThat(tasks).extracting(ScanPartition::executor).containsAll(executors(EXECUTORS));
    assertThat(tasks.stream().flatMap(task -> task.splits().stream()).mapToLong(FileSplit::length))
        .as("every byte once")
        .satisfies(
            lengths ->
                assertThat(lengths.stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(files.stream().mapToLong(FileSplit::length).sum()));
  }

  @Test
  void filesOfStoresAreRemote() {
    assertThat(Splits.file("s3a://bucket/a", 1).isRemote()).isTrue();
    assertThat(Splits.file("s3a://bucket/a", 1, "localhost").isRemote()).isTrue();
    assertThat(Splits.file("hdfs://name/a", 1, "node7").isRemote()).isFalse();
    assertThat(Splits.file("file:/a", 1).isRemote()).isFalse();
  }
}
