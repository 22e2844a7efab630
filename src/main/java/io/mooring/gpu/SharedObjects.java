package io.mooring.gpu;

import io.mooring.parquet.pipeline.DeviceAdmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Objects on one device that tasks share, such as the hash tables of joins. The first task that
 * asks for one makes it while others wait. It stays when nobody uses it any more, until it is not
 * wanted or until room is. Thread-safe; whoever calls has made the device current for the thread.
 */
public final class SharedObjects {
  private final DeviceAdmission admission;
  private final Map<Object, SharedObject> objects = new HashMap<>();
  private volatile boolean empty = true;

  /** What makes an object. */
  public interface Maker<T extends AutoCloseable> {
    /**
     * Makes it, complete for all threads.
     *
     * @throws RefusedException when nobody who asks shall have it
     */
    T make(Room room);

    /** Whether somebody may ask for it again; false lets it go once nobody uses it. */
    boolean isWanted();
  }

  /** Room on the device, to be asked for before it is used. Thread-safe. */
  public interface Room {
    /**
     * Keeps some bytes for the object that is made, for as long as it stays.
     *
     * @throws RefusedException when the device has no room for it
     */
    void take(long bytes);
  }

  SharedObjects(DeviceAdmission admission) {
    this.admission = admission;
  }

  /**
   * The object of a key, made when there is none. {@link #release} once for each call.
   *
   * @param key equal for objects that can stand for each other
   * @throws RefusedException when it is not to be had
   * @throws InterruptedException when the wait for another task that makes it was interrupted
   */
  @SuppressWarnings("unchecked") // a key is used for one type
  public <T extends AutoCloseable> T acquire(Object key, Maker<T> maker)
      throws InterruptedException {
    dropUnwanted();
    while (true) {
      SharedObject fresh = new SharedObject(key, maker::isWanted, this::keep);
      SharedObject object = entered(fresh);
      if (object == fresh) {
        return (T) made(fresh, maker);
      }
      boolean taken = false;
      try {
        AutoCloseable made = object.await();
        taken = made != null;
        if (made != null) {
          return (T) made;
        }
        // Whoever made it was broken off: the next one tries.
      } finally {
        if (!taken) {
          leave(object);
        }
      }
    }
  }

  private synchronized SharedObject entered(SharedObject fresh) {
    SharedObject object = objects.computeIfAbsent(fresh.key(), key -> fresh);
    object.enter();
    empty = false;
    return object;
  }

  private AutoCloseable made(SharedObject object, Maker<?> maker) {
    boolean stays = false;
    try {
      AutoCloseable made = maker.make(object);
      object.complete(made);
      stays = true;
      return made;
    } catch (RefusedException e) {
      // Remembered, so that not every task tries in vain.
      object.giveUp(admission);
      object.refuse(e);
      leave(object);
      stays = true;
      throw e;
    } finally {
      if (!stays) {
        remove(object);
        object.breakOff();
        object.giveUp(admission);
      }
    }
  }

  private int keep(long bytes) {
    int kept = admission.keep(bytes);
    if (kept == 0) {
      dropUnused();
      kept = admission.keep(bytes);
    }
    return kept;
  }

  /** Somebody uses an object no more; what was asked of the device with it is complete. */
  public void release(Object key) {
    synchronized (this) {
      SharedObject object = objects.get(key);
      if (object != null) {
        object.leave();
      }
    }
    dropUnwanted();
  }

  private synchronized void leave(SharedObject object) {
    object.leave();
  }

  private synchronized void remove(SharedObject object) {
    objects.remove(object.key(), object);
    empty = objects.isEmpty();
  }

  /** Frees what nobody uses and nobody will ask for again. Cheap where there is nothing. */
  public void dropUnwanted() {
    if (!empty) {
      drop(object -> !object.isWanted());
    }
  }

  /** Frees whatever nobody uses. */
  public void dropUnused() {
    if (!empty) {
      drop(object -> true);
    }
  }

  private void drop(Predicate<SharedObject> which) {
    List<SharedObject> candidates = unused().stream().filter(which).toList();
    for (SharedObject object : candidates) {
      if (removedUnused(object)) {
        // Not under the lock: it calls the device.
        object.close();
        object.giveUp(admission);
      }
    }
  }

  private synchronized List<SharedObject> unused() {
    return objects.values().stream().filter(object -> !object.isUsed()).toList();
  }

  private synchronized boolean removedUnused(SharedObject object) {
    if (object.isUsed() || !objects.remove(object.key(), object)) {
      return false;
    }
    empty = objects.isEmpty();
    return true;
  }

  /** How many there are, those that were refused too. */
  synchronized int size() {
    return objects.size();
  }
}
