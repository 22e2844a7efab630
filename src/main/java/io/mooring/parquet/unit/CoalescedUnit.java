package io.mooring.parquet.unit;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterRewriter;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileSequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Coalesces units of several files, so that small ones share the fixed cost of a decode call: the
 * decoder sees one file whose row groups lie in all of them.
 */
public final class CoalescedUnit {
  private CoalescedUnit() {}

  /** Whether two units agree in everything that the decoder takes from a file as a whole. */
  public static boolean canCoalesce(ReadUnit one, ReadUnit other) {
    return one.sparseChunks().isEmpty()
        && other.sparseChunks().isEmpty()
        && one.columns().equals(other.columns())
        && Objects.equals(writer(one), writer(other))
        && one.columns().stream()
            .allMatch(
                name ->
                    one.footer()
                        .schema()
                        .getType(name)
                        .equals(other.footer().schema().getType(name)));
  }

  private static String writer(ReadUnit unit) {
    return unit.footer().metadata().getFileMetaData().getCreatedBy();
  }

  /**
   * Coalesces units into one; a single one is returned unchanged.
   *
   * @throws IOException when a footer cannot be rewritten
   */
  public static ReadUnit of(List<ReadUnit> units) throws IOException {
    if (units.size() == 1) {
      return units.get(0);
    }
    FileSequence files =
        FileSequence.of(units.stream().map(unit -> unit.files().files().get(0)).toList());
    List<FileRange> ranges = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      long start = files.starts().get(i);
      for (FileRange range : units.get(i).ranges()) {
        ranges.add(new FileRange(start + range.offset(), range.length()));
      }
    }
    int rowGroups = units.stream().mapToInt(unit -> unit.rowGroups().length).sum();
    return new ReadUnit(
        files,
        footer(units, files),
        IntStream.range(0, rowGroups).toArray(),
        units.get(0).columns(),
        ranges,
        units.stream().mapToLong(ReadUnit::rows).sum(),
        units.stream().mapToLong(ReadUnit::decodedBytes).sum());
  }

  /** The first file's schema and the row groups of all units, at addresses in the sequence. */
  private static Footer footer(List<ReadUnit> units, FileSequence files) throws IOException {
    try {
      ReadUnit first = units.get(0);
      FooterRewriter coalesced =
          new FooterRewriter(first.footer()).withoutRowGroups(first.columns());
      for (int i = 0; i < units.size(); i++) {
        FooterRewriter file = new FooterRewriter(units.get(i).footer());
        long start = files.starts().get(i);
        for (int rowGroup : units.get(i).rowGroups()) {
          coalesced.move(file, rowGroup, chunk -> start);
        }
      }
      return coalesced.footer(new long[0]);
    } catch (RuntimeException e) {
      throw new IOException("The footers of " + files + " cannot be written as one", e);
    }
  }
}
