package io.mooring.scan.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BalancedSplitsTest {
  private static final long GIB = 1L << 30;

  private static List<FileSplit> files(int count, long bytes) {
    return IntStream.range(0, count).mapToObj(i -> Splits.file("f" + i, bytes)).toList();
  }

  @Test
  void wholeFilesAreSpreadEvenlyOverTheCores() {
    List<ScanPartition> tasks = new BalancedSplits(GIB, 4 << 20, 16).plan(files(48, 300 << 20));
    assertThat(tasks).hasSize(16).allMatch(task -> task.splits().size() == 3);
  }

  @Test
  void aTableBeyondOneRoundTakesWholeRounds() {
    List<ScanPartition> tasks = new BalancedSplits(GIB, 0, 4).plan(files(9, GIB / 2));
    assertThat(tasks).hasSize(8);
  }

  @Test
  void oneFileIsCutForEveryCore() {
    List<ScanPartition> tasks = new BalancedSplits(GIB, 4 << 20, 4).plan(files(1, 100 << 20));
    assertThat(tasks).hasSize(4).allMatch(task -> task.splits().size() == 1);
  }

  @Test
  void filesNotWorthCuttingAreLeftWhole() {
    assertThat(new BalancedSplits(GIB, 4 << 20, 16).plan(files(2, 1 << 20))).hasSize(2);
  }

  @Test
  void aSizeForgottenItsUnitGivesATaskForEachSplit() {
    assertThat(new BalancedSplits(128, 4 << 20, 16).plan(files(300, GIB))).hasSize(300 * 256);
  }

  @Test
  void emptyFilesAndNoFilesGiveNoTask() {
    assertThat(new BalancedSplits(GIB, 10, 2).plan(List.of())).isEmpty();
    assertThat(new BalancedSplits(GIB, 10, 2).plan(files(1, 0))).isEmpty();
  }

  @Test
  void everyByteIsInOneSplitAndNoTaskIsFarAboveTheOthers() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<FileSplit> files =
          IntStream.range(0, 1 + random.nextInt(60))
              .mapToObj(i -> Splits.file("f" + i, random.nextInt(1000)))
              .toList();
      List<ScanPartition> tasks =
          new BalancedSplits(1 + random.nextInt(3000), random.nextInt(50), 1 + random.nextInt(9))
              .plan(files);
      List<FileSplit> splits = new ArrayList<>();
      tasks.forEach(task -> splits.addAll(task.splits()));
      for (FileSplit file : files) {
        assertThat(covered(splits, file)).as("seed %s", seed).isEqualTo(file.fileLength());
      }
      long longest = splits.stream().mapToLong(FileSplit::length).max().orElse(0);
      long most = tasks.stream().mapToLong(BalancedSplitsTest::bytes).max().orElse(0);
      long mean = splits.stream().mapToLong(FileSplit::length).sum() / Math.max(1, tasks.size());
      assertThat(most).as("seed %s", seed).isLessThanOrEqualTo(mean + longest + 50 * 60);
    }
  }

  private static long bytes(ScanPartition task) {
    return task.splits().stream().mapToLong(FileSplit::length).sum();
  }

  /** How far from its start a file is covered without gap or overlap. */
  private static long covered(List<FileSplit> splits, FileSplit file) {
    long end = 0;
    for (FileSplit split :
        splits.stream()
            .filter(other -> other.path().equals(file.path()))
            .sorted(Comparator.comparingLong(FileSplit::start))
            .toList()) {
      assertThat(split.start()).isEqualTo(end);
      end += split.length();
    }
    return end;
  }
}
