package io.mooring.gpu;

import java.util.function.Function;

/** Room on a device, to be asked for before it is used. Thread-safe. */
public interface Room {
  /**
   * Reserves device bytes for the object that is made, for as long as it stays.
   *
   * @throws RefusedException when the device has no room for them
   */
  void take(long bytes);

  /**
   * Room for intermediate data, which is freed before the object is complete; the caller closes it.
   */
  Temporary temporary();

  /**
   * Runs work that takes room and acquires objects; the room stays taken. Without room, the work
   * gives back all that it took, and runs again once others have freed enough. Inside the work of
   * another attempt it does not wait: the outer attempt does.
   *
   * @throws RefusedException when others have not freed enough in time
   */
  <T> T attempt(RoomWait wait, Function<Room, T> work);

  /** Room that is given back when it is closed. Thread-safe. */
  interface Temporary extends Room, AutoCloseable {
    @Override
    void close();
  }
}
