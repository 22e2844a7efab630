package io.mooring.parquet.read;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of a task that are read and uploaded before their turn, as far as the device admits
 * them. Belongs to the thread of its task.
 */
final class ReadAhead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);
  // One unit is decoded, one uploaded, one read.
  private static final int UNITS_AHEAD = 3;

  private final Deque<ReadUnit> planned = new ArrayDeque<>();
  private final Deque<Started> started = new ArrayDeque<>();
  private final DeviceAdmission admission;
  private final Uploads uploads;
  private final ScanCounters counters;

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
  record Started(UnitUpload upload, int permits) {}

  ReadAhead(
      Iterable<ReadUnit> units, DeviceAdmission admission, Uploads uploads, ScanCounters counters) {
    units.forEach(planned::add);
    this.admission = admission;
    this.uploads = uploads;
    this.counters = counters;
  }

  /**
   * The next planned unit; those after it are started as far as there is room.
   *
   * @throws IllegalStateException when it is not the expected one
   */
  Started next(ReadUnit expected) throws IOException, InterruptedException {
    if (started.isEmpty()) {
      ReadUnit unit = planned.remove();
      started.add(start(unit, admit(unit.deviceBytes())));
    }
    readAhead();
    Started first = started.remove();
    if (first.upload().unit() != expected) {
      started.addFirst(first);
      throw new IllegalStateException("The next unit of the task is another one");
    }
    return first;
  }

  private void readAhead() {
    while (started.size() < UNITS_AHEAD && !planned.isEmpty()) {
      // Waiting here could block a task whose first unit is ready: only what fits is started.
      int permits = admission.tryAcquire(planned.element().deviceBytes());
      if (permits == 0) {
        return;
      }
      try {
        started.add(start(planned.element(), permits));
        planned.remove();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // Tried again, and reported, when its turn comes.
        LOG.debug("Reading ahead in {} failed", planned.element().files(), e);
        return;
      }
    }
  }

  /** Starts a unit that was not planned, before all others. */
  Started startNow(ReadUnit unit) throws IOException, InterruptedException {
    int permits = admission.tryAcquire(unit.deviceBytes());
    if (permits == 0) {
      // No waiting for room while holding some: two tasks could wait for each other.
      pause();
      permits = admit(unit.deviceBytes());
    }
    return start(unit, permits);
  }

  /** Starts a unit that was not planned, once no other unit is on the device. */
  Started startAlone(ReadUnit unit) throws IOException, InterruptedException {
    pause();
    return start(unit, admit(Long.MAX_VALUE));
  }

  /**
   * Replaces a planned unit that has not been started.
   *
   * @return false when it has been started
   */
  boolean exchange(ReadUnit unit, ReadUnit instead) {
    boolean waiting = planned.contains(unit);
    List<ReadUnit> others = planned.stream().map(u -> u == unit ? instead : u).toList();
    planned.clear();
    planned.addAll(others);
    return waiting;
  }

  /** Gives up what was started; it is read again when its turn comes. */
  void pause() {
    while (!started.isEmpty()) {
      Started last = started.removeLast();
      release(last);
      planned.addFirst(last.upload().unit());
    }
  }

  /** Closes a unit's upload, and gives its room on the device back. */
  void release(Started unit) {
    try {
      unit.upload().close();
    } finally {
      admission.release(unit.permits());
    }
  }

  private int admit(long deviceBytes) throws InterruptedException {
    long before = System.nanoTime();
    int permits = admission.acquire(deviceBytes);
    counters.add(Counter.DEVICE_MEMORY_WAIT, System.nanoTime() - before);
    return permits;
  }

  private Started start(ReadUnit unit, int permits) throws IOException {
    boolean complete = false;
    try {
      UnitUpload upload = uploads.start(unit, started.size());
      complete = true;
      return new Started(upload, permits);
    } finally {
      if (!complete) {
        admission.release(permits);
      }
    }
  }

  @Override
  public void close() {
    started.forEach(this::release);
    started.clear();
    planned.clear();
  }
}
