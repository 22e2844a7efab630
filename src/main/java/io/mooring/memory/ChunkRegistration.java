package io.mooring.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of the pool that came into use, at start or by growth.
 *
 * @param offset from the start of the pool's memory, in bytes
 * @param sinceStart from the pool's start until it was usable
 * @param took in the driver
 */
public record ChunkRegistration(long offset, long bytes, Duration sinceStart, Duration took) {
  private static final int FIGURES = 4;

  static List<ChunkRegistration> decode(long[] figures) {
    List<ChunkRegistration> chunks = new ArrayList<>(figures.length / FIGURES);
    for (int i = 0; i < figures.length; i += FIGURES) {
      chunks.add(
          new ChunkRegistration(
              figures[i],
              figures[i + 1],
              Duration.ofNanos(figures[i + 2]),
              Duration.ofNanos(figures[i + 3])));
    }
    return List.copyOf(chunks);
  }
}
