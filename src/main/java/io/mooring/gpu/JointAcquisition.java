package io.mooring.gpu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * The shared objects that a task needs together: it acquires all of them or none.
 *
 * @param wanted how to make each, in the order in which they are made
 */
public record JointAcquisition<K, T extends AutoCloseable>(
    SharedObjects shared, Map<K, ? extends SharedObjects.Maker<T>> wanted) {
  /**
   * The objects, by key; {@link SharedObjects#release} each once. While there is no room for all of
   * them, the task waits and holds none.
   *
   * @throws RefusedException when one is not to be had
   * @throws CancellationException when the thread is interrupted, which it stays
   */
  public Map<K, T> acquire(RoomWait wait) {
    try (Room.Temporary room = shared.room()) {
      return room.attempt(wait, any -> acquired());
    }
  }

  private Map<K, T> acquired() {
    Map<K, T> acquired = new LinkedHashMap<>();
    boolean all = false;
    try {
      for (Map.Entry<K, ? extends SharedObjects.Maker<T>> each : wanted.entrySet()) {
        acquired.put(each.getKey(), shared.acquire(each.getKey(), each.getValue()));
      }
      all = true;
      return acquired;
    } catch (RefusedException e) {
      throw e.beside(bytes(acquired.keySet()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the wait for an object on the device was interrupted");
    } finally {
      if (!all) {
        acquired.keySet().forEach(shared::release);
      }
    }
  }

  private long bytes(Set<K> used) {
    return used.stream().mapToLong(key -> Objects.requireNonNull(shared.find(key)).bytes()).sum();
  }

  /** Whether all objects are there by now, or one of them is refused for good. */
  public boolean isSettled() {
    List<SharedObject> known =
        wanted.keySet().stream().map(shared::find).filter(Objects::nonNull).toList();
    return known.stream().anyMatch(SharedObject::isRefused)
        || (known.size() == wanted.size() && known.stream().allMatch(SharedObject::isThere));
  }

  /** Has other tasks that need the same not try in vain, after a task has waited in vain. */
  public void refuseToOthers(String reason) {
    if (RoomAttempt.isUnderWay()) {
      return;
    }
    for (Map.Entry<K, ? extends SharedObjects.Maker<T>> each : wanted.entrySet()) {
      SharedObject there = shared.find(each.getKey());
      if (there == null) {
        shared.refuse(each.getKey(), each.getValue(), reason);
        return;
      }
    }
  }
}
