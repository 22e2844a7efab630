package io.mooring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.HostMemoryExhaustedException;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of a pool over memory that no driver has pinned. */
@Tag("forked")
class PoolRecordingTest {
  private static final long MIB = 1 << 20;

  @TempDir static Path folder;
  private static List<RecordedEvent> events;

  @BeforeAll
  static void recordAPoolAtWork() throws IOException {
    PoolRecording.start();
    PoolRecording.start();
    try (Recording recording = new Recording()) {
      recording.enable("io.mooring.PoolUsage").with("period", "endChunk");
      recording.enable("io.mooring.PoolStart");
      recording.enable("io.mooring.Fallback");
      recording.enable("io.mooring.PoolRegistration");
      recording.start();
      startAndUseThePool();
      recording.stop();
      Path file = folder.resolve("pool.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
  }

  private static void startAndUseThePool() {
    PinnedPool.start(
        new PoolSettings(
            8 * MIB, 8 * MIB, 64 * MIB, Duration.ofSeconds(1), 1, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    PoolRecording.poolStarted();
    try (HostBuffer large = HostMemory.allocate(16 * MIB)) {
      assertThat(large.isPinned()).isFalse();
    }
    assertThatThrownBy(() -> HostMemory.allocate(65 * MIB))
        .isInstanceOf(HostMemoryExhaustedException.class);
  }

  private static List<RecordedEvent> all(String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }

  private static RecordedEvent only(String name) {
    return only(all(name));
  }

  private static RecordedEvent only(List<RecordedEvent> found) {
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static RecordedEvent fallback(boolean served) {
    return only(
        all("io.mooring.Fallback").stream()
            .filter(event -> event.getBoolean("served") == served)
            .toList());
  }

  @Test
  void theStartIsRecordedWithItsSizeAndTimes() {
    RecordedEvent start = only("io.mooring.PoolStart");
    assertThat(start.getLong("capacity")).isEqualTo(8 * MIB);
    assertThat(start.getLong("target")).isEqualTo(8 * MIB);
    assertThat(start.getDuration("all")).isPositive();
    assertThat(start.getString("refusal")).isEmpty();
  }

  @Test
  void usageIsRecordedOncePerPeriodHoweverOftenItIsStarted() {
    RecordedEvent usage = only("io.mooring.PoolUsage");
    assertThat(usage.getString("state")).isEqualTo("READY");
    assertThat(usage.getLong("fallbacks")).isEqualTo(1);
    assertThat(usage.getLong("fallbackBytes")).isEqualTo(16 * MIB);
  }

  @Test
  void registration_ofTheOnlyExtent_isRecordedOnce() {
    RecordedEvent extent = only("io.mooring.PoolRegistration");
    assertThat(extent.getLong("offset")).isZero();
    assertThat(extent.getLong("bytes")).isEqualTo(8 * MIB);
    assertThat(extent.getDuration("sinceStart")).isPositive();
    assertThat(extent.getDuration("took")).isLessThanOrEqualTo(extent.getDuration("sinceStart"));
  }

  @Test
  void aRefusalIsRecordedWithItsSize() {
    RecordedEvent refused = fallback(false);
    assertThat(refused.getLong("bytes")).isEqualTo(65 * MIB);
    assertThat(refused.getString("cause")).isIn("EXHAUSTED", "FRAGMENTED");
  }

  @Test
  void aFallbackIsRecordedWithItsCause() {
    RecordedEvent fallback = fallback(true);
    assertThat(fallback.getLong("bytes")).isEqualTo(16 * MIB);
    assertThat(fallback.getString("cause")).isIn("EXHAUSTED", "FRAGMENTED");
  }
}
