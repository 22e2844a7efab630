package io.mooring.parquet.verify;

import io.mooring.parquet.source.FilePosition;
import io.mooring.parquet.source.FileRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Whether the pages of a unit are as they were written. A decoder on a GPU believes what pages say:
 * damaged ones can keep it busy for ever, or make it touch memory that is not there, which costs
 * the process its GPU. Thread-safe.
 */
public final class UnitVerification {
  /** Bytes of a file that belong to a column chunk; all of them, or a part of a thinned one. */
  record Stretch(FileRange range, ChunkVerification chunk) {}

  private final boolean checksums;
  private final LongFunction<FilePosition> places;
  private final DamageCollector damage;
  private final List<ChunkVerification> chunks = new ArrayList<>();
  private final NavigableMap<Long, Stretch> stretches = new TreeMap<>();

  /**
   * @param chunks that are looked at; none with {@link PageChecks#NONE}
   * @param places where the bytes of their ranges are
   */
  public UnitVerification(
      List<ExpectedChunk> chunks, PageChecks checks, LongFunction<FilePosition> places) {
    this.checksums = checks == PageChecks.CHECKSUMS;
    this.places = places;
    this.damage = new DamageCollector(places);
    if (checks != PageChecks.NONE) {
      chunks.forEach(this::add);
    }
  }

  private void add(ExpectedChunk expected) {
    DamageReport report = damage.of(expected.chunk().getPath());
    try {
      PageHeaderCheck rules = new PageHeaderCheck(expected.chunk(), expected.column(), expected.totals());
      CompressedStream stream = CompressedStream.of(expected.chunk().getCodec());
      PageScanner walk = new PageScanner(rules, expected.ranges(), checksums, stream, report);
      ChunkVerification added = new ChunkVerification(walk, report);
      chunks.add(added);
      expected.ranges().forEach(range -> add(new Stretch(range, added), report));
    } catch (IOException e) {
      report.header(expected.chunk().getStartingPos(), String.valueOf(e.getMessage()));
    }
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
  public SliceVerification of(FileRange piece) {
    Long first = stretches.floorKey(piece.offset());
    List<Stretch> inside =
        stretches.subMap(first == null ? piece.offset() : first, piece.end()).values().stream()
            .filter(stretch -> stretch.range().end() > piece.offset())
            .toList();
    return new SliceVerification(piece, inside);
  }

  /**
   * Says what was found once all pieces have been read and finished.
   *
   * @throws UndecodablePagesException when there are pages that the GPU must not be given
   * @throws IllegalStateException when not all of them have been looked at
   */
  public void check() throws UndecodablePagesException {
    damage.check();
    for (Stretch stretch : stretches.values()) {
      if (!stretch.chunk().isDone()) {
        String path = places.apply(stretch.range().offset()).path();
        throw new IllegalStateException("Not all pages of " + path + " were looked at");
      }
    }
  }

  /** No more pieces will come. */
  public void giveUp() {
    chunks.forEach(ChunkVerification::giveUp);
  }
}
