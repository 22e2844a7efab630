package io.mooring.gpu;

import java.util.ArrayList;
import java.util.List;

/**
 * The acquisition of several shared objects by one task, all of them or none.
 *
 * @param requests for different objects, acquired in this order
 */
record JointAcquisition<T extends AutoCloseable>(
    SharedObjects shared,
    DeviceRoom room,
    List<SharedObjects.Request<T>> requests,
    RoomWait patience) {
  /**
   * The objects, in the order of the requests.
   *
   * @throws RefusedException when one is not to be had
   */
  List<T> objects() throws InterruptedException {
    long start = 0;
    while (true) {
      List<T> acquired = new ArrayList<>();
      boolean all = false;
      long held = 0;
      RefusedException refused;
      try {
        for (SharedObjects.Request<T> request : requests) {
          acquired.add(shared.acquire(request.key(), request.maker(), true));
        }
        all = true;
        return acquired;
      } catch (RefusedException e) {
        refused = e;
        held = held(acquired.size());
      } finally {
        if (!all) {
          release(acquired.size());
        }
      }
      start = start == 0 ? System.nanoTime() : start;
      if (!comesFree(refused, held, start)) {
        SharedObjects.Request<T> last = requests.get(acquired.size());
        shared.refuse(last.key(), last.maker(), refused);
        throw refused;
      }
    }
  }

  /** Waits until there is room for what was refused, beside what was held or in its place. */
  private boolean comesFree(RefusedException refused, long held, long start) {
    if (!refused.isForRoom() || room.isTooSmallFor(refused.neededBytes() + held)) {
      return false;
    }
    long needed = refused.neededBytes();
    return patience.await(() -> room.isFree(needed, needed + held), start);
  }

  private long held(int count) {
    return requests.subList(0, count).stream().mapToLong(it -> shared.bytes(it.key())).sum();
  }

  private void release(int count) {
    requests.subList(0, count).forEach(request -> shared.release(request.key()));
  }
}
