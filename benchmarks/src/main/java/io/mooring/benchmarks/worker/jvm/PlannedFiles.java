package io.mooring.benchmarks.worker.jvm;

import io.mooring.conf.MooringConf;
import io.mooring.conf.ScanEntries;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.UnitPlanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.Type;

/**
 * Files cut into the units in which Mooring reads them, every column of them.
 *
 * @param files the units of each
 * @param plain whether no column chunk is compressed
 * @param coalesceBytes decoded bytes up to which units of a task become one
 */
record PlannedFiles(List<List<ReadUnit>> files, boolean plain, long coalesceBytes) {

  /** Plans local files as a scan with these settings does. */
  static PlannedFiles plan(List<String> paths, MooringConf conf, Configuration hadoop)
      throws IOException, UnreadableOnGpuException {
    List<List<ReadUnit>> files = new ArrayList<>();
    boolean plain = true;
    for (String path : paths) {
      ParquetFile file = file(path, hadoop);
      Footer footer = FooterCache.shared().footer(file, hadoop);
      List<String> columns = footer.schema().getFields().stream().map(Type::getName).toList();
      files.add(
          new UnitPlanner(
                  file,
                  footer,
                  columns,
                  conf.get(ScanEntries.BATCH_SIZE),
                  conf.get(ScanEntries.MERGE_DISTANCE))
              .plan(IntStream.range(0, footer.rowGroups().size()).boxed().toList()));
      plain &= isPlain(footer);
    }
    return new PlannedFiles(files, plain, conf.get(ScanEntries.COALESCE_SIZE));
  }

  private static ParquetFile file(String path, Configuration hadoop) throws IOException {
    Path place = new Path(java.nio.file.Path.of(path).toUri());
    return ParquetFile.of(place.getFileSystem(hadoop).getFileStatus(place));
  }

  private static boolean isPlain(Footer footer) {
    return footer.rowGroups().stream()
        .flatMap(group -> group.getColumns().stream())
        .allMatch(chunk -> chunk.getCodec() == CompressionCodecName.UNCOMPRESSED);
  }

  /** All units, file by file. */
  List<ReadUnit> units() {
    return files.stream().flatMap(List::stream).toList();
  }

  /**
   * The units that one of {@code tasks} tasks reads: every {@code tasks}-th file, and small units
   * coalesced.
   *
   * @param task number of the task, from 0
   * @param repeat how often the files are read
   * @throws IOException when units cannot be coalesced after all
   */
  List<ReadUnit> ofTask(int task, int tasks, int repeat) throws IOException {
    List<ReadUnit> units = new ArrayList<>();
    List<ReadUnit> open = new ArrayList<>();
    for (int i = task; i < files.size() * repeat; i += tasks) {
      for (ReadUnit unit : files.get(i % files.size())) {
        if (!open.isEmpty() && !fits(open, unit)) {
          units.add(CoalescedUnit.of(open));
          open.clear();
        }
        open.add(unit);
      }
    }
    if (!open.isEmpty()) {
      units.add(CoalescedUnit.of(open));
    }
    return units;
  }

  private boolean fits(List<ReadUnit> open, ReadUnit unit) {
    long bytes = unit.decodedBytes() + open.stream().mapToLong(ReadUnit::decodedBytes).sum();
    return bytes <= coalesceBytes && CoalescedUnit.canCoalesce(open.get(0), unit);
  }

  /** Encoded bytes that are read. */
  long bytes() {
    return units().stream().mapToLong(ReadUnit::encodedBytes).sum();
  }
}
