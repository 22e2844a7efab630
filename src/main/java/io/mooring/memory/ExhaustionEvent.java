package io.mooring.memory;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** Neither the pool nor pageable memory could serve a Java buffer in time. */
@Name("io.mooring.Exhaustion")
@Label("Host memory exhausted")
@Description("A host buffer was refused: neither the pinned pool nor pageable memory had room")
@Category("Mooring")
final class ExhaustionEvent extends Event {
  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Cause")
  String cause = "";

  @Label("Wait")
  @Timespan
  long wait;

  static void record(long bytes, FallbackCause cause, long waitNanos) {
    ExhaustionEvent event = new ExhaustionEvent();
    if (event.isEnabled()) {
      event.bytes = bytes;
      event.cause = cause.name();
      event.wait = waitNanos;
      event.commit();
    }
  }
}
