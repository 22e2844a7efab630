package io.mooring.gpu;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object that tasks share: being made, made, or refused. The lock of {@link SharedObjects}
 * guards the number of users. Any thread that helps to make the object may take room. All else
 * belongs to the thread that makes the object, and then to the one that frees it.
 */
final class SharedObject implements Room {
  private static final Logger LOG = LoggerFactory.getLogger(SharedObject.class);

  // A task can be killed without an interrupt.
  private static final long CHECK_MILLIS = 50;

  private final Object key;
  private final BooleanSupplier wanted;
  private final ReservedRoom room;
  private final CompletableFuture<Optional<AutoCloseable>> result = new CompletableFuture<>();
  private int users;

  SharedObject(Object key, BooleanSupplier wanted, ReservedRoom room) {
    this.key = key;
    this.wanted = wanted;
    this.room = room;
  }

  Object key() {
    return key;
  }

  boolean isWanted() {
    return wanted.getAsBoolean();
  }

  void enter() {
    users++;
  }

  void leave() {
    users--;
  }

  boolean isUsed() {
    return users > 0;
  }

  boolean hasOneUser() {
    return users == 1;
  }

  @Override
  public void take(long bytes) {
    room.take(bytes);
  }

  @Override
  public Room.Temporary temporary() {
    return room.temporary();
  }

  @Override
  public <T> T attempt(RoomWait wait, Function<Room, T> work) {
    return room.attempt(wait, work);
  }

  void complete(AutoCloseable object) {
    result.complete(Optional.of(object));
  }

  void refuse(RefusedException reason) {
    result.completeExceptionally(reason);
  }

  /** Ends the attempt to make the object without a result, so that another task may try. */
  void breakOff() {
    result.complete(Optional.empty());
  }

  /**
   * The object once it is made; null when that was broken off.
   *
   * @param check called now and then; throws to end the wait
   * @throws RefusedException when it was refused
   */
  @Nullable AutoCloseable await(Runnable check) throws InterruptedException {
    try {
      while (true) {
        try {
          return result.get(CHECK_MILLIS, TimeUnit.MILLISECONDS).orElse(null);
        } catch (TimeoutException e) {
          check.run();
        }
      }
    } catch (ExecutionException e) {
      throw refusal(e.getCause());
    }
  }

  private static RefusedException refusal(@Nullable Throwable reason) {
    return reason instanceof RefusedException refused
        ? refused.beside(0)
        : new RefusedException(String.valueOf(reason));
  }

  boolean isRefused() {
    return result.isCompletedExceptionally();
  }

  boolean isThere() {
    return result.isDone() && !isRefused() && result.getNow(Optional.empty()).isPresent();
  }

  /** Fails where the object was refused. */
  void checkRefused() {
    try {
      result.getNow(Optional.empty());
    } catch (CompletionException e) {
      throw refusal(e.getCause());
    }
  }

  void giveUp() {
    room.close();
  }

  /** The bytes that it takes on the device. */
  long bytes() {
    return room.bytes();
  }

  /** Frees the object, if it was made; never fails. */
  void close() {
    if (isRefused()) {
      return;
    }
    result.getNow(Optional.empty()).ifPresent(SharedObject::close);
  }

  private static void close(AutoCloseable object) {
    try {
      object.close();
    } catch (Exception e) {
      // The device is lost, and what was on it with it.
      LOG.debug("An object on the device could not be freed", e);
    }
  }
}
