package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileSequence.FilePosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that the pages of a unit are as they were written. Decoders on a GPU trust pages:
 * damaged ones can keep a decoder busy for ever, or make it access memory out of bounds, which
 * costs the process its GPU. Thread-safe.
 */
public final class UnitVerification {
  /** A range of a file in one column chunk: all of it, or some pages of a sparse chunk. */
  record ChunkRange(FileRange range, ChunkVerification chunk) {}

  private final boolean checksums;
  private final LongFunction<FilePosition> positions;
  private final DamageCollector damage;
  private final List<ChunkVerification> chunks = new ArrayList<>();
  private final NavigableMap<Long, ChunkRange> ranges = new TreeMap<>();

  /**
   * @param chunks that are verified; ignored with {@link PageChecks#NONE}
   * @param positions gives the file and offset of an address in the unit
   */
  public UnitVerification(
      List<ExpectedChunk> chunks, PageChecks checks, LongFunction<FilePosition> positions) {
    this.checksums = checks == PageChecks.CHECKSUMS;
    this.positions = positions;
    this.damage = new DamageCollector(positions);
    if (checks != PageChecks.NONE) {
      chunks.forEach(this::add);
    }
  }

  private void add(ExpectedChunk expected) {
    DamageCollector.OfColumn report = damage.ofColumn(expected.chunk().getPath());
    try {
      PageHeaderCheck rules =
          new PageHeaderCheck(expected.chunk(), expected.column(), expected.totals());
      CompressedStream stream = CompressedStream.of(expected.chunk().getCodec());
      PageBeginning beginning = new PageBeginning(expected.chunk().getCodec(), expected.column());
      PageScanner walk =
          new PageScanner(rules, beginning, expected.ranges(), checksums, stream, report);
      ChunkVerification added = new ChunkVerification(walk, report);
      chunks.add(added);
      expected.ranges().forEach(range -> add(new ChunkRange(range, added), report));
    } catch (IOException e) {
      report.header(expected.chunk().getStartingPos(), String.valueOf(e.getMessage()));
    }
  }

  private void add(ChunkRange added, DamageCollector.OfColumn report) {
    long start = added.range().offset();
    Map.Entry<Long, ChunkRange> before = ranges.floorEntry(start);
    Map.Entry<Long, ChunkRange> after = ranges.ceilingEntry(start);
    if ((before != null && before.getValue().range().end() > start)
        || (after != null && after.getKey() < added.range().end())) {
      report.header(start, "two column chunks share bytes");
    } else {
      ranges.put(start, added);
    }
  }

  /** The verification of a slice of the unit's bytes, which one thread reads. */
  public SliceVerification of(FileRange slice) {
    Long first = ranges.floorKey(slice.offset());
    List<ChunkRange> inside =
        ranges.subMap(first == null ? slice.offset() : first, slice.end()).values().stream()
            .filter(added -> added.range().end() > slice.offset())
            .toList();
    return new SliceVerification(slice, inside);
  }

  /**
   * Checks what was found, once all slices have been read and finished.
   *
   * @throws UndecodablePagesException when there are pages that the GPU must not be given
   * @throws IllegalStateException when not all pages have been verified
   */
  public void check() throws UndecodablePagesException {
    damage.check();
    for (ChunkRange added : ranges.values()) {
      if (!added.chunk().isDone()) {
        String path = positions.apply(added.range().offset()).path();
        throw new IllegalStateException("Not all pages of " + path + " were verified");
      }
    }
  }

  /** Frees what is kept for slices that will not be read any more. */
  public void giveUp() {
    chunks.forEach(ChunkVerification::giveUp);
  }

  /**
   * A column chunk as its footer describes it, of which all or some pages are read.
   *
   * @param ranges of the file that hold these pages and nothing else; none is empty
   * @param rows of the chunk
   * @param rowsSkipped how many of them are in skipped pages
   * @param writer of the file, as the footer names it; null if it does not
   */
  public record ExpectedChunk(
      ColumnChunkMetaData chunk,
      ColumnDescriptor column,
      List<FileRange> ranges,
      long rows,
      long rowsSkipped,
      @Nullable String writer) {

    ChunkTotals totals() {
      boolean flat = column.getMaxRepetitionLevel() == 0;
      return new ChunkTotals(chunk, flat, rows, rowsSkipped, writer);
    }
  }
}
