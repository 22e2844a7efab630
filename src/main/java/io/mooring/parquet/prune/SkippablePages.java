package io.mooring.parquet.prune;

import io.mooring.parquet.pageskip.PageLayout;
import io.mooring.parquet.pageskip.RowSelection;
import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.Type;

/** The pages of a unit that can be skipped: pages of flat columns of a file with a page index. */
public final class SkippablePages {
  // Each range is a read, an allocation and a copy.
  private static final int MOST_RANGES = 4096;

  private final ReadUnit unit;
  private final long mergeDistance;
  private final Map<Integer, List<PageLayout>> chunks = new HashMap<>();

  private SkippablePages(ReadUnit unit, long mergeDistance) {
    this.unit = unit;
    this.mergeDistance = mergeDistance;
  }

  /**
   * Reads the page indexes of a unit.
   *
   * @param whole columns of which no page is skipped, as the file spells them
   * @param mergeDistance ranges at most this many bytes apart are read as one; no index is read
   *     where no more bytes can be saved
   * @throws IOException when an index cannot be read or is damaged
   */
  public static SkippablePages read(
      ReadUnit unit,
      Set<String> whole,
      long mergeDistance,
      Configuration conf,
      ScanCounters counters)
      throws IOException {
    SkippablePages pages = new SkippablePages(unit, mergeDistance);
    Map<Integer, List<ColumnChunkMetaData>> skippable = new HashMap<>();
    for (int rowGroup : unit.rowGroups()) {
      skippable.put(rowGroup, pages.skippable(rowGroup, whole));
    }
    List<ColumnChunkMetaData> all = skippable.values().stream().flatMap(List::stream).toList();
    long bytes = all.stream().mapToLong(ColumnChunkMetaData::getTotalSize).sum();
    if (bytes > mergeDistance && unit.files().files().size() == 1) {
      var references = all.stream().map(ColumnChunkMetaData::getOffsetIndexReference).toList();
      ParquetFile file = unit.files().files().get(0);
      pages.add(skippable, PageIndexReader.read(file, references, conf, counters));
    }
    return pages;
  }

  private List<ColumnChunkMetaData> skippable(int rowGroup, Set<String> whole) {
    Set<String> names = new HashSet<>(unit.columns());
    names.removeAll(whole);
    names.removeIf(name -> !isFlat(unit.footer().schema().getType(name)));
    return chunks(rowGroup).stream()
        .filter(chunk -> names.contains(chunk.getPath().toArray()[0]))
        .filter(PageLayout::hasSeveralPages)
        .toList();
  }

  private static boolean isFlat(Type column) {
    return column.isPrimitive() && !column.isRepetition(Type.Repetition.REPEATED);
  }

  private List<ColumnChunkMetaData> chunks(int rowGroup) {
    return unit.footer().rowGroups().get(rowGroup).getColumns();
  }

  private void add(Map<Integer, List<ColumnChunkMetaData>> skippable, PageIndexReader bytes)
      throws IOException {
    for (var entry : skippable.entrySet()) {
      BlockMetaData block = unit.footer().rowGroups().get(entry.getKey());
      List<PageLayout> found = new ArrayList<>();
      for (ColumnChunkMetaData chunk : entry.getValue()) {
        var offsetIndex = bytes.offsetIndex(chunk.getOffsetIndexReference());
        PageLayout pages = PageLayout.of(chunk, offsetIndex, block.getRowCount());
        if (pages != null) {
          found.add(pages);
        }
      }
      chunks.put(entry.getKey(), found);
    }
  }

  /** Whether no page can be skipped. */
  public boolean isEmpty() {
    return chunks.values().stream().allMatch(List::isEmpty);
  }

  /** The rows of a row group at which a page of any column begins; ascending from 0. */
  public long[] pageStarts(int rowGroup) {
    return chunks.getOrDefault(rowGroup, List.of()).stream()
        .flatMapToLong(PageLayout::firstRows)
        .sorted()
        .distinct()
        .toArray();
  }

  /**
   * The unit without the pages of which no row is selected; the unit itself where that saves
   * little.
   *
   * @param selection rows by row group
   * @throws IOException when a codec is missing
   */
  public ReadUnit skipPages(IntFunction<RowSelection> selection) throws IOException {
    Map<Long, SparseColumnChunk> sparse = new HashMap<>();
    for (var entry : chunks.entrySet()) {
      for (PageLayout pages : entry.getValue()) {
        SparseColumnChunk chunk = SparseColumnChunk.of(pages, selection.apply(entry.getKey()));
        if (chunk != null) {
          sparse.put(chunk.start(), chunk);
        }
      }
    }
    List<FileRange> ranges = FileRanges.merge(ranges(sparse), mergeDistance);
    boolean pays =
        ranges.size() <= MOST_RANGES && FileRanges.totalBytes(ranges) < unit.encodedBytes();
    return pays ? unit.withSparseChunks(sparse, ranges) : unit;
  }

  private List<FileRange> ranges(Map<Long, SparseColumnChunk> sparse) {
    Set<String> names = new HashSet<>(unit.columns());
    List<FileRange> ranges = new ArrayList<>();
    for (int rowGroup : unit.rowGroups()) {
      for (ColumnChunkMetaData chunk : chunks(rowGroup)) {
        SparseColumnChunk sparseChunk = sparse.get(chunk.getStartingPos());
        if (sparseChunk != null) {
          ranges.addAll(sparseChunk.ranges());
        } else if (names.contains(chunk.getPath().toArray()[0])) {
          ranges.add(new FileRange(chunk.getStartingPos(), chunk.getTotalSize()));
        }
      }
    }
    return ranges;
  }
}
