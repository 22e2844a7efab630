package io.mooring.parquet.read;

import io.mooring.parquet.read.HybridScan.HybridChunkedTables;
import io.mooring.parquet.read.HybridScan.WholeTable;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * The units of one task in order: the next units are read and uploaded while one is decoded and
 * used. Belongs to the thread of its task, which closes a {@link UnitTables} before it asks for
 * another.
 */
public final class UnitPipeline implements AutoCloseable {
  private final ReadAhead ahead;
  private final TaskLimit limit;
  private final DecodeMonitor monitor;
  private final Function<UnitUpload, DecodedTables> decoder;
  private final ScanCounters counters;
  private final Runnable stillWanted;

  static {
    NonEmptyNulls.disableAssertion();
  }

  /** A pipeline that verifies all that can be verified. */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      ScanCounters counters) {
    this(units, resources, conf, PageChecks.CHECKSUMS, counters, () -> {});
  }

  /**
   * A pipeline that has not begun to read.
   *
   * @param checks of pages before they are decoded
   * @param stillWanted called now and then while the task waits for bytes or for its turn; throws
   *     where it is killed
   */
  public UnitPipeline(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      PageChecks checks,
      ScanCounters counters,
      Runnable stillWanted) {
    this(
        new ReadAhead(
            units,
            resources.admission(),
            uploads(units, resources, conf, checks, counters, stillWanted),
            counters),
        resources.limit(),
        resources.monitor(),
        UnitPipeline::decoder,
        counters,
        stillWanted);
  }

  private static ReadAhead.Uploads uploads(
      Iterable<ReadUnit> units,
      ScanResources resources,
      Configuration conf,
      PageChecks checks,
      ScanCounters counters,
      Runnable stillWanted) {
    CacheReader cache = new CacheReader(resources.cache(), checks, conf, counters, stillWanted);
    units.forEach(unit -> cache.begin(unit.files().files()));
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
      ReadAhead ahead,
      TaskLimit limit,
      DecodeMonitor monitor,
      Function<UnitUpload, DecodedTables> decoder,
      ScanCounters counters,
      Runnable stillWanted) {
    this.ahead = ahead;
    this.limit = limit;
    this.monitor = monitor;
    this.decoder = decoder;
    this.counters = counters;
    this.stillWanted = stillWanted;
  }

  /**
   * Waits for the next unit, and then for the task's turn. A failure concerns this unit only: the
   * next call continues with the unit after it.
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
    return decoded(ahead.next(expected));
  }

  /**
   * Reads a unit that was not planned, at once; the planned units follow it.
   *
   * @return the unit's tables, which the caller closes
   * @throws IOException when the file could not be read
   * @throws DeviceBusyException when the device had no room for it in time
   */
  public UnitTables insert(ReadUnit unit) throws IOException, InterruptedException {
    return decoded(ahead.startNow(unit));
  }

  /** Inserts a unit as {@link #insert}, but waits until no other unit is on the device. */
  public UnitTables insertAlone(ReadUnit unit) throws IOException, InterruptedException {
    return decoded(ahead.startAlone(unit));
  }

  /**
   * Replaces a planned unit that has not been started.
   *
   * @return false when it has been started
   */
  public boolean exchange(ReadUnit planned, ReadUnit instead) {
    return ahead.exchange(planned, instead);
  }

  /** Gives up what was read ahead; it is read again when its turn comes. */
  public void pause() {
    ahead.pause();
  }

  private UnitTables decoded(ReadAhead.Started first) throws IOException, InterruptedException {
    boolean complete = false;
    try {
      first.upload().await(stillWanted);
      UnitTables decoded = decoded(first, turn());
      complete = true;
      return decoded;
    } finally {
      if (!complete) {
        ahead.release(first);
      }
    }
  }

  private TaskLimit.Turn turn() throws InterruptedException {
    long before = System.nanoTime();
    TaskLimit.Turn turn = limit.acquire(stillWanted);
    counters.add(Counter.TURN_WAIT, System.nanoTime() - before);
    return turn;
  }

  /** The tables of a unit, which take over the turn, but the unit only where this succeeds. */
  private UnitTables decoded(ReadAhead.Started first, TaskLimit.Turn turn) {
    boolean complete = false;
    try {
      ReadUnit unit = first.upload().unit();
      DecodedTables tables = decoder.apply(first.upload());
      DecodeMonitor.Decode decode = monitor.begin(unit.files());
      complete = true;
      return new UnitTables(unit, tables, decode, () -> ahead.release(first), turn, counters);
    } finally {
      if (!complete) {
        turn.close();
      }
    }
  }

  @Override
  public void close() {
    ahead.close();
  }
}
