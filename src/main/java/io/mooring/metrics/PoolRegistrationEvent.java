package io.mooring.metrics;

import io.mooring.memory.PoolRegistration;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The registration of an extent of the pool, within the second before the event. */
@Name("io.mooring.PoolRegistration")
@Label("Pinned pool registration")
@Description(
    "An extent of the pinned pool was registered with the CUDA driver, at start or by growth")
@Category("Mooring")
@StackTrace(false)
final class PoolRegistrationEvent extends Event {
  @Label("Offset")
  @DataAmount
  final long offset;

  @Label("Size")
  @DataAmount
  final long bytes;

  @Label("Time from the pool's start")
  @Timespan
  final long sinceStart;

  @Label("Time in the CUDA driver")
  @Timespan
  final long took;

  PoolRegistrationEvent(PoolRegistration extent) {
    this.offset = extent.offset();
    this.bytes = extent.bytes();
    this.sinceStart = extent.sinceStart().toNanos();
    this.took = extent.took().toNanos();
  }
}
