package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Objects on one device that tasks share, such as the hash tables of joins. The first task that
 * needs one makes it while others wait. An unused object stays until it is not wanted any more or
 * its room is needed. Thread-safe; callers have made the device current for their thread.
 */
public final class SharedObjects {
  private final DeviceRoom room;
  private final Map<Object, SharedObject> objects = new HashMap<>();
  private final RepeatedFailures failures = new RepeatedFailures();
  private volatile boolean empty = true;

  /** Makes an object. */
  public interface Maker<T extends AutoCloseable> {
    /**
     * Makes the object. Any thread may use it, on any stream, once this has returned.
     *
     * @throws RefusedException when the object cannot be made; later tasks are refused too, unless
     *     only room was lacking
     */
    T make(Room room);

    /** Whether the object may be needed again; if not, it is freed once it is unused. */
    boolean isWanted();

    /** Whether the task that makes the object was killed; then its failure does not count. */
    default boolean isKilled() {
      return false;
    }

    /** Called now and then while a task waits for the object; throws when waiting is useless. */
    default void checkWait() {}
  }

  SharedObjects(DeviceAdmission admission) {
    this.room = new DeviceRoom(admission, new RoomQueue(), this::unusedBytes, this::dropUnused);
  }

  /**
   * The object of a key, made if there is none. Each call needs one {@link #release}.
   *
   * @param key equal for objects that can stand for each other
   * @throws RefusedException when the object is refused
   * @throws InterruptedException when the wait for another task that makes the object was
   *     interrupted
   */
  @SuppressWarnings("unchecked") // a key is used for one type
  public <T extends AutoCloseable> T acquire(Object key, Maker<T> maker)
      throws InterruptedException {
    dropUnwanted();
    while (true) {
      SharedObject fresh = new SharedObject(key, maker::isWanted, new ReservedRoom(room));
      SharedObject object = entered(fresh);
      if (object == fresh) {
        return (T) make(fresh, maker);
      }
      boolean taken = false;
      try {
        AutoCloseable shared = object.await(maker::checkWait);
        taken = shared != null;
        if (shared != null) {
          return (T) shared;
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

  private AutoCloseable make(SharedObject object, Maker<?> maker) {
    boolean stays = false;
    try {
      AutoCloseable created = maker.make(object);
      object.complete(created);
      succeeded(object);
      stays = true;
      return created;
    } catch (RefusedException e) {
      object.giveUp();
      // Remembered where it lasts, so that later tasks need not try in vain.
      refuse(object, e);
      leave(object);
      stays = true;
      throw e;
    } finally {
      if (!stays) {
        // Comes first: the next attempt needs the same room.
        object.giveUp();
        if (maker.isKilled() || Thread.currentThread().isInterrupted()) {
          abandon(object);
        } else {
          failed(object);
        }
      }
    }
  }

  private void refuse(SharedObject object, RefusedException reason) {
    if (reason.isForRoom()) {
      remove(object);
    }
    object.refuse(reason);
  }

  /**
   * Refuses an object to later tasks, unless it exists or a task is making it.
   *
   * @param maker tells when nobody will ask for the object again, and the refusal can be forgotten
   */
  synchronized void refuse(Object key, Maker<?> maker, String reason) {
    SharedObject refused = new SharedObject(key, maker::isWanted, new ReservedRoom(room));
    refused.refuse(new RefusedException(reason));
    objects.putIfAbsent(key, refused);
    empty = false;
  }

  synchronized @Nullable SharedObject find(Object key) {
    return objects.get(key);
  }

  /** The bytes of objects that the caller uses and nobody else does. */
  public long bytesOfOneUser(Collection<?> keys) {
    return usedOnce(keys).stream().mapToLong(SharedObject::bytes).sum();
  }

  private synchronized List<SharedObject> usedOnce(Collection<?> keys) {
    return keys.stream()
        .map(objects::get)
        .filter(object -> object != null && object.hasOneUser())
        .toList();
  }

  /** Has the next task try, unless too many have. */
  private void failed(SharedObject object) {
    if (isTheLast(object)) {
      object.refuse(new RefusedException("the build side of a join did not reach the GPU"));
      leave(object);
    } else {
      object.breakOff();
    }
  }

  /** Lets the next task try, without counting a failure. */
  private void abandon(SharedObject object) {
    remove(object);
    object.breakOff();
  }

  private synchronized void remove(SharedObject object) {
    objects.remove(object.key(), object);
  }

  private synchronized boolean isTheLast(SharedObject object) {
    boolean last = failures.areTooManyWith(object);
    if (!last) {
      remove(object);
    }
    return last;
  }

  private synchronized void succeeded(SharedObject object) {
    failures.forget(object.key());
  }

  /** Device bytes for which neither units nor objects that stay have room. */
  public long unreservedBytes() {
    return room.unreservedBytes();
  }

  /** Room for one task alone, which goes when the caller closes it. */
  public Room.Temporary room() {
    return new ReservedRoom(room);
  }

  /** Ends one use of an object. The caller's work on the device that reads it must be complete. */
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

  /** Frees what nobody uses and nobody will ask for again. Cheap where there is nothing. */
  public void dropUnwanted() {
    if (!empty) {
      drop(object -> !object.isWanted());
      forgetFailures();
    }
  }

  private synchronized void forgetFailures() {
    failures.forgetUnwanted();
    empty = objects.isEmpty() && failures.areNone();
  }

  /** Frees whatever nobody uses. What was refused stays so, as long as it is wanted. */
  public void dropUnused() {
    if (!empty) {
      drop(object -> object.bytes() > 0);
    }
  }

  private long unusedBytes() {
    return unused().stream().mapToLong(SharedObject::bytes).sum();
  }

  private void drop(Predicate<SharedObject> which) {
    List<SharedObject> candidates = unused().stream().filter(which).toList();
    for (SharedObject object : candidates) {
      if (removedUnused(object)) {
        // Not under the lock: it calls the device.
        object.close();
        object.giveUp();
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
    empty = objects.isEmpty() && failures.areNone();
    return true;
  }

  /** How many there are, those that were refused too. */
  synchronized int size() {
    return objects.size();
  }
}
