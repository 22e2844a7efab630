package io.mooring.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {

  static List<Request> requests() {
    return List.of(
        new Request.Start(4, Map.of("k", "v")),
        new Request.ReplacePool(),
        new Request.Open("t", "parquet", List.of("file:/a b")),
        new Request.Query("SELECT 'a\nb'", true),
        new Request.Generate("/d", 10, -1, 5, "zstd"),
        new Request.OpenFiles(List.of("/a"), Map.of("k", "v")),
        new Request.RunStep("read", 4, 2),
        new Request.Stop());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void requestsArriveOnOneLine(Request request) {
    assertThat(Wire.line(request)).doesNotContain("\n");
    assertThat(Wire.request(Wire.line(request))).isEqualTo(request);
  }

  @Test
  void doublesArriveBitForBit() {
    List<List<Object>> rows = List.of(Arrays.asList(0.1 + 0.2, Long.MAX_VALUE, null, "x", 1e22));
    Reply.Result result = new Reply.Result(0.5, "cpu", rows, Map.of("m", 1L));
    assertThat(Wire.line(result)).startsWith("{\"is\":");
    assertThat(Wire.reply(Wire.line(result))).isEqualTo(result);
  }

  @Test
  void failuresArrive() {
    assertThat(Wire.reply(Wire.line(new Reply.Failed("no \"such\" file"))))
        .isEqualTo(new Reply.Failed("no \"such\" file"));
  }
}
