package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.RefusedException;
import io.mooring.stage.task.DeviceStageReader;
import io.mooring.stage.task.StageOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PreparedSourcesTest {
  private final List<String> events = new ArrayList<>();

  /** Operators that tell when they are closed. */
  private final class Operators implements StageOperators {
    private final String name;

    private Operators(String name) {
      this.name = name;
    }

    @Override
    public long bytesOfOneUser() {
      return 100;
    }

    @Override
    public @Nullable DeviceBatch apply(DeviceBatch rows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long[] rowsOut() {
      return new long[0];
    }

    @Override
    public boolean merges() {
      return false;
    }

    @Override
    public DeviceBatch merged(List<DeviceBatch> partials) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      events.add("closed " + name);
    }
  }

  private ParallelStageReader.Source source(String name, boolean hasRoom) {
    return new ParallelStageReader.Source() {
      @Override
      public List<InputPartition> inputs() {
        return List.of();
      }

      @Override
      public StageOperators prepared() {
        events.add("prepared " + name);
        if (!hasRoom) {
          throw new RefusedException("no room for " + name);
        }
        return new Operators(name);
      }

      @Override
      public @Nullable DeviceStageReader open(List<InputPartition> inputs) {
        return null;
      }

      @Override
      public void ended(DeviceStageReader reader) {
        events.add("ended");
      }
    };
  }

  @Test
  void oneSource_isHeldUntilTheEnd() {
    try (PreparedSources prepared = PreparedSources.of(List.of(source("a", true)))) {
      assertThat(prepared.all()).hasSize(1);
      assertThat(events).containsExactly("prepared a");
      prepared.close();
      assertThat(events).containsExactly("prepared a", "closed a");
    }
    assertThat(events).containsExactly("prepared a", "closed a");
  }

  /** Together they may be more than the device can keep. */
  @Test
  void severalSources_areNotHeldTogether() {
    PreparedSources.of(List.of(source("a", true), source("b", true))).close();
    assertThat(events).containsExactly("prepared a", "closed a", "prepared b", "closed b");
  }

  @Test
  void aRefusal_leavesNothingHeld() {
    assertThatThrownBy(() -> PreparedSources.of(List.of(source("a", true), source("b", false))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no room for b");
    assertThat(events).containsExactly("prepared a", "closed a", "prepared b");
  }
}
