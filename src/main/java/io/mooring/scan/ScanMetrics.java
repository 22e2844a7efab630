package io.mooring.scan;

import io.mooring.parquet.ScanCounters;
import io.mooring.parquet.ScanCounters.Counter;
import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The stages of a scan as metrics of its plan node. Spark makes the classes by name. */
public final class ScanMetrics {
  private ScanMetrics() {}

  static CustomMetric[] all() {
    return new CustomMetric[] {
      new GpuFiles(),
      new CpuFiles(),
      new BytesRead(),
      new PinnedBytes(),
      new PageableBytes(),
      new ReadTime(),
      new HostMemoryWait(),
      new DeviceMemoryWait(),
      new UploadWait(),
      new DecodeTime(),
      new DownloadBytes(),
      new DownloadTime(),
      new RowGroupsRead(),
      new RowGroupsPruned(),
      new RowGroupsSkipped()
    };
  }

  static CustomTaskMetric[] of(ScanCounters counters) {
    Metric[] metrics = Arrays.copyOf(all(), all().length, Metric[].class);
    CustomTaskMetric[] values = new CustomTaskMetric[metrics.length];
    for (int i = 0; i < metrics.length; i++) {
      values[i] = new TaskValue(metrics[i].name(), counters.value(metrics[i].counter));
    }
    return values;
  }

  private record TaskValue(String name, long value) implements CustomTaskMetric {}

  /** A sum over tasks of one counter. */
  private abstract static class Metric extends CustomSumMetric {
    private final String name;
    private final String description;
    private final Counter counter;

    Metric(String name, String description, Counter counter) {
      this.name = name;
      this.description = description;
      this.counter = counter;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String description() {
      return description;
    }
  }

  /** File splits decoded on the GPU. */
  public static final class GpuFiles extends Metric {
    public GpuFiles() {
      super("gpuFiles", "file splits decoded on the GPU", Counter.GPU_FILES);
    }
  }

  /** File splits, or parts of them, read by Spark's reader. */
  public static final class CpuFiles extends Metric {
    public CpuFiles() {
      super("cpuFiles", "file splits read by Spark's reader", Counter.CPU_FILES);
    }
  }

  /** Encoded bytes read from files. */
  public static final class BytesRead extends Metric {
    public BytesRead() {
      super("bytesRead", "bytes read from files", Counter.BYTES_READ);
    }
  }

  /** Bytes read into pinned buffers. */
  public static final class PinnedBytes extends Metric {
    public PinnedBytes() {
      super("pinnedBytes", "bytes read into pinned buffers", Counter.PINNED_BYTES);
    }
  }

  /** Bytes read into pageable buffers. */
  public static final class PageableBytes extends Metric {
    public PageableBytes() {
      super("pageableBytes", "bytes read into pageable buffers", Counter.PAGEABLE_BYTES);
    }
  }

  /** Time of reading, summed over I/O threads. */
  public static final class ReadTime extends Metric {
    public ReadTime() {
      super("readNanos", "read time in ns, over I/O threads", Counter.READ_TIME);
    }
  }

  /** Time of waiting for host buffers, summed over I/O threads. */
  public static final class HostMemoryWait extends Metric {
    public HostMemoryWait() {
      super("hostMemoryWaitNanos", "wait for host memory in ns", Counter.HOST_MEMORY_WAIT);
    }
  }

  /** Time of waiting for admission to the device. */
  public static final class DeviceMemoryWait extends Metric {
    public DeviceMemoryWait() {
      super("deviceMemoryWaitNanos", "wait for device memory in ns", Counter.DEVICE_MEMORY_WAIT);
    }
  }

  /** Time of waiting for uploads to end, summed over I/O threads. */
  public static final class UploadWait extends Metric {
    public UploadWait() {
      super("uploadWaitNanos", "wait for uploads in ns, over I/O threads", Counter.UPLOAD_WAIT);
    }
  }

  /** Time of decoding. */
  public static final class DecodeTime extends Metric {
    public DecodeTime() {
      super("decodeNanos", "decode time in ns", Counter.DECODE_TIME);
    }
  }

  /** Bytes copied back to the host. */
  public static final class DownloadBytes extends Metric {
    public DownloadBytes() {
      super("downloadBytes", "bytes copied back to the host", Counter.DOWNLOAD_BYTES);
    }
  }

  /** Time of copying back. */
  public static final class DownloadTime extends Metric {
    public DownloadTime() {
      super("downloadNanos", "time of copying back in ns", Counter.DOWNLOAD_TIME);
    }
  }

  /** Row groups decoded on the GPU. */
  public static final class RowGroupsRead extends Metric {
    public RowGroupsRead() {
      super("rowGroupsRead", "row groups decoded on the GPU", Counter.ROW_GROUPS_READ);
    }
  }

  /** Row groups that statistics, dictionaries or Bloom filters ruled out. */
  public static final class RowGroupsPruned extends Metric {
    public RowGroupsPruned() {
      super("rowGroupsPruned", "row groups ruled out by the filters", Counter.ROW_GROUPS_PRUNED);
    }
  }

  /** Row groups of which only the filter's columns were read, because no row passed it. */
  public static final class RowGroupsSkipped extends Metric {
    public RowGroupsSkipped() {
      super(
          "rowGroupsSkipped",
          "row groups without a row that passes the filter",
          Counter.ROW_GROUPS_SKIPPED);
    }
  }
}
