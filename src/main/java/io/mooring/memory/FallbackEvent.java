package io.mooring.memory;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The pool could not serve a Java buffer: pageable memory did, or nothing in time. */
@Name("io.mooring.Fallback")
@Label("Pinned pool fallback")
@Description(
    "The pinned pool could not serve a host buffer: pageable memory did, or nothing in time")
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

  @Label("Served from pageable memory")
  boolean served;

  static void record(long bytes, FallbackCause cause, long waitNanos, boolean served) {
    FallbackEvent event = new FallbackEvent();
    if (event.isEnabled()) {
      event.bytes = bytes;
      event.cause = cause.name();
      event.wait = waitNanos;
      event.served = served;
      event.commit();
    }
  }
}
