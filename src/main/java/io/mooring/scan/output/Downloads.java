package io.mooring.scan.output;

import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.TableDownload;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.util.List;

/** Downloads that a task counts. */
public final class Downloads {
  private Downloads() {}

  public static TableDownload.Result counted(
      Table table, List<ColumnShape> shapes, ScanCounters counters) {
    long before = System.nanoTime();
    TableDownload.Result result = TableDownload.download(table, shapes);
    counters.add(Counter.DOWNLOAD_TIME, System.nanoTime() - before);
    counters.add(Counter.DOWNLOAD_BYTES, result.bytes());
    return result;
  }
}
