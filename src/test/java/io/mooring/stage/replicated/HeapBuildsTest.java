package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Builds on a heap of 900 MiB, of which relations may take 300. */
class HeapBuildsTest {
  private static final long MIB = 1L << 20;

  private final AtomicLong kept = new AtomicLong();
  private final HeapBuilds builds = new HeapBuilds(() -> 900 * MIB, kept::get, new AtomicLong());

  @Test
  void oneBuild_mayHaveAFifthOfTheHeap() {
    try (HeapBuilds.Build build = builds.begin()) {
      assertThat(build.fits(1, 89 * MIB)).isTrue();
      assertThat(build.fits(1, 90 * MIB)).isFalse();
    }
    assertThat(builds.running()).hasValue(0);
  }

  @Test
  void narrowRows_areFewer() {
    // 80 bytes beside the rows' own, twice.
    try (HeapBuilds.Build build = builds.begin()) {
      assertThat(build.fits(1_400_000, 1_400_000 * 24L)).isTrue();
      assertThat(build.fits(1_500_000, 1_500_000 * 24L)).isFalse();
    }
  }

  @Test
  void buildsAtATime_shareAThirdOfTheHeap() {
    HeapBuilds.Build first = builds.begin();
    HeapBuilds.Build second = builds.begin();
    assertThat(first.fits(1, 80 * MIB)).isTrue();
    assertThat(second.fits(1, 69 * MIB)).isTrue();
    assertThat(second.fits(1, 70 * MIB)).isFalse();
    first.close();
    assertThat(second.fits(1, 89 * MIB)).isTrue();
    second.close();
    second.close();
    assertThat(builds.running()).hasValue(0);
  }

  @Test
  void keptRelations_leaveLess() {
    kept.set(200 * MIB);
    HeapBuilds.Build build = builds.begin();
    assertThat(build.fits(1, 49 * MIB)).isTrue();
    assertThat(build.fits(1, 50 * MIB)).isFalse();
    kept.set(400 * MIB);
    assertThat(build.fits(0, 0)).isFalse();
    build.close();
  }
}
