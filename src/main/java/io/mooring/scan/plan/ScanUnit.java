package io.mooring.scan.plan;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.split.FileSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The row groups that a task decodes at once: of one file, or of several small files.
 *
 * @param files what was planned of each file, in order
 * @param unit some or all of their row groups
 */
public record ScanUnit(List<FileUnit> files, ReadUnit unit) {
  /** The plan of the first file, for what is the same in all of them. */
  public FilePlan plan() {
    return files.get(0).plan();
  }

  /** Other row groups, or other pages, of the same files. */
  public ScanUnit with(ReadUnit other) {
    return new ScanUnit(files, other);
  }

  /**
   * The unit's row groups in one of its files, by their numbers in the file.
   *
   * @param file the ordinal of the file among {@link #files}
   */
  public List<Integer> rowGroupsOf(int file) {
    int before = files.subList(0, file).stream().mapToInt(it -> it.unit().rowGroups().length).sum();
    int[] planned = files.get(file).unit().rowGroups();
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < planned.length; i++) {
      // The row groups of a single file keep its numbers, those of several are counted through.
      int number = files.size() == 1 ? planned[i] : before + i;
      if (IntStream.of(unit.rowGroups()).anyMatch(it -> it == number)) {
        found.add(planned[i]);
      }
    }
    return found;
  }

  /**
   * The splits by which Spark's reader reads these row groups, one for each file, in order. The
   * splits of all units of a file make up its whole split: if the file has been replaced, its row
   * groups are no longer where the footer said.
   */
  public List<FileSplit> fallbackSplits() {
    List<FileSplit> splits = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      List<Integer> rowGroups = rowGroupsOf(i);
      if (!rowGroups.isEmpty()) {
        splits.add(split(files.get(i), rowGroups.get(0), rowGroups.get(rowGroups.size() - 1)));
      }
    }
    return splits;
  }

  /**
   * A split from the middle of the first row group to that of the next which is planned; it begins
   * and ends with the split of the file if no other row group is planned before or behind.
   */
  private static FileSplit split(FileUnit file, int first, int last) {
    FileSplit all = file.plan().split();
    long[] middles = file.unit().footer().middles();
    List<Integer> planned = file.plan().rowGroups();
    long start = planned.get(0) == first ? all.start() : middles[first];
    long end =
        planned.stream()
            .filter(rowGroup -> rowGroup > last)
            .findFirst()
            .map(next -> middles[next])
            .orElse(all.start() + all.length());
    return all.withRange(start, end - start);
  }

  /**
   * The row groups that a task reads of one file at once.
   *
   * @param plan of the split of the file
   * @param unit row groups of this file alone
   * @param first whether it is the first of its split
   */
  public record FileUnit(FilePlan plan, ReadUnit unit, boolean first) {
    /** The same, not the first of its split. */
    public FileUnit later() {
      return new FileUnit(plan, unit, false);
    }
  }
}
