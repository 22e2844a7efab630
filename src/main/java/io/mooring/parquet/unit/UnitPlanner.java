package io.mooring.parquet.unit;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/** Groups the row groups of a footer into read units of about a given decoded size. */
public final class UnitPlanner {
  // Bytes of a decoded value: most are 4 or 8 bytes wide, and strings have offsets.
  private static final int VALUE_BYTES = 8;
  // Sizes in a damaged footer can be any number; none above this is plausible.
  private static final long MOST_BYTES = 1L << 60;

  private final FileSequence files;
  private final Footer footer;
  private final List<String> columns;
  private final Set<String> wanted;
  private final long unitBytes;
  private final long mergeDistance;

  /**
   * @param columns top-level columns as the file spells them
   * @param unitBytes decoded bytes aimed at in one unit
   * @param mergeDistance ranges at most this many bytes apart are read as one
   */
  public UnitPlanner(
      FileSequence files, Footer footer, List<String> columns, long unitBytes, long mergeDistance) {
    this.files = files;
    this.footer = footer;
    this.columns = List.copyOf(columns);
    this.wanted = new HashSet<>(columns);
    this.unitBytes = unitBytes;
    this.mergeDistance = Math.min(mergeDistance, FileSequence.GAP - 1);
  }

  /** A planner for one file. */
  public UnitPlanner(
      ParquetFile file, Footer footer, List<String> columns, long unitBytes, long mergeDistance) {
    this(FileSequence.of(file), footer, columns, unitBytes, mergeDistance);
  }

  /**
   * Plans the given row groups, in order.
   *
   * @throws UnreadableOnGpuException when the footer's offsets or sizes do not fit the file
   */
  public List<ReadUnit> plan(List<Integer> rowGroups) throws UnreadableOnGpuException {
    List<ReadUnit> units = new ArrayList<>();
    List<Integer> group = new ArrayList<>();
    long bytes = 0;
    for (int index : rowGroups) {
      long more = decodedBytes(footer.rowGroups().get(index));
      if (!group.isEmpty() && more > unitBytes - bytes) {
        units.add(unit(group, bytes));
        group = new ArrayList<>();
        bytes = 0;
      }
      group.add(index);
      bytes = sum(bytes, more);
    }
    if (!group.isEmpty()) {
      units.add(unit(group, bytes));
    }
    return units;
  }

  /** Halves a unit, row groups in order; an empty list when it has only one row group. */
  public static List<ReadUnit> halves(ReadUnit unit, long mergeDistance) {
    List<Integer> all = Arrays.stream(unit.rowGroups()).boxed().toList();
    int middle = all.size() / 2;
    if (middle == 0) {
      return List.of();
    }
    UnitPlanner planner =
        new UnitPlanner(unit.files(), unit.footer(), unit.columns(), Long.MAX_VALUE, mergeDistance);
    try {
      List<ReadUnit> halves = new ArrayList<>(planner.plan(all.subList(0, middle)));
      halves.addAll(planner.plan(all.subList(middle, all.size())));
      return halves;
    } catch (UnreadableOnGpuException e) {
      throw new IllegalStateException("A part of a readable unit cannot be read", e);
    }
  }

  private ReadUnit unit(List<Integer> rowGroups, long decodedBytes)
      throws UnreadableOnGpuException {
    List<FileRange> ranges = new ArrayList<>();
    long rows = 0;
    for (int index : rowGroups) {
      BlockMetaData block = footer.rowGroups().get(index);
      if (block.getRowCount() < 0 || block.getRowCount() > Integer.MAX_VALUE) {
        throw new UnreadableOnGpuException("the footer's row counts are not plausible");
      }
      rows += block.getRowCount();
      for (ColumnChunkMetaData chunk : chunks(block)) {
        ranges.add(checkedRange(chunk));
      }
    }
    if (rows > Integer.MAX_VALUE) {
      throw new UnreadableOnGpuException("a row group holds more rows than cudf can");
    }
    int[] indices = rowGroups.stream().mapToInt(Integer::intValue).toArray();
    List<FileRange> merged = FileRanges.merge(ranges, mergeDistance);
    return new ReadUnit(files, footer, indices, columns, merged, rows, decodedBytes);
  }

  private List<ColumnChunkMetaData> chunks(BlockMetaData block) {
    return block.getColumns().stream()
        .filter(chunk -> wanted.contains(chunk.getPath().toArray()[0]))
        .toList();
  }

  private long decodedBytes(BlockMetaData block) throws UnreadableOnGpuException {
    long bytes = 0;
    for (ColumnChunkMetaData chunk : chunks(block)) {
      long size = chunk.getTotalUncompressedSize();
      long values = chunk.getValueCount();
      if (size < 0 || values < 0 || values > Integer.MAX_VALUE || size > MOST_BYTES) {
        throw new UnreadableOnGpuException("the footer's column sizes are not plausible");
      }
      // Dictionary and run-length encoding make a chunk smaller than its values.
      bytes = sum(bytes, Math.max(size, values * VALUE_BYTES));
    }
    return bytes;
  }

  /** The sum of two sizes, bounded so that it cannot overflow. */
  private static long sum(long bytes, long more) {
    return Math.min(MOST_BYTES, bytes + Math.min(more, MOST_BYTES));
  }

  private FileRange checkedRange(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
    long start = chunk.getStartingPos();
    long bytes = chunk.getTotalSize();
    if (start < 0 || bytes < 0 || start > files.length() || bytes > files.length() - start) {
      throw new UnreadableOnGpuException("a column chunk lies outside the file");
    }
    return new FileRange(start, bytes);
  }
}
