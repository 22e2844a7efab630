package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline gives the tables of its units in order, whichever of them fails, and none with other
 * rows than the footer promises.
 */
@Timeout(120)
class UnitPipelineTest {
  @TempDir static Path folder;
  private FakePipelines pipelines;

  @BeforeEach
  void start() throws IOException {
    pipelines = new FakePipelines(folder);
  }

  @AfterEach
  void everythingIsReleased() throws InterruptedException {
    pipelines.close();
  }

  @Test
  void next_givesEveryUnitOnceAndInOrder() throws Exception {
    List<ReadUnit> units = pipelines.units(5);
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      for (ReadUnit unit : units) {
        try (UnitTables decoded = pipeline.next(unit)) {
          assertThat(FakePipelines.rows(decoded)).containsExactly(unit.rows());
          assertThat(decoded.next()).isNull();
        }
      }
    }
    assertThat(pipelines.counters().value(Counter.ROW_GROUPS_READ)).isEqualTo(5);
  }

  @Test
  void next_afterAFailingDecode_continuesWithTheNextUnit() throws Exception {
    List<ReadUnit> units = pipelines.units(2);
    pipelines.decodeBy(units.get(0), unit -> new FakeTables(pipelines.events(), -1L));
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      try (UnitTables decoded = pipeline.next(units.get(0))) {
        assertThatThrownBy(decoded::next).hasMessage("for a test");
      }
      assertThat(pipelines.events()).containsExactly("tables", "decode");
      try (UnitTables decoded = pipeline.next(units.get(1))) {
        assertThat(FakePipelines.rows(decoded)).containsExactly(units.get(1).rows());
      }
    }
  }

  @Test
  void next_afterAFailingUpload_continuesWithTheNextUnit() throws Exception {
    List<ReadUnit> units = pipelines.units(2);
    pipelines.failReads(units.get(0));
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).isInstanceOf(IOException.class);
      assertThat(pipelines.tables()).isEmpty();
      try (UnitTables decoded = pipeline.next(units.get(1))) {
        assertThat(FakePipelines.rows(decoded)).containsExactly(units.get(1).rows());
      }
    }
  }

  @Test
  void next_ofAnotherUnitThanThePlannedOne_isRefusedAndKeepsThePlan() throws Exception {
    List<ReadUnit> units = pipelines.units(2);
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      assertThatThrownBy(() -> pipeline.next(units.get(1)))
          .isInstanceOf(IllegalStateException.class);
      try (UnitTables decoded = pipeline.next(units.get(0))) {
        assertThat(FakePipelines.rows(decoded)).hasSize(1);
      }
    }
  }

  @Test
  void aWholeUnit_withOtherRowsThanTheFooterSays_givesNoTable() throws Exception {
    for (long wrong : new long[] {-1, 1}) {
      List<ReadUnit> units = pipelines.units(1);
      pipelines.decodeBy(
          units.get(0), unit -> new FakeTables(pipelines.events(), unit.rows() + wrong));
      try (UnitPipeline pipeline = pipelines.pipeline(units);
          UnitTables decoded = pipeline.next(units.get(0))) {
        assertThatThrownBy(decoded::next).hasMessageContaining("The footer promises");
      }
    }
  }

  @Test
  void aChunkedUnit_givesItsTablesAndChecksTheirRows() throws Exception {
    ReadUnit unit = pipelines.units(1).get(0).chunked(1);
    long rows = unit.rows();
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), 10L, rows - 10));
    assertThat(chunks(unit)).containsExactly(10L, rows - 10);
    assertThat(pipelines.counters().value(Counter.CHUNKS_DECODED)).isEqualTo(2);
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), 10L, rows));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are " + (rows + 10));
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), rows - 1));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are " + (rows - 1));
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), 1L, 0L, 0L));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are 1");
  }

  private List<Long> chunks(ReadUnit unit) throws Exception {
    try (UnitPipeline pipeline = pipelines.pipeline(List.of(unit));
        UnitTables decoded = pipeline.next(unit)) {
      return FakePipelines.rows(decoded);
    }
  }
}
