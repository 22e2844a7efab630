package io.mooring.scan.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitPlannerTest {
  private static final long MIB = 1 << 20;

  private static List<ScanPartition> plan(
      long maxPartitionBytes, long openCost, int minPartitions, FileSplit... files) {
    List<FileSplit> list = List.of(files);
    return new SplitPlanning.SplitPlanner(maxPartitionBytes, openCost, minPartitions, list)
        .plan(list, Integer.MAX_VALUE);
  }

  @Test
  void aLargeFileIsCutIntoSplitsOfTheMaximum() {
    List<ScanPartition> tasks = plan(100, 10, 1, Splits.file("a", 250));
    assertThat(tasks).hasSize(3);
    assertThat(tasks.stream().map(task -> task.splits().get(0).length()))
        .containsExactly(100L, 100L, 50L);
  }

  @Test
  void smallFilesShareATaskUntilTheirBytesAndOpeningThemFillIt() {
    FileSplit[] files =
        IntStream.range(0, 10).mapToObj(i -> Splits.file("f" + i, 10)).toArray(FileSplit[]::new);
    assertThat(plan(100, 40, 1, files)).hasSize(5).allMatch(task -> task.splits().size() == 2);
  }

  @Test
  void fewBytesAreSpreadOverTheCores() {
    List<ScanPartition> tasks = plan(128 * MIB, 4 * MIB, 4, Splits.file("a", 60 * MIB));
    assertThat(tasks).hasSize(4);
  }

  @Test
  void splitsAreNeverSmallerThanWhatOpeningAFileCosts() {
    assertThat(plan(128 * MIB, 4 * MIB, 1000, Splits.file("a", 8 * MIB))).hasSize(2);
  }

  @Test
  void emptyFilesAndNoFilesGiveNoTask() {
    assertThat(plan(100, 10, 2)).isEmpty();
    assertThat(plan(100, 10, 2, Splits.file("a", 0))).isEmpty();
  }

  @Test
  void everyByteOfEveryFileIsInOneSplit() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      FileSplit[] files =
          IntStream.range(0, 1 + random.nextInt(8))
              .mapToObj(i -> Splits.file("f" + i, random.nextInt(1000)))
              .toArray(FileSplit[]::new);
      List<FileSplit> splits = new ArrayList<>();
      plan(1 + random.nextInt(300), random.nextInt(50), 1 + random.nextInt(9), files)
          .forEach(task -> splits.addAll(task.splits()));
      for (FileSplit file : files) {
        assertThat(covered(splits, file)).as("seed %s", seed).isEqualTo(file.fileLength());
      }
    }
  }

  /** Bytes from the start of a file that its splits cover without gap or overlap. */
  private static long covered(List<FileSplit> splits, FileSplit file) {
    long end = 0;
    for (FileSplit split :
        splits.stream()
            .filter(split -> split.path().equals(file.path()))
            .sorted(Comparator.comparingLong(FileSplit::start))
            .collect(Collectors.toList())) {
      assertThat(split.start()).isEqualTo(end);
      end += split.length();
    }
    return end;
  }

  @Test
  void aTaskPrefersTheHostsThatStoreMostOfIt() {
    ScanPartition task =
        new ScanPartition(
            List.of(
                Splits.file("a", 10, "h1", "h2"),
                Splits.file("b", 30, "h3", "h2", "localhost"),
                Splits.file("c", 1, "h4")));
    assertThat(task.preferredLocations()).containsExactly("h2", "h3", "h1");
  }
}
