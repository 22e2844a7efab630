package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.ui.QueryView.Engine;
import io.mooring.ui.QueryView.PartView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.execution.ui.SQLPlanMetric;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

class ScanNodeReaderTest {
  private static final Seq<SQLPlanMetric> NO_METRICS =
      CollectionConverters.asScala(List.<SQLPlanMetric>of()).toList();

  private final ScanNodeReader reading =
      new ScanNodeReader(Map.of(), new FallbackReasons(QueryFallbacks.none(1)));

  private Optional<PartView> read(String name) {
    return reading.of(new SparkPlanGraphNode(1, name, name + "[id#1L]", NO_METRICS));
  }

  @Test
  void aScanTellsItsReasonWhoeverPlannedIt() {
    for (String scan : List.of("Scan parquet db.t", "BatchScan db.t", "HiveScan")) {
      PartView view = read(scan + " (not Mooring: it is another's)").orElseThrow();
      assertThat(view.why()).containsExactly("it is another's");
      assertThat(view.readBy()).isEqualTo(Engine.CPU.label());
    }
  }

  @Test
  void whatScansNoParquetIsNotShown() {
    assertThat(read("Scan orc db.t")).isEmpty();
    assertThat(read("BatchScan db.t")).isEmpty();
    assertThat(read("Scan parquet db.t").orElseThrow().why())
        .singleElement()
        .asString()
        .startsWith("left as it was planned");
  }
}
