package io.mooring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks.FileFallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FileFallbacksTest {
  @BeforeEach
  @AfterEach
  void takeWhatIsThere() {
    FileFallbacks.take();
  }

  @Test
  void splitsAreCountedForEachQueryAndReason() {
    FileFallbacks.add(1, "codec", "a");
    FileFallbacks.add(1, "codec", "b");
    FileFallbacks.add(2, "codec", "c");
    assertThat(FileFallbacks.take())
        .containsExactlyInAnyOrder(
            new FileFallback(1, "codec", "a", 2), new FileFallback(2, "codec", "c", 1));
    assertThat(FileFallbacks.take()).isEmpty();
  }

  @Test
  void anyNumberOfReasonsIsCountedInBoundedMemory() {
    for (int i = 0; i < 1000; i++) {
      FileFallbacks.add(i, "column " + i, "a");
    }
    var taken = FileFallbacks.take();
    assertThat(taken).hasSize(201);
    assertThat(taken.stream().mapToLong(FileFallback::splits).sum()).isEqualTo(1000);
  }
}
