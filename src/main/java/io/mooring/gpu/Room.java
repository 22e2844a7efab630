package io.mooring.gpu;

import java.util.function.Function;

/** Room on a device, to be asked for before it is used. Thread-safe. */
public interface Room {
  /**
   * Keeps some bytes for what is made, for as long as it stays.
   *
   * @throws RefusedException when the device has no room for it
   */
  void take(long bytes);

  /** Room for what does not stay as long, but goes before the rest is complete. */
  Temporary temporary();

  /**
   * Does work of a task that takes room, which stays taken, and acquires objects. Where there is no
   * room, the work gives back all that it has taken and is done again once others have given back
   * enough. Within the work of another attempt, that one waits.
   *
   * @throws RefusedException when they have not in time
   */
  <T> T attempt(RoomWait wait, Function<Room, T> work);

  /** Room that is given back when it is closed. Thread-safe. */
  interface Temporary extends Room, AutoCloseable {
    @Override
    void close();
  }
}
