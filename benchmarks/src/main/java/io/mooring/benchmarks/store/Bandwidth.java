package io.mooring.benchmarks.store;

import io.mooring.benchmarks.cli.ByteSize;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A line of some bytes a second, which its users share in the order in which they come. */
final class Bandwidth {

  /** Time that was not used and may be made up for: what a sleep was too long. */
  private static final long ARREARS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final double nanosPerByte;
  private double freeAt = System.nanoTime();

  Bandwidth(ByteSize perSecond) {
    this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / perSecond.bytes();
  }

  /** Returns when so many bytes have gone over the line. */
  void pass(int bytes) {
    long end = occupy(bytes);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private synchronized long occupy(int bytes) {
    freeAt = Math.max(freeAt, System.nanoTime() - ARREARS_NANOS) + bytes * nanosPerByte;
    return (long) freeAt;
  }
}
