package io.mooring.expr.device;

import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_SECOND;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The offsets of a time zone from UTC until the year 10000, as sorted arrays to search in. All
 * numbers are microseconds. Arrays must not be changed.
 *
 * @param instants of the transitions from one offset to the next
 * @param locals the local times from which on the next offset holds alone: the later of those
 *     before and after a transition, so the offset before holds in gaps and where times repeat, as
 *     {@link java.time.ZonedDateTime#of} has it
 * @param offsets before the first transition and from each on
 * @param starts of these offsets, the least long for the first
 */
record ZoneTransitions(long[] instants, long[] locals, long[] offsets, long[] starts) {
  /** The greatest absolute number of microseconds since 1970 for which the offsets are known. */
  static final long MOST_MICROS =
      micros(LocalDateTime.of(10_000, 1, 3, 0, 0).toInstant(ZoneOffset.UTC));

  private static final Instant END = Instant.parse("+10002-01-01T00:00:00Z");
  private static final Map<ZoneId, ZoneTransitions> KNOWN = new ConcurrentHashMap<>();

  /** The transitions of a zone. Thread-safe. */
  static ZoneTransitions of(ZoneId zone) {
    return KNOWN.computeIfAbsent(zone, it -> read(it.getRules()));
  }

  private static ZoneTransitions read(ZoneRules rules) {
    List<ZoneOffsetTransition> all = new ArrayList<>();
    ZoneOffsetTransition next = rules.nextTransition(Instant.MIN);
    while (next != null && next.getInstant().isBefore(END)) {
      all.add(next);
      next = rules.nextTransition(next.getInstant());
    }
    long[] instants = new long[all.size()];
    long[] locals = new long[all.size()];
    long[] offsets = new long[all.size() + 1];
    long[] starts = new long[all.size() + 1];
    offsets[0] = micros(rules.getOffset(Instant.MIN));
    starts[0] = Long.MIN_VALUE;
    for (int i = 0; i < all.size(); i++) {
      ZoneOffsetTransition transition = all.get(i);
      long before = micros(transition.getOffsetBefore());
      instants[i] = micros(transition.getInstant());
      offsets[i + 1] = micros(transition.getOffsetAfter());
      starts[i + 1] = instants[i];
      locals[i] = instants[i] + Math.max(before, offsets[i + 1]);
    }
    return new ZoneTransitions(instants, locals, offsets, starts);
  }

  /** An offset from UTC. */
  static long micros(ZoneOffset offset) {
    return offset.getTotalSeconds() * MICROS_PER_SECOND;
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * MICROS_PER_SECOND;
  }
}
