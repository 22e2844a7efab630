package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZoneTransitionsTest {
  private static final int ZONES = 200;
  private static final int TIMES = 300;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void offsets_ofInstants_areThoseOfTheZone() {
    forEachTime(
        (zone, instant) -> {
          ZoneTransitions known = ZoneTransitions.of(zone);
          int at = above(known.instants(), micros(instant));
          ZoneOffset offset = zone.getRules().getOffset(instant);
          assertThat(known.offsets()[at])
              .as("%s %s, seed %s", zone, instant, seed)
              .isEqualTo(ZoneTransitions.micros(offset));
          assertThat(known.starts()[at]).isLessThanOrEqualTo(micros(instant));
        });
  }

  @Test
  void offsets_ofLocalTimes_areThoseBeforeGapsAndTheEarlierOfTwo() {
    forEachTime(
        (zone, instant) -> {
          ZoneTransitions known = ZoneTransitions.of(zone);
          LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
          long micros = micros(instant);
          long offset = known.offsets()[above(known.locals(), micros)];
          assertThat(micros - offset)
              .as("%s %s, seed %s", zone, local, seed)
              .isEqualTo(micros(ZonedDateTime.of(local, zone).toInstant()));
        });
  }

  @Test
  void transitions_ofAllZones_ascend() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneTransitions known = ZoneTransitions.of(ZoneId.of(id));
      for (long[] ascending : new long[][] {known.instants(), known.locals()}) {
        for (int i = 1; i < ascending.length; i++) {
          assertThat(ascending[i]).as(id).isGreaterThan(ascending[i - 1]);
        }
      }
      assertThat(known.offsets()).hasSize(known.instants().length + 1);
      assertThat(known.starts()).hasSize(known.instants().length + 1);
    }
  }

  private interface Check {
    void check(ZoneId zone, Instant instant);
  }

  private void forEachTime(Check check) {
    for (int i = 0; i < ZONES; i++) {
      ZoneId zone = ZoneId.of(RandomZones.one(random));
      for (int j = 0; j < TIMES; j++) {
        Instant near = RandomZones.nearTransition(zone, random);
        check.check(zone, near);
        // Its local time is near a transition.
        check.check(zone, near.plusSeconds(zone.getRules().getOffset(near).getTotalSeconds()));
      }
    }
  }

  /** The index of the first number above another. */
  private static int above(long[] ascending, long number) {
    int at = Arrays.binarySearch(ascending, number);
    return at >= 0 ? at + 1 : -at - 1;
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
