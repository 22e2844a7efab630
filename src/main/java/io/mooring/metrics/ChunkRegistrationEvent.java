package io.mooring.metrics;

import io.mooring.memory.ChunkRegistration;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A chunk of the pool came into use, within the second before the event. */
@Name("io.mooring.ChunkRegistration")
@Label("Pinned pool chunk registration")
@Description("A chunk of the pinned pool was registered with the driver, at start or by growth")
@Category("Mooring")
@StackTrace(false)
final class ChunkRegistrationEvent extends Event {
  @Label("Offset")
  @DataAmount
  final long offset;

  @Label("Size")
  @DataAmount
  final long bytes;

  @Label("Time from the pool's start")
  @Timespan
  final long sinceStart;

  @Label("Time in the driver")
  @Timespan
  final long took;

  ChunkRegistrationEvent(ChunkRegistration chunk) {
    this.offset = chunk.offset();
    this.bytes = chunk.bytes();
    this.sinceStart = chunk.sinceStart().toNanos();
    this.took = chunk.took().toNanos();
  }
}
