package io.mooring.datasource;

import io.mooring.metrics.PlanMetric;
import io.mooring.parquet.unit.ScanCounters;
import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The stages of a scan as metrics of its plan node. Spark makes the classes by name, so each metric
 * has its own.
 */
public final class ScanMetrics {
  private ScanMetrics() {}

  /** One for each {@link PlanMetric}. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new GpuFiles(),
      new CpuFiles(),
      new BytesRead(),
      new CachedBytes(),
      new CacheHits(),
      new CacheMisses(),
      new Requests(),
      new RequestsAtOnce(),
      new RequestTime(),
      new BytesRequested(),
      new BytesNeeded(),
      new PinnedBytes(),
      new PageableBytes(),
      new FallbackBuffers(),
      new FirstBytes(),
      new ReadTime(),
      new VerifyTime(),
      new HostMemoryWait(),
      new DeviceMemoryWait(),
      new UploadWait(),
      new TurnWait(),
      new DecodeTime(),
      new DownloadBytes(),
      new DownloadTime(),
      new RowGroupsRead(),
      new ChunksDecoded(),
      new FilesPruned(),
      new RowGroupsPruned(),
      new RowsPruned(),
      new RowGroupsSkipped(),
      new PagesSkipped(),
      new BytesSkipped(),
      new PageIndexBytes()
    };
  }

  public static CustomTaskMetric[] of(ScanCounters counters) {
    return Arrays.stream(PlanMetric.values())
        .map(metric -> new TaskValue(metric.key(), counters.value(metric.counter())))
        .toArray(CustomTaskMetric[]::new);
  }

  private record TaskValue(String name, long value) implements CustomTaskMetric {}

  public static final class GpuFiles extends ScanMetric {
    public GpuFiles() {
      super(PlanMetric.GPU_FILES);
    }
  }

  public static final class CpuFiles extends ScanMetric {
    public CpuFiles() {
      super(PlanMetric.CPU_FILES);
    }
  }

  public static final class BytesRead extends ScanMetric {
    public BytesRead() {
      super(PlanMetric.BYTES_READ);
    }
  }

  public static final class CachedBytes extends ScanMetric {
    public CachedBytes() {
      super(PlanMetric.CACHED_BYTES);
    }
  }

  public static final class CacheHits extends ScanMetric {
    public CacheHits() {
      super(PlanMetric.CACHE_HITS);
    }
  }

  public static final class CacheMisses extends ScanMetric {
    public CacheMisses() {
      super(PlanMetric.CACHE_MISSES);
    }
  }

  public static final class Requests extends ScanMetric {
    public Requests() {
      super(PlanMetric.REQUESTS);
    }
  }

  public static final class RequestsAtOnce extends ScanMetric {
    public RequestsAtOnce() {
      super(PlanMetric.REQUESTS_AT_ONCE);
    }
  }

  public static final class RequestTime extends ScanMetric {
    public RequestTime() {
      super(PlanMetric.REQUEST_TIME);
    }
  }

  public static final class BytesRequested extends ScanMetric {
    public BytesRequested() {
      super(PlanMetric.BYTES_REQUESTED);
    }
  }

  public static final class BytesNeeded extends ScanMetric {
    public BytesNeeded() {
      super(PlanMetric.BYTES_NEEDED);
    }
  }

  public static final class PinnedBytes extends ScanMetric {
    public PinnedBytes() {
      super(PlanMetric.PINNED_BYTES);
    }
  }

  public static final class PageableBytes extends ScanMetric {
    public PageableBytes() {
      super(PlanMetric.PAGEABLE_BYTES);
    }
  }

  public static final class FallbackBuffers extends ScanMetric {
    public FallbackBuffers() {
      super(PlanMetric.FALLBACKS);
    }
  }

  public static final class FirstBytes extends ScanMetric {
    public FirstBytes() {
      super(PlanMetric.FIRST_BYTES);
    }
  }

  public static final class ReadTime extends ScanMetric {
    public ReadTime() {
      super(PlanMetric.READ_TIME);
    }
  }

  public static final class VerifyTime extends ScanMetric {
    public VerifyTime() {
      super(PlanMetric.VERIFY_TIME);
    }
  }

  public static final class HostMemoryWait extends ScanMetric {
    public HostMemoryWait() {
      super(PlanMetric.HOST_MEMORY_WAIT);
    }
  }

  public static final class DeviceMemoryWait extends ScanMetric {
    public DeviceMemoryWait() {
      super(PlanMetric.DEVICE_MEMORY_WAIT);
    }
  }

  public static final class UploadWait extends ScanMetric {
    public UploadWait() {
      super(PlanMetric.UPLOAD_WAIT);
    }
  }

  public static final class TurnWait extends ScanMetric {
    public TurnWait() {
      super(PlanMetric.TURN_WAIT);
    }
  }

  public static final class DecodeTime extends ScanMetric {
    public DecodeTime() {
      super(PlanMetric.DECODE_TIME);
    }
  }

  public static final class DownloadBytes extends ScanMetric {
    public DownloadBytes() {
      super(PlanMetric.DOWNLOAD_BYTES);
    }
  }

  public static final class DownloadTime extends ScanMetric {
    public DownloadTime() {
      super(PlanMetric.DOWNLOAD_TIME);
    }
  }

  public static final class RowGroupsRead extends ScanMetric {
    public RowGroupsRead() {
      super(PlanMetric.ROW_GROUPS_READ);
    }
  }

  public static final class ChunksDecoded extends ScanMetric {
    public ChunksDecoded() {
      super(PlanMetric.CHUNKS_DECODED);
    }
  }

  public static final class FilesPruned extends ScanMetric {
    public FilesPruned() {
      super(PlanMetric.FILES_PRUNED);
    }
  }

  public static final class RowGroupsPruned extends ScanMetric {
    public RowGroupsPruned() {
      super(PlanMetric.ROW_GROUPS_PRUNED);
    }
  }

  public static final class RowsPruned extends ScanMetric {
    public RowsPruned() {
      super(PlanMetric.ROWS_PRUNED);
    }
  }

  public static final class RowGroupsSkipped extends ScanMetric {
    public RowGroupsSkipped() {
      super(PlanMetric.ROW_GROUPS_SKIPPED);
    }
  }

  public static final class PagesSkipped extends ScanMetric {
    public PagesSkipped() {
      super(PlanMetric.PAGES_SKIPPED);
    }
  }

  public static final class BytesSkipped extends ScanMetric {
    public BytesSkipped() {
      super(PlanMetric.BYTES_SKIPPED);
    }
  }

  public static final class PageIndexBytes extends ScanMetric {
    public PageIndexBytes() {
      super(PlanMetric.PAGE_INDEX_BYTES);
    }
  }
}
