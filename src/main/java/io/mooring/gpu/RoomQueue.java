package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;

/** The tasks that wait for room on one device, in the order in which they came. Thread-safe. */
final class RoomQueue {
  private final List<Place> waiting = new ArrayList<>();

  /** The place of one task, until it leaves. */
  static final class Place {
    private long neededBytes;
  }

  /** Has a task wait for so many bytes behind those that wait already, or where it waits itself. */
  synchronized void join(Place place, long neededBytes) {
    place.neededBytes = neededBytes;
    if (!waiting.contains(place)) {
      waiting.add(place);
    }
  }

  synchronized void leave(Place place) {
    waiting.remove(place);
  }

  /** The bytes that a task and all before it need together. */
  synchronized long neededUpTo(Place place) {
    return waiting.subList(0, waiting.indexOf(place) + 1).stream()
        .mapToLong(each -> each.neededBytes)
        .sum();
  }
}
