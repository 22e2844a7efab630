package io.mooring.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.mooring.benchmarks.report.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestTest {

  static List<Request> requests() {
    return List.of(
        new Request.Start(4, Map.of("k", "v")),
        new Request.ReplacePool(),
        new Request.Open("t", "parquet", List.of("file:/a b")),
        new Request.Query("SELECT 'a\nb'", true),
        new Request.Query("SELECT 1", false, 8),
        new Request.Generate("/d", 10, -1, 5, "zstd"),
        new Request.OpenFiles(List.of("/a"), Map.of("k", "v")),
        new Request.RunStep("read", 4, 2));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void requestsArriveOnOneLine(Request request) throws IOException {
    assertThat(WorkerProcess.line(request)).doesNotContain("\n");
    assertThat(WorkerProcess.request(WorkerProcess.line(request))).isEqualTo(request);
  }

  @Test
  void doublesOfRepliesArriveBitForBit() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<List<Object>> rows = List.of(Arrays.asList(0.1 + 0.2, Long.MAX_VALUE, null, "x", 1e22));
    Reply.Result result = new Reply.Result(0.5, "cpu", rows, Map.of("m", 1L));
    String line = json.writeValueAsString(result);
    assertThat(json.treeToValue(Json.REPORT.readTree(line), Reply.Result.class)).isEqualTo(result);
  }
}
