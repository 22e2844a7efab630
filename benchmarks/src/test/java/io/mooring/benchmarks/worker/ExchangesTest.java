package io.mooring.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.cli.ByteSize;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many exchanges a worker tells of queries whose plans are known. */
class ExchangesTest {

  private static final String GROUPS =
      "WITH g AS (SELECT id % 3 k, count(*) n FROM range(100) GROUP BY id % 3) ";

  private static final String JOIN = " FROM g a JOIN g b ON a.k = b.k";

  @TempDir private Path logs;

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void exchangesOfThePlanThatRan(String adaptive) {
    WorkerCommand command = WorkerCommand.plain(ByteSize.parse("1g"));
    try (WorkerProcess worker = WorkerProcess.launch("exchanges", command, logs)) {
      worker.start(2, Map.of("spark.sql.adaptive.enabled", adaptive, "spark.ui.enabled", "false"));
      has(worker, "SELECT id FROM range(9)", 0, 0);
      has(worker, GROUPS + "SELECT * FROM g", 1, 0);
      has(worker, "SELECT id FROM range(9) WHERE id > (SELECT max(id) - 2 FROM range(5))", 1, 0);
      // The groups are counted once: the other side of the join reuses their shuffle.
      has(worker, GROUPS + "SELECT /*+ MERGE(b) */ a.n, b.n n2" + JOIN, 1, 0);
      has(worker, GROUPS + "SELECT /*+ BROADCAST(b) */ a.n, b.n n2" + JOIN, 1, 1);
      has(
          worker,
          "SELECT /*+ BROADCAST(b), BROADCAST(c) */ a.id FROM range(9) a"
              + " JOIN range(4) b ON a.id = b.id JOIN range(4) c ON a.id = c.id",
          0,
          1);
    }
  }

  /** Both ways in which a query is run: with its rows, and into the noop sink. */
  private static void has(WorkerProcess worker, String sql, long shuffles, long broadcasts) {
    for (boolean noop : new boolean[] {false, true}) {
      Reply.Result result = worker.ask(new Request.Query(sql, noop), Reply.Result.class);
      assertThat(result.metrics())
          .as(sql)
          .containsEntry("shuffleExchanges", shuffles)
          .containsEntry("broadcastExchanges", broadcasts);
    }
  }
}
