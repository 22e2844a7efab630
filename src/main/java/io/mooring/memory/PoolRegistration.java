package io.mooring.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An extent of the pool that was registered with the CUDA driver, at start or by growth.
 *
 * @param offset from the start of the pool's memory, in bytes
 * @param sinceStart from the pool's start until the extent was usable
 * @param took time in the CUDA driver
 */
public record PoolRegistration(long offset, long bytes, Duration sinceStart, Duration took) {
  private static final int FIELDS = 4;

  static List<PoolRegistration> decode(long[] fields) {
    List<PoolRegistration> extents = new ArrayList<>(fields.length / FIELDS);
    for (int i = 0; i < fields.length; i += FIELDS) {
      extents.add(
          new PoolRegistration(
              fields[i],
              fields[i + 1],
              Duration.ofNanos(fields[i + 2]),
              Duration.ofNanos(fields[i + 3])));
    }
    return List.copyOf(extents);
  }
}
