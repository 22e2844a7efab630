package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Objects on one device that tasks share, such as the hash tables of joins. The first task that
 * needs one makes it while others wait. An unused object stays until it is not wanted any more or
 * its room is needed. Thread-safe; callers have made the device current for their thread.
 */
public final class SharedObjects {
  // A fault may pass, and a task can be killed; a lasting fault must not cost each task an attempt.
  private static final int MOST_FAILURES = 3;

  private final DeviceRoom room;
  private final Map<Object, SharedObject> objects = new HashMap<>();
  private final Map<Object, Failures> failures = new HashMap<>();
  private volatile boolean empty = true;

  /** The number of failed attempts in a row to make an object. */
  private record Failures(int count, SharedObject last) {}

  /** Makes an object. */
  public interface Maker<T extends AutoCloseable> {
    /**
     * Makes it, complete for all threads.
     *
     * @throws RefusedException when no task shall get it
     */
    T make(Room room);

    /** Whether the object may be needed again; if not, it is freed once it is unused. */
    boolean isWanted();

    /** Whether the task that makes it was killed, which says nothing of another attempt. */
    default boolean isKilled() {
      return false;
    }

    /** Called now and then while a task waits for the object; throws when waiting is useless. */
    default void checkWait() {}
  }

  /** Room on the device, to be asked for before it is used. Thread-safe. */
  public interface Room {
    /**
     * Keeps some bytes for the object that is made, for as long as it stays.
     *
     * @throws RefusedException when the device has no room for it
     */
    void take(long bytes);

    /** Room for what does not stay until the object is freed, but goes before it is complete. */
    TemporaryRoom temporary();

    /**
     * Does work that takes room, which stays taken. Where there is none, the work gives back what
     * it has taken and is done again once others have given back enough. Within the work of another
     * attempt, that one waits.
     *
     * @throws RefusedException when they have not in time
     */
    <T> T attempt(RoomWait wait, Function<Room, T> work);
  }

  /** Room that is given back when it is closed. Thread-safe. */
  public interface TemporaryRoom extends Room, AutoCloseable {
    @Override
    void close();
  }

  SharedObjects(DeviceAdmission admission) {
    this.room = new DeviceRoom(admission, this::unusedBytes, this::dropUnused);
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
      // Remembered, so that later tasks need not try in vain.
      object.giveUp();
      object.refuse(e);
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

  /** Has the next task try, unless too many have. */
  private void failed(SharedObject object) {
    if (failsOn(object)) {
      object.refuse(new RefusedException("the build side of a join did not reach the GPU"));
      leave(object);
    } else {
      object.breakOff();
    }
  }

  /** Has the next task try as if nobody had. */
  private void abandon(SharedObject object) {
    synchronized (this) {
      objects.remove(object.key(), object);
    }
    object.breakOff();
  }

  private synchronized boolean failsOn(SharedObject object) {
    Failures before = failures.remove(object.key());
    int count = before == null ? 1 : before.count() + 1;
    if (count >= MOST_FAILURES) {
      return true;
    }
    failures.put(object.key(), new Failures(count, object));
    objects.remove(object.key(), object);
    return false;
  }

  private synchronized void succeeded(SharedObject object) {
    failures.remove(object.key());
  }

  /** Room for one task alone, which goes when the caller closes it. */
  public TemporaryRoom room() {
    return new ReservedRoom(room);
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

  /** Frees what nobody uses and nobody will ask for again. Cheap where there is nothing. */
  public void dropUnwanted() {
    if (!empty) {
      drop(object -> !object.isWanted());
      forgetFailures();
    }
  }

  private synchronized void forgetFailures() {
    failures.values().removeIf(it -> !it.last().isWanted());
    empty = objects.isEmpty() && failures.isEmpty();
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
    empty = objects.isEmpty() && failures.isEmpty();
    return true;
  }

  /** How many there are, those that were refused too. */
  synchronized int size() {
    return objects.size();
  }
}
