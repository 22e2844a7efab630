package io.mooring.gpu;

import io.mooring.jni.FaultJni.Point;

/**
 * A fault of the CUDA runtime.
 *
 * @param point where it is
 * @param nth the call that fails, counted from 1
 * @param error CUDA's number of it
 * @param name CUDA's name of it
 */
record InjectedFault(Point point, int nth, int error, String name) {
  private static final int OUT_OF_MEMORY = 2;

  /** How the message of what is thrown begins. */
  String words() {
    return point == Point.DECODE && error == OUT_OF_MEMORY ? "Fault of a test: out of mem" : name;
  }
}
