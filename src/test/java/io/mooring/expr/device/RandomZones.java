package io.mooring.expr.device;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Random;

/** Time zones of all kinds, and instants at which their offsets change. */
final class RandomZones {
  /**
   * Midnights that are skipped (São Paulo, Toronto in 1919), half an hour of difference (Lord
   * Howe), a whole day (Apia in 2011), a winter time (Dublin), rules by the moon (Casablanca), none
   * any more (Kolkata), and offsets with seconds before 1900.
   */
  static final List<String> SOME =
      List.of(
          "America/New_York",
          "Europe/Berlin",
          "America/Sao_Paulo",
          "America/Toronto",
          "Australia/Lord_Howe",
          "Pacific/Apia",
          "Europe/Dublin",
          "Africa/Casablanca",
          "Asia/Kolkata",
          "Asia/Gaza");

  private static final List<String> ALL =
      ZoneId.getAvailableZoneIds().stream()
          .filter(id -> !id.startsWith("SystemV"))
          .sorted()
          .toList();
  private static final long LAST_SECOND = Instant.parse("9998-12-31T23:59:59Z").getEpochSecond();
  private static final long FIRST_SECOND = Instant.parse("1850-01-01T00:00:00Z").getEpochSecond();

  private RandomZones() {}

  static String one(Random random) {
    return random.nextBoolean()
        ? SOME.get(random.nextInt(SOME.size()))
        : ALL.get(random.nextInt(ALL.size()));
  }

  /** An instant within some hours of a transition, where the zone has one. */
  static Instant nearTransition(ZoneId zone, Random random) {
    long span = random.nextInt(4) == 0 ? LAST_SECOND - FIRST_SECOND : 250L * 366 * 86_400;
    Instant any = Instant.ofEpochSecond(FIRST_SECOND + Math.floorMod(random.nextLong(), span));
    ZoneOffsetTransition next = zone.getRules().nextTransition(any);
    Instant at = next == null ? any : next.getInstant();
    return switch (random.nextInt(6)) {
      case 0 -> at;
      case 1 -> at.minusNanos(1_000);
      case 2 -> at.plusSeconds(60L * (random.nextInt(360) - 180));
      case 3 -> at.plusSeconds(random.nextInt(2 * 90_000) - 90_000).plusNanos(123_456_000);
      case 4 -> at.plusSeconds(86_400L * (random.nextInt(60) - 30));
      default -> any;
    };
  }
}
