package io.mooring.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Pageable memory of a process in which no pool was started, and copies into native memory.
 * Counted, not bounded: what needs a bound has a pool. Thread-safe.
 */
final class PageableMemory {
  // Method handles, because javac warns at every mention of sun.misc.Unsafe, and nothing turns that
  // warning off.
  private static final MethodHandle ALLOCATE = unsafe("allocateMemory", long.class, long.class);
  private static final MethodHandle FREE = unsafe("freeMemory", void.class, long.class);
  private static final MethodHandle COPY =
      unsafe(
          "copyMemory", void.class, Object.class, long.class, Object.class, long.class, long.class);
  private static final long ARRAY_OFFSET = arrayOffset();

  private static final LongAdder COUNT = new LongAdder();
  private static final LongAdder BYTES = new LongAdder();

  private PageableMemory() {}

  static long allocate(long bytes) {
    try {
      long address = (long) ALLOCATE.invokeExact(Math.max(bytes, 1));
      COUNT.increment();
      BYTES.add(bytes);
      return address;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void copyIn(byte[] from, int length, long toAddress) {
    copy(from, ARRAY_OFFSET, null, toAddress, length);
  }

  /** Allocations so far. */
  static long count() {
    return COUNT.sum();
  }

  /** Bytes allocated so far. */
  static long bytes() {
    return BYTES.sum();
  }

  private static void copy(
      @Nullable Object from, long offset, @Nullable Object to, long toOffset, long bytes) {
    try {
      COPY.invokeExact(from, offset, to, toOffset, bytes);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }

  private static long arrayOffset() {
    try {
      return (int) unsafe("arrayBaseOffset", int.class, Class.class).invoke(byte[].class);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static MethodHandle unsafe(String method, Class<?> result, Class<?>... parameters) {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.publicLookup()
          .findVirtual(unsafe, method, MethodType.methodType(result, parameters))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
