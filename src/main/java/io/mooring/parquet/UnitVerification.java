package io.mooring.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/**
 * Whether the pages of a unit are as they were written. A decoder on a GPU believes what pages say:
 * damaged ones can keep it busy for ever, or make it touch memory that is not there, which costs
 * the process its GPU. Thread-safe.
 */
final class UnitVerification {
  /** Bytes of a file that belong to a column chunk; all of them, or a part of a thinned one. */
  record Stretch(FileRange range, ChunkVerification chunk) {}

  private final ReadUnit unit;
  private final Set<String> wanted;
  private final PageChecks checks;
  private final DamageTally damage;
  private final Map<ColumnPath, ColumnDescriptor> columns = new HashMap<>();
  private final List<ChunkVerification> chunks = new ArrayList<>();
  private final NavigableMap<Long, Stretch> stretches = new TreeMap<>();

  UnitVerification(ReadUnit unit, PageChecks checks) {
    this.unit = unit;
    this.wanted = Set.copyOf(unit.columns());
    this.checks = checks;
    this.damage = new DamageTally(unit.files());
    if (checks != PageChecks.NONE) {
      Arrays.stream(unit.rowGroups()).mapToObj(unit.footer().rowGroups()::get).forEach(this::add);
    }
  }

  private void add(BlockMetaData rowGroup) {
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      // Without rows there are no pages, and writers say anything of where they are.
      boolean isEmpty = rowGroup.getRowCount() == 0 && chunk.getValueCount() == 0;
      if (wanted.contains(chunk.getPath().toArray()[0]) && !isEmpty) {
        add(chunk, columns.computeIfAbsent(chunk.getPath(), this::column), rowGroup.getRowCount());
      }
    }
  }

  private ColumnDescriptor column(ColumnPath path) {
    return unit.footer().schema().getColumnDescription(path.toArray());
  }

  private void add(ColumnChunkMetaData chunk, ColumnDescriptor column, long rows) {
    ThinnedChunk thinned = unit.thinned().get(chunk.getStartingPos());
    List<FileRange> ranges =
        thinned == null
            ? List.of(new FileRange(chunk.getStartingPos(), chunk.getTotalSize()))
            : thinned.ranges();
    ranges = ranges.stream().filter(range -> range.length() > 0).toList();
    DamageReport report = damage.of(chunk.getPath());
    try {
      ChunkRules rules = new ChunkRules(chunk, column, totals(chunk, column, rows));
      PageWalk walk = new PageWalk(rules, ranges, checks == PageChecks.CHECKSUMS);
      ChunkVerification added = new ChunkVerification(walk, report);
      chunks.add(added);
      ranges.forEach(range -> add(new Stretch(range, added), report));
    } catch (IOException e) {
      report.header(chunk.getStartingPos(), String.valueOf(e.getMessage()));
    }
  }

  private ChunkTotals totals(ColumnChunkMetaData chunk, ColumnDescriptor column, long rows) {
    ThinnedChunk thinned = unit.thinned().get(chunk.getStartingPos());
    String writer = unit.footer().metadata().getFileMetaData().getCreatedBy();
    boolean flat = column.getMaxRepetitionLevel() == 0;
    return new ChunkTotals(chunk, flat, rows, thinned == null ? 0 : thinned.rowsLeft(), writer);
  }

  private void add(Stretch stretch, DamageReport report) {
    long start = stretch.range().offset();
    Map.Entry<Long, Stretch> before = stretches.floorEntry(start);
    Map.Entry<Long, Stretch> after = stretches.ceilingEntry(start);
    if ((before != null && before.getValue().range().end() > start)
        || (after != null && after.getKey() < stretch.range().end())) {
      report.header(start, "two column chunks share bytes");
    } else {
      stretches.put(start, stretch);
    }
  }

  /** What is to be done for a piece of the unit's bytes, which is read as one. */
  PieceVerification of(FileRange piece) {
    Long first = stretches.floorKey(piece.offset());
    List<Stretch> inside =
        stretches.subMap(first == null ? piece.offset() : first, piece.end()).values().stream()
            .filter(stretch -> stretch.range().end() > piece.offset())
            .toList();
    return new PieceVerification(piece, inside);
  }

  /**
   * Says what was found once all pieces have been read and finished.
   *
   * @throws DamagedPagesException when pages are damaged
   * @throws IllegalStateException when not all of them have been looked at
   */
  void check() throws DamagedPagesException {
    damage.check();
    if (!chunks.stream().allMatch(ChunkVerification::isDone)) {
      throw new IllegalStateException("Not all pages of " + unit.files() + " were looked at");
    }
  }

  /** No more pieces will come. */
  void giveUp() {
    chunks.forEach(ChunkVerification::giveUp);
  }
}
