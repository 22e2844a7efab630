package io.mooring.metrics;

import io.mooring.parquet.unit.ScanCounters.Counter;

/** A scan's metrics: on its plan node, in the event log, and summed up for each executor. */
public enum PlanMetric {
  GPU_FILES(
      Counter.GPU_FILES,
      "gpuFiles",
      MetricUnit.COUNT,
      "file splits decoded on the GPU",
      "Splits of files of which at least the beginning was decoded on the GPU."),
  CPU_FILES(
      Counter.CPU_FILES,
      "cpuFiles",
      MetricUnit.COUNT,
      "file splits read by Spark's reader",
      "Splits, or parts of them, that fell back to Spark's reader. The tab shows why."),
  BYTES_READ(
      Counter.BYTES_READ,
      "bytesRead",
      MetricUnit.BYTES,
      "bytes read from files",
      "Encoded bytes read for the GPU; what Spark's reader reads is in the task's input size."),
  CACHED_BYTES(
      Counter.CACHED_BYTES,
      "cachedBytes",
      MetricUnit.BYTES,
      "bytes that the cache had",
      "Encoded bytes uploaded without being read, because the pool still had them."),
  CACHE_HITS(
      Counter.CACHE_HITS,
      "cacheHits",
      MetricUnit.COUNT,
      "column chunks that the cache had",
      "Column chunks uploaded from the cache; those of which pages are skipped count too."),
  CACHE_MISSES(
      Counter.CACHE_MISSES,
      "cacheMisses",
      MetricUnit.COUNT,
      "column chunks that the cache did not have",
      "Column chunks that were read. Files that it does not take are not looked up."),
  REQUESTS(
      Counter.REQUESTS,
      "requests",
      MetricUnit.COUNT,
      "requests to object stores",
      "Reads of footers, indexes and data, and status requests, each counted once however often the"
          + " store's client retries."),
  REQUESTS_AT_ONCE(
      Counter.REQUESTS_AT_ONCE,
      "requestsAtOnce",
      MetricUnit.PEAK,
      "most requests to object stores at a time",
      "The most requests that all scans of the executor had under way when a task of this scan began"
          + " one."),
  REQUEST_TIME(
      Counter.REQUEST_TIME,
      "requestTimeNanos",
      MetricUnit.NANOSECONDS,
      "time of requests to object stores, over requests",
      "Time from the start to the end of each request, added up. Divided by the time of the scan it"
          + " is the average number of requests under way; divided by the number of requests it is"
          + " the average time of one."),
  BYTES_REQUESTED(
      Counter.BYTES_REQUESTED,
      "bytesRequested",
      MetricUnit.BYTES,
      "bytes requested from object stores",
      "Bytes that the requests asked for, with those that lie between the needed parts."),
  BYTES_NEEDED(
      Counter.BYTES_NEEDED,
      "bytesNeeded",
      MetricUnit.BYTES,
      "bytes needed from object stores",
      "The part of the requested bytes that was used: column chunks, pages, indexes and footers."),
  PINNED_BYTES(
      Counter.PINNED_BYTES,
      "pinnedBytes",
      MetricUnit.BYTES,
      "bytes read into pinned buffers",
      "The part of the bytes read that was read into pinned memory of the pool."),
  PAGEABLE_BYTES(
      Counter.PAGEABLE_BYTES,
      "pageableBytes",
      MetricUnit.BYTES,
      "bytes read into pageable buffers",
      "The part of the bytes read that fell back to pageable memory, whose upload is slower."),
  FALLBACKS(
      Counter.FALLBACKS,
      "fallbacks",
      MetricUnit.COUNT,
      "buffers that the pool had no room for",
      "Read buffers that came from pageable memory."),
  FIRST_BYTES(
      Counter.FIRST_BYTES,
      "firstBytesNanos",
      MetricUnit.LONGEST,
      "longest time to a task's first bytes",
      "Time from the start of a task's scan to the end of its first read of data: footers, pruning"
          + " and one read, which take a round trip or more each in an object store. 0 if the cache"
          + " had all bytes."),
  READ_TIME(
      Counter.READ_TIME,
      "readNanos",
      MetricUnit.NANOSECONDS,
      "read time, over I/O threads",
      "Time in reads of files, summed over I/O threads: may be longer than the query."),
  VERIFY_TIME(
      Counter.VERIFY_TIME,
      "verifyNanos",
      MetricUnit.NANOSECONDS,
      "time to verify pages, over I/O threads",
      "Time to check page headers and checksums, summed over I/O threads, before the bytes are"
          + " copied to the GPU."),
  HOST_MEMORY_WAIT(
      Counter.HOST_MEMORY_WAIT,
      "hostMemoryWaitNanos",
      MetricUnit.NANOSECONDS,
      "wait for the pool",
      "Time in which I/O threads waited for a host buffer, pinned or pageable."),
  DEVICE_MEMORY_WAIT(
      Counter.DEVICE_MEMORY_WAIT,
      "deviceMemoryWaitNanos",
      MetricUnit.NANOSECONDS,
      "wait for the GPU",
      "Time in which tasks waited to be admitted to the GPU's memory."),
  UPLOAD_WAIT(
      Counter.UPLOAD_WAIT,
      "uploadWaitNanos",
      MetricUnit.NANOSECONDS,
      "upload time, over I/O threads",
      "Time in which I/O threads waited for copies to the GPU to end."),
  TURN_WAIT(
      Counter.TURN_WAIT,
      "turnWaitNanos",
      MetricUnit.NANOSECONDS,
      "wait for a turn on the GPU",
      "Time in which tasks whose bytes were on the GPU waited for other tasks to decode and compute"
          + " there."),
  DECODE_TIME(
      Counter.DECODE_TIME,
      "decodeNanos",
      MetricUnit.NANOSECONDS,
      "decode time",
      "Time of decoding on the GPU, as tasks saw it."),
  DOWNLOAD_BYTES(
      Counter.DOWNLOAD_BYTES,
      "downloadBytes",
      MetricUnit.BYTES,
      "bytes copied back to the host",
      "Decoded bytes of the rows that filters and aggregates of the scan leave."),
  DOWNLOAD_TIME(
      Counter.DOWNLOAD_TIME,
      "downloadNanos",
      MetricUnit.NANOSECONDS,
      "time to copy back",
      "Time of copies from the GPU, as tasks saw it."),
  ROW_GROUPS_READ(
      Counter.ROW_GROUPS_READ,
      "rowGroupsRead",
      MetricUnit.COUNT,
      "row groups decoded on the GPU",
      "Row groups, including those of which only the filter's columns were decoded."),
  CHUNKS_DECODED(
      Counter.CHUNKS_DECODED,
      "chunksDecoded",
      MetricUnit.COUNT,
      "chunks of row groups too large to decode at once",
      "Tables to which such row groups were decoded one after the other; 0 where every row group"
          + " was decoded at once."),
  FILES_PRUNED(
      Counter.FILES_PRUNED,
      "filesPruned",
      MetricUnit.COUNT,
      "files ruled out by keys of joins",
      "Parts of files that tasks leave out because no key of a join is among their partition"
          + " values."),
  ROW_GROUPS_PRUNED(
      Counter.ROW_GROUPS_PRUNED,
      "rowGroupsPruned",
      MetricUnit.COUNT,
      "row groups ruled out by the filters",
      "Row groups never read because statistics, page indexes, dictionaries or Bloom filters rule"
          + " them out."),
  ROWS_PRUNED(
      Counter.ROWS_PRUNED,
      "rowsPruned",
      MetricUnit.COUNT,
      "rows ruled out by the filters",
      "Rows of the row groups that were never read."),
  ROW_GROUPS_SKIPPED(
      Counter.ROW_GROUPS_SKIPPED,
      "rowGroupsSkipped",
      MetricUnit.COUNT,
      "row groups without a row that passes the filter",
      "Row groups of which only the filter's columns were read, because no row passed it."),
  PAGES_SKIPPED(
      Counter.PAGES_SKIPPED,
      "pagesSkipped",
      MetricUnit.COUNT,
      "pages without a row that passes the filter",
      "Pages left unread in row groups that were read, because none of their rows is wanted."),
  BYTES_SKIPPED(
      Counter.BYTES_SKIPPED,
      "bytesSkipped",
      MetricUnit.BYTES,
      "bytes left unread because of the filter",
      "Encoded bytes of skipped row groups and pages, less the bytes that were read twice for that."),
  PAGE_INDEX_BYTES(
      Counter.PAGE_INDEX_BYTES,
      "pageIndexBytes",
      MetricUnit.BYTES,
      "bytes of page indexes",
      "Bytes of page indexes read to find row groups and pages without a wanted row.");

  private final Counter counter;
  private final String key;
  private final MetricUnit unit;
  private final String label;
  private final String meaning;

  PlanMetric(Counter counter, String key, MetricUnit unit, String label, String meaning) {
    this.counter = counter;
    this.key = key;
    this.unit = unit;
    this.label = label;
    this.meaning = meaning;
  }

  /** The counter of a task's scan that it shows. */
  public Counter counter() {
    return counter;
  }

  /** Its name to programs. */
  public String key() {
    return key;
  }

  public MetricUnit unit() {
    return unit;
  }

  /** Its name on the plan node and in the event log. */
  public String label() {
    return label;
  }

  /** One or two sentences of Markdown. */
  public String meaning() {
    return meaning;
  }
}
