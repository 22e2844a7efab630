package io.mooring.memory;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A Java buffer came from pageable memory. */
@Name("io.mooring.Fallback")
@Label("Pinned pool fallback")
@Description("A host buffer came from pageable memory because the pinned pool could not serve it")
@Category("Mooring")
@StackTrace(false)
final class FallbackEvent extends Event {
  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Cause")
  String cause = "";

  @Label("Wait")
  @Timespan
  long wait;

  static void record(long bytes, FallbackCause cause, long waitNanos) {
    FallbackEvent event = new FallbackEvent();
    if (event.isEnabled()) {
      event.bytes = bytes;
      event.cause = cause.name();
      event.wait = waitNanos;
      event.commit();
    }
  }
}
