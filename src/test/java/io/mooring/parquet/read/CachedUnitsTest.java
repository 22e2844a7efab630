package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.cache.CacheLimits;
import io.mooring.cache.ChunkCache;
import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStat;
import io.mooring.memory.PoolStats;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Units that are uploaded from the cache, whole or in part, through the pipeline of a task. */
@RequiresGpu
@Tag("forked-gpu")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CachedUnitsTest {
  private static final int ROWS = 400_000;
  private static final long ROW_GROUP_BYTES = 3 << 20;
  private static final long MIB = 1 << 20;
  private static final long POOL = 128 * MIB;
  private static final List<String> ALL = List.of("id", "other", "text");

  @TempDir static Path folder;
  private SparkSession spark;
  private IoThreads threads;
  private ParquetFile file;
  private ParquetFile small;

  @BeforeAll
  void start() throws Exception {
    file = written("large", ROWS);
    small = written("small", ROWS / 10);
    spark =
        Sessions.withPlugin(
            1, Map.of("spark.mooring.pinnedPool.size", "128m", "spark.mooring.cache.size", "0"));
    // What is allocated before the device's limits are set would be freed under them.
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
    long stream = TransferJni.createStream();
    threads = IoThreads.start(2, 2, stream, () -> TransferJni.setDevice(0));
    for (ParquetFile written : List.of(file, small)) {
      await().until(() -> FileState.beforeReading(written, ParquetFiles.CONF).isSettled());
    }
    assertThat(PinnedPool.awaitStarted(Duration.ofMinutes(1))).isTrue();
  }

  private static ParquetFile written(String name, int rows) throws Exception {
    return ParquetFiles.write(
        folder.resolve(name),
        rows,
        ROW_GROUP_BYTES,
        false,
        CompressionCodecName.UNCOMPRESSED,
        WriterVersion.PARQUET_1_0,
        ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private ScanResources resources(ChunkCache cache) {
    return new ScanResources(
        threads, new DeviceAdmission(1 << 30), TaskLimit.NONE, DecodeMonitor.NONE, cache);
  }

  private static ReadUnit unit(ParquetFile file, List<String> columns) throws Exception {
    Footer footer = Footers.read(file);
    List<Integer> rowGroups = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 0).plan(rowGroups).get(0);
  }

  /** The rows of a unit, each as text. */
  private static List<String> rows(ReadUnit unit, ScanResources resources, ScanCounters counters)
      throws Exception {
    List<String> rows = new ArrayList<>();
    try (UnitPipeline pipeline =
            new UnitPipeline(List.of(unit), resources, ParquetFiles.CONF, counters);
        UnitTables tables = pipeline.next(unit)) {
      for (Table next = tables.next(); next != null; next = tables.next()) {
        try (Table table = next) {
          rows.addAll(rows(table, unit.columns()));
        }
      }
    }
    return rows;
  }

  private static List<String> rows(Table table, List<String> names) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < table.getRowCount(); i++) {
      rows.add("");
    }
    for (int column = 0; column < names.size(); column++) {
      boolean text = names.get(column).equals("text");
      try (HostColumnVector host = table.getColumn(column).copyToHost()) {
        for (int i = 0; i < rows.size(); i++) {
          String value = text ? host.getJavaString(i) : String.valueOf(host.getLong(i));
          rows.set(i, rows.get(i) + value + ";");
        }
      }
    }
    return rows;
  }

  private static List<String> expected(int rows, List<String> columns) {
    return IntStream.range(0, rows)
        .mapToObj(
            i ->
                columns.stream()
                    .map(
                        name ->
                            switch (name) {
                              case "id" -> i + ";";
                              case "other" -> 31L * i + ";";
                              default -> "row " + i + ";";
                            })
                    .reduce("", String::concat))
        .toList();
  }

  @Test
  void aSecondReadTakesEverythingFromTheCache() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(64 * MIB)));
    ReadUnit unit = unit(file, ALL);
    ScanCounters first = new ScanCounters();
    assertThat(rows(unit, resources, first)).isEqualTo(expected(ROWS, ALL));
    assertThat(first.value(Counter.BYTES_READ)).isEqualTo(unit.encodedBytes());
    assertThat(first.value(Counter.CACHE_MISSES)).isEqualTo(unit.columnChunks().count());
    assertThat(first.value(Counter.CACHE_HITS)).isZero();
    for (int i = 0; i < 3; i++) {
      ScanCounters again = new ScanCounters();
      assertThat(rows(unit, resources, again)).isEqualTo(expected(ROWS, ALL));
      assertThat(again.value(Counter.BYTES_READ)).isZero();
      assertThat(again.value(Counter.VERIFY_TIME)).isZero();
      assertThat(again.value(Counter.CACHED_BYTES)).isEqualTo(unit.neededBytes());
      assertThat(again.value(Counter.CACHE_MISSES)).isZero();
    }
    assertThat(resources.cache().stats().hits()).isEqualTo(3 * unit.columnChunks().count());
    assertNothingIsAcquired(resources.cache());
  }

  @Test
  void aChunkedUnitTakesItFromTheCacheToo() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(64 * MIB)));
    ReadUnit unit = unit(file, ALL);
    rows(unit, resources, new ScanCounters());
    ScanCounters again = new ScanCounters();
    assertThat(rows(unit.chunked(MIB), resources, again)).isEqualTo(expected(ROWS, ALL));
    assertThat(again.value(Counter.BYTES_READ)).isZero();
    assertThat(again.value(Counter.CHUNKS_DECODED)).isGreaterThan(1);
  }

  @Test
  void partOfAUnitIsCachedAndTheRestIsRead() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(64 * MIB)));
    List<String> outer = List.of("id", "text");
    ReadUnit some = unit(file, outer);
    assertThat(rows(some, resources, new ScanCounters())).isEqualTo(expected(ROWS, outer));
    ReadUnit all = unit(file, ALL);
    ScanCounters counters = new ScanCounters();
    assertThat(rows(all, resources, counters)).isEqualTo(expected(ROWS, ALL));
    assertThat(counters.value(Counter.CACHED_BYTES)).isEqualTo(some.neededBytes());
    assertThat(counters.value(Counter.BYTES_READ))
        .isEqualTo(all.neededBytes() - some.neededBytes());
    ScanCounters again = new ScanCounters();
    rows(all, resources, again);
    assertThat(again.value(Counter.BYTES_READ)).isZero();
  }

  @Test
  void coalescedUnitsFindWhatEachFileHas() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(64 * MIB)));
    rows(unit(small, ALL), resources, new ScanCounters());
    ReadUnit both = CoalescedUnit.of(List.of(unit(file, ALL), unit(small, ALL)));
    List<String> expected = new ArrayList<>(expected(ROWS, ALL));
    expected.addAll(expected(ROWS / 10, ALL));
    ScanCounters counters = new ScanCounters();
    assertThat(rows(both, resources, counters)).isEqualTo(expected);
    assertThat(counters.value(Counter.CACHED_BYTES)).isEqualTo(unit(small, ALL).neededBytes());
    ScanCounters again = new ScanCounters();
    assertThat(rows(both, resources, again)).isEqualTo(expected);
    assertThat(again.value(Counter.BYTES_READ)).isZero();
  }

  @Test
  void theWholePoolIsThereForOthersBesideAFullCache() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(POOL)));
    ReadUnit unit = unit(file, ALL);
    rows(unit, resources, new ScanCounters());
    PoolStats before = PinnedPool.stats();
    assertThat(before.get(PoolStat.EVICTABLE_BYTES)).isGreaterThanOrEqualTo(unit.encodedBytes());
    List<HostBuffer> held = new ArrayList<>();
    long most = 0;
    for (HostBuffer next = HostMemory.tryAllocatePinned(MIB);
        next != null;
        next = HostMemory.tryAllocatePinned(MIB)) {
      held.add(next);
      most += MIB;
    }
    // All but libcudf's reserve, and what its own buffers take.
    assertThat(most).isGreaterThan(POOL / 2);
    assertThat(PinnedPool.stats().get(PoolStat.EVICTABLE_BYTES)).isZero();
    assertThat(PinnedPool.stats().get(PoolStat.WAIT_COUNT))
        .isEqualTo(before.get(PoolStat.WAIT_COUNT));
    assertThat(PinnedPool.stats().fallbackCount()).isEqualTo(before.fallbackCount());
    held.forEach(HostBuffer::close);
    ScanCounters again = new ScanCounters();
    assertThat(rows(unit, resources, again)).isEqualTo(expected(ROWS, ALL));
    assertThat(again.value(Counter.BYTES_READ)).isEqualTo(unit.encodedBytes());
  }

  @Test
  void bytesAreRightWhileOthersTakeThePool() throws Exception {
    ScanResources resources = resources(new ChunkCache(CacheLimits.ofAllFiles(POOL)));
    ReadUnit unit = unit(file, ALL);
    List<String> expected = expected(ROWS, ALL);
    Thread others = new Thread(CachedUnitsTest::takeThePoolAgainAndAgain);
    others.setDaemon(true);
    others.start();
    long cached = 0;
    try {
      for (int i = 0; i < 50; i++) {
        ScanCounters counters = new ScanCounters();
        assertThat(rows(unit, resources, counters)).isEqualTo(expected);
        cached += counters.value(Counter.CACHED_BYTES);
      }
    } finally {
      others.interrupt();
      others.join();
    }
    System.out.println("CachedUnitsTest: " + cached + " bytes from the cache under pressure");
    assertNothingIsAcquired(resources.cache());
  }

  private static void takeThePoolAgainAndAgain() {
    while (!Thread.interrupted()) {
      List<HostBuffer> held = new ArrayList<>();
      for (HostBuffer next = HostMemory.tryAllocatePinned(4 * MIB);
          next != null && held.size() < 24;
          next = HostMemory.tryAllocatePinned(4 * MIB)) {
        held.add(next);
      }
      held.forEach(HostBuffer::close);
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void assertNothingIsAcquired(ChunkCache cache) {
    await()
        .untilAsserted(
            () ->
                assertThat(PinnedPool.stats().get(PoolStat.EVICTABLE_BYTES))
                    .isGreaterThanOrEqualTo(cache.stats().bytes()));
  }
}
