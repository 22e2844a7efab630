package io.mooring.parquet.read;

import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of one task in order: the next units are read and uploaded while one is decoded and
 * used. Belongs to the thread of its task, which closes a {@link UnitTables} before it asks for
 * another.
 */
public final class UnitPipeline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnitPipeline.class);
  // One unit is decoded, one uploaded, one read.
  private static final int UNITS_AHEAD = 3;

  private final Deque<ReadUnit> units = new ArrayDeque<>();
  private final DeviceAdmission admission;
  private final DecodeMonitor monitor;
  private final Uploads uploads;
  private final Function<UnitUpload, DecodedTables> decoder;
  private final ScanCounters counters;
  private final Runnable stillWanted;
  private final Deque<Ahead> ahead = new ArrayDeque<>();

  static {
    NonEmptyNulls.disableAssertion();
  }

  /** Starts uploads. */
  interface Uploads {
    /**
     * Starts to read and upload a unit.
     *
     * @param ahead how many units the task uses before this one
     */
    UnitUpload start(ReadUnit unit, int ahead) throws IOException;
  }

  /** A unit that is being read, and the permits by which it was admitted. */
  private record Ahead(UnitUpload upload, int permits) {}

  /** A pipeline that verifies all that can be verified. */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      ScanCounters counters) {
    this(units, resources, conf, PageChecks.CHECKSUMS, counters, () -> {});
  }

  /**
   * A pipeline of which nothing is started yet.
   *
   * @param checks of pages before they are decoded
   * @param stillWanted called now and then while the task waits for bytes; throws where it is
   *     killed
   */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      PageChecks checks,
      ScanCounters counters,
      Runnable stillWanted) {
    this(
        units,
        resources.admission(),
        resources.monitor(),
        uploads(resources, conf, checks, counters),
        UnitPipeline::decoder,
        counters,
        stillWanted);
  }

  private static Uploads uploads(
      ScanResources resources, Configuration conf, PageChecks checks, ScanCounters counters) {
    CacheReader cache = new CacheReader(resources.cache(), checks, conf, counters);
    IoThreads threads = resources.threads();
    return (unit, before) ->
        UnitUpload.start(unit, before, checks, threads, cache.find(unit), conf, counters);
  }

  /** Decodes a unit, whose bytes are on the device, with the reader of libcudf that supports it. */
  private static DecodedTables decoder(UnitUpload upload) {
    ReadUnit unit = upload.unit();
    if (!unit.isChunked()) {
      return new WholeTable(upload);
    }
    ChunkedDecoding decoding = ChunkedDecoding.of(unit);
    return decoding.hybrid()
        ? new HybridChunkedTables(upload, decoding)
        : new FileChunkedTables(upload, decoding);
  }

  UnitPipeline(
      Iterable<ReadUnit> units,
      DeviceAdmission admission,
      DecodeMonitor monitor,
      Uploads uploads,
      Function<UnitUpload, DecodedTables> decoder,
      ScanCounters counters,
      Runnable stillWanted) {
    units.forEach(this.units::add);
    this.admission = admission;
    this.monitor = monitor;
    this.uploads = uploads;
    this.decoder = decoder;
    this.counters = counters;
    this.stillWanted = stillWanted;
  }

  /**
   * Waits for the next unit. A failure concerns this unit only: the next call continues with the
   * unit after it.
   *
   * @param expected the unit that the caller takes to be next
   * @return the unit's tables, which the caller closes
   * @throws io.mooring.parquet.verify.UndecodablePagesException when it has pages that the GPU must
   *     not be given
   * @throws IOException when the file could not be read
   * @throws DeviceBusyException when the device had no room for it in time
   * @throws IllegalStateException when another unit is next
   */
  public UnitTables next(ReadUnit expected) throws IOException, InterruptedException {
    if (ahead.isEmpty()) {
      startFirst();
    }
    readAhead();
    Ahead first = ahead.remove();
    if (first.upload().unit() != expected) {
      ahead.addFirst(first);
      throw new IllegalStateException("The units of a task are out of step");
    }
    return decoded(first);
  }

  /**
   * Reads a unit that was not planned, at once; the planned units follow it.
   *
   * @return the unit's tables, which the caller closes
   * @throws IOException when the file could not be read
   * @throws DeviceBusyException when the device had no room for it in time
   */
  public UnitTables insert(ReadUnit unit) throws IOException, InterruptedException {
    int permits = admission.tryAcquire(unit.deviceBytes());
    if (permits == 0) {
      // No waiting for room while holding some: two tasks could wait for each other.
      pause();
      permits = admit(unit.deviceBytes());
    }
    return decoded(started(unit, permits));
  }

  /** Inserts a unit as {@link #insert}, but waits until no other unit is on the device. */
  public UnitTables insertAlone(ReadUnit unit) throws IOException, InterruptedException {
    pause();
    return decoded(started(unit, admit(Long.MAX_VALUE)));
  }

  /**
   * Replaces a planned unit that has not been started.
   *
   * @return false when it has been started
   */
  public boolean exchange(ReadUnit planned, ReadUnit instead) {
    boolean waiting = units.contains(planned);
    List<ReadUnit> others = units.stream().map(u -> u == planned ? instead : u).toList();
    units.clear();
    units.addAll(others);
    return waiting;
  }

  /** Gives up what was read ahead; it is read again when its turn comes. */
  public void pause() {
    while (!ahead.isEmpty()) {
      Ahead last = ahead.removeLast();
      release(last);
      units.addFirst(last.upload().unit());
    }
  }

  private UnitTables decoded(Ahead first) throws IOException, InterruptedException {
    boolean made = false;
    try {
      UnitUpload upload = first.upload();
      upload.await(stillWanted);
      ReadUnit unit = upload.unit();
      DecodedTables tables = decoder.apply(upload);
      UnitTables decoded =
          new UnitTables(unit, tables, monitor.begin(unit.files()), () -> release(first), counters);
      made = true;
      return decoded;
    } finally {
      if (!made) {
        release(first);
      }
    }
  }

  private void release(Ahead unit) {
    try {
      unit.upload().close();
    } finally {
      admission.release(unit.permits());
    }
  }

  private void startFirst() throws IOException, InterruptedException {
    ReadUnit unit = units.remove();
    ahead.add(started(unit, admit(unit.deviceBytes())));
  }

  private int admit(long deviceBytes) throws InterruptedException {
    long before = System.nanoTime();
    int permits = admission.acquire(deviceBytes);
    counters.add(Counter.DEVICE_MEMORY_WAIT, System.nanoTime() - before);
    return permits;
  }

  private void readAhead() {
    while (ahead.size() < UNITS_AHEAD && !units.isEmpty()) {
      // Waiting here could block a task whose first unit is ready: only what fits is started.
      int permits = admission.tryAcquire(units.element().deviceBytes());
      if (permits == 0) {
        return;
      }
      try {
        ahead.add(started(units.element(), permits));
        units.remove();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // Tried again, and reported, when its turn comes.
        LOG.debug("Reading ahead in {} failed", units.element().files(), e);
        return;
      }
    }
  }

  private Ahead started(ReadUnit unit, int permits) throws IOException {
    boolean started = false;
    try {
      UnitUpload upload = uploads.start(unit, ahead.size());
      started = true;
      return new Ahead(upload, permits);
    } finally {
      if (!started) {
        admission.release(permits);
      }
    }
  }

  @Override
  public void close() {
    ahead.forEach(this::release);
    ahead.clear();
    units.clear();
  }
}
