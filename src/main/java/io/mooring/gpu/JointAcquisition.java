package io.mooring.gpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The shared objects that a task needs together: it acquires all of them or none. Tasks that need
 * the same objects make different ones at a time.
 */
public final class JointAcquisition<K, T extends AutoCloseable> {
  private final SharedObjects shared;
  private final Map<K, ? extends SharedObjects.Maker<T>> wanted;
  private @Nullable K refused;

  /**
   * @param wanted how to make each, in the order in which a task that is alone makes them
   */
  public JointAcquisition(SharedObjects shared, Map<K, ? extends SharedObjects.Maker<T>> wanted) {
    this.shared = shared;
    this.wanted = wanted;
  }

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
    // To make one is useless where another is not to be had.
    known().forEach(SharedObject::checkRefused);
    Map<K, T> acquired = new HashMap<>();
    boolean all = false;
    try {
      List<K> pending = new ArrayList<>();
      for (K key : wanted.keySet()) {
        if (isPending(key)) {
          pending.add(key);
        } else {
          acquire(key, acquired);
        }
      }
      for (K key : pending) {
        acquire(key, acquired);
      }
      all = true;
      return acquired;
    } catch (RefusedException e) {
      throw e.beside(shared.bytesOfOneUser(acquired.keySet()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the wait for an object on the device was interrupted");
    } finally {
      if (!all) {
        acquired.keySet().forEach(shared::release);
      }
    }
  }

  private boolean isPending(K key) {
    SharedObject known = shared.find(key);
    return known != null && !known.isSettled();
  }

  private void acquire(K key, Map<K, T> acquired) throws InterruptedException {
    refused = key;
    acquired.put(key, shared.acquire(key, Objects.requireNonNull(wanted.get(key))));
  }

  private List<SharedObject> known() {
    return wanted.keySet().stream().map(shared::find).filter(Objects::nonNull).toList();
  }

  /** Whether all objects are there by now, or one of them is refused for good. */
  public boolean isSettled() {
    List<SharedObject> known = known();
    return known.stream().anyMatch(SharedObject::isRefused)
        || (known.size() == wanted.size() && known.stream().allMatch(SharedObject::isThere));
  }

  /** Has other tasks that need the same not try in vain, after this one has waited in vain. */
  public void refuseToOthers(String reason) {
    if (refused != null && !RoomAttempt.isUnderWay()) {
      shared.refuse(refused, Objects.requireNonNull(wanted.get(refused)), reason);
    }
  }
}
