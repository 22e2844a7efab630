package io.mooring.gpu;

import java.util.HashMap;
import java.util.Map;

/** The failed attempts in a row to make objects. Guarded by its owner. */
final class RepeatedFailures {
  // A fault may pass, and a task can be killed; a lasting fault must not cost each task an attempt.
  private static final int MOST = 3;

  private final Map<Object, Failures> byKey = new HashMap<>();

  private record Failures(int count, SharedObject last) {}

  /**
   * Counts a failure. Returns whether there are too many in a row for another attempt; if so, the
   * count begins anew.
   */
  boolean areTooManyWith(SharedObject object) {
    Failures before = byKey.remove(object.key());
    int count = before == null ? 1 : before.count() + 1;
    if (count < MOST) {
      byKey.put(object.key(), new Failures(count, object));
    }
    return count >= MOST;
  }

  void forget(Object key) {
    byKey.remove(key);
  }

  /** Forgets those of objects that nobody will ask for again. */
  void forgetUnwanted() {
    byKey.values().removeIf(it -> !it.last().isWanted());
  }

  boolean areNone() {
    return byKey.isEmpty();
  }
}
