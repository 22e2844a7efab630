package io.mooring.columnar;

import io.mooring.memory.HostBuffer;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A host buffer that several columns lie in; freed when the last of them is closed. Thread-safe.
 */
final class SharedBuffer {
  private static final Cleaner CLEANER = Cleaner.create();

  private final HostBuffer buffer;
  private final AtomicInteger users = new AtomicInteger(1);
  private final AtomicBoolean watched = new AtomicBoolean();

  /** Takes over {@code buffer}; the maker is its first user. */
  SharedBuffer(HostBuffer buffer) {
    this.buffer = buffer;
  }

  long address() {
    return buffer.address();
  }

  SharedBuffer retain() {
    users.incrementAndGet();
    return this;
  }

  void release() {
    if (users.decrementAndGet() == 0) {
      buffer.close();
    }
  }

  /**
   * Has the buffer freed once no column that lies in it can be reached, whoever has closed them.
   */
  void freeWhenUnreachable() {
    if (watched.compareAndSet(false, true)) {
      CLEANER.register(this, buffer::close);
    }
  }
}
