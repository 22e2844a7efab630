package io.mooring.gpu;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The shared objects that a task needs together: it acquires all of them or none. */
public final class JointAcquisition<K, T extends AutoCloseable> {
  private final SharedObjects shared;
  private final Map<K, ? extends SharedObjects.Maker<T>> wanted;
  private @Nullable K refused;

  /**
   * @param wanted how to make each, in the order in which they are made
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
    // Checked first: no object is made in vain when another one is refused already.
    known().forEach(SharedObject::checkRefused);
    Map<K, T> acquired = new LinkedHashMap<>();
    boolean all = false;
    try {
      for (Map.Entry<K, ? extends SharedObjects.Maker<T>> each : wanted.entrySet()) {
        refused = each.getKey();
        acquired.put(each.getKey(), shared.acquire(each.getKey(), each.getValue()));
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

  private List<SharedObject> known() {
    return wanted.keySet().stream().map(shared::find).filter(Objects::nonNull).toList();
  }

  /** Whether all objects are there by now, or one of them is refused for good. */
  public boolean isSettled() {
    List<SharedObject> known = known();
    return known.stream().anyMatch(SharedObject::isRefused)
        || (known.size() == wanted.size() && known.stream().allMatch(SharedObject::isThere));
  }

  /**
   * Refuses to other tasks the object that was refused to this one, so that they do not wait in
   * vain as it did. Does nothing inside the work of an attempt.
   */
  public void refuseToOthers(String reason) {
    if (refused != null && !RoomAttempt.isUnderWay()) {
      shared.refuse(refused, Objects.requireNonNull(wanted.get(refused)), reason);
    }
  }
}
