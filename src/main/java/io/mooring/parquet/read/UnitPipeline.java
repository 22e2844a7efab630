package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of one task in order: the next ones are read and uploaded while the first is decoded
 * and used. Belongs to the thread of its task.
 */
public final class UnitPipeline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnitPipeline.class);
  // One being decoded, one being uploaded, one being read.
  private static final int UNITS_AHEAD = 3;

  private record Ahead(UnitUpload upload, int permits) {}

  private final Deque<ReadUnit> units;
  private final ScanResources resources;
  private final Configuration conf;
  private final PageChecks checks;
  private final ScanCounters counters;
  private final UnitDecoding decoding;
  private final Deque<Ahead> ahead = new ArrayDeque<>();

  /** A pipeline that verifies all that can be. */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      ScanCounters counters) {
    this(units, resources, conf, PageChecks.CHECKSUMS, counters);
  }

  /**
   * @param checks of pages before they are decoded
   */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      PageChecks checks,
      ScanCounters counters) {
    this.units = new ArrayDeque<>();
    units.forEach(this.units::add);
    this.resources = resources;
    this.conf = conf;
    this.checks = checks;
    this.counters = counters;
    this.decoding = new UnitDecoding(counters);
  }

  /**
   * Decodes the next unit and gives its table, or its chunks one after the other, to {@code use},
   * which must not keep them. A failure concerns this unit only, of which some chunks may have been
   * given: the next call goes on behind it.
   *
   * @param expected the unit that the caller believes to be next
   * @throws io.mooring.parquet.verify.UndecodablePagesException when it has pages that the GPU must
   *     not be given
   * @throws IOException when the file could not be read
   * @throws DeviceBusyException when the device had no room for it in time
   * @throws IllegalStateException when another unit is next, or it decodes to other rows than the
   *     footer says
   */
  public void next(ReadUnit expected, Consumer<Table> use)
      throws IOException, InterruptedException {
    if (ahead.isEmpty()) {
      startFirst();
    }
    readAhead();
    Ahead first = ahead.remove();
    if (first.upload().unit() != expected) {
      ahead.addFirst(first);
      throw new IllegalStateException("The units of a task are out of step");
    }
    finish(first, use);
  }

  /**
   * Decodes a unit that was not planned, at once, and goes on with the planned ones behind it.
   *
   * @throws IOException when the file could not be read
   * @throws DeviceBusyException when the device had no room for it in time
   */
  public void insert(ReadUnit unit, Consumer<Table> use) throws IOException, InterruptedException {
    int permits = resources.admission().tryAcquire(unit.deviceBytes());
    if (permits == 0) {
      // No waiting for room while holding some: two tasks could wait for each other.
      giveUpReadAhead();
      permits = admit(unit.deviceBytes());
    }
    finish(started(unit, permits), use);
  }

  /**
   * As {@link #insert}, but lets go what was read ahead and waits until no other unit is on the
   * device.
   */
  public void insertAlone(ReadUnit unit, Consumer<Table> use)
      throws IOException, InterruptedException {
    giveUpReadAhead();
    finish(started(unit, admit(Long.MAX_VALUE)), use);
  }

  /**
   * Puts a unit in the place of a planned one that has not been started.
   *
   * @return false when it has been
   */
  public boolean exchange(ReadUnit planned, ReadUnit instead) {
    boolean waiting = units.contains(planned);
    List<ReadUnit> others = units.stream().map(u -> u == planned ? instead : u).toList();
    units.clear();
    units.addAll(others);
    return waiting;
  }

  /** Lets go what was read ahead; it is read again when its turn comes. */
  public void pause() {
    giveUpReadAhead();
  }

  private void finish(Ahead first, Consumer<Table> use) throws IOException, InterruptedException {
    try (UnitUpload upload = first.upload()) {
      upload.await();
      try (DecodeMonitor.Decode watched = resources.watch().begin(upload.unit().files())) {
        decoding.decode(upload, use);
      }
    } finally {
      resources.admission().release(first.permits());
    }
  }

  private void giveUpReadAhead() {
    while (!ahead.isEmpty()) {
      Ahead last = ahead.removeLast();
      last.upload().close();
      resources.admission().release(last.permits());
      units.addFirst(last.upload().unit());
    }
  }

  private void startFirst() throws IOException, InterruptedException {
    ReadUnit unit = units.remove();
    ahead.add(started(unit, admit(unit.deviceBytes())));
  }

  private int admit(long deviceBytes) throws InterruptedException {
    long before = System.nanoTime();
    int permits = resources.admission().acquire(deviceBytes);
    counters.add(Counter.DEVICE_MEMORY_WAIT, System.nanoTime() - before);
    return permits;
  }

  private void readAhead() {
    while (ahead.size() < UNITS_AHEAD && !units.isEmpty()) {
      // Waiting here could block a task whose first unit is ready: only what fits is started.
      int permits = resources.admission().tryAcquire(units.element().deviceBytes());
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
      UnitUpload upload =
          UnitUpload.start(unit, ahead.size(), checks, resources.threads(), conf, counters);
      started = true;
      return new Ahead(upload, permits);
    } finally {
      if (!started) {
        resources.admission().release(permits);
      }
    }
  }

  @Override
  public void close() {
    for (Ahead unit : ahead) {
      unit.upload().close();
      resources.admission().release(unit.permits());
    }
    ahead.clear();
    units.clear();
  }
}
