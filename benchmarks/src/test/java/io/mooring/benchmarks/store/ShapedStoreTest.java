package io.mooring.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.Tables;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapedStoreTest {

  private static final int BYTES = 1 << 20;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private Path folder;
  private final byte[] content = new byte[BYTES];
  private ShapedStore store;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(content);
    Files.createDirectories(folder.resolve("sales/day=1 & 2"));
    Files.write(folder.resolve("sales/a.parquet"), content);
    Files.write(folder.resolve("sales/b.parquet"), content);
    Files.write(folder.resolve("sales/day=1 & 2/c.parquet"), content);
    Files.write(folder.resolve("items.parquet"), content);
    restart("s3,0ms,1g");
  }

  private void restart(String shape) {
    if (store != null) {
      store.close();
    }
    Tables tables =
        Tables.named(
            List.of("s=" + folder.resolve("sales"), "i=" + folder.resolve("items.parquet")));
    store = ShapedStore.start(StoreShape.parse(shape), tables);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private HttpResponse<byte[]> send(String method, String path, String range) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(store.endpoint() + "/tables" + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!range.isEmpty()) {
      request.header("Range", range);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  @Test
  void anObjectIsFoundUnderEveryAddress() throws Exception {
    assertThat(store.newLocations())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("s", "s3a://tables/1/s", "i", "s3a://tables/1/i"));
    assertThat(store.newLocations()).containsEntry("s", "s3a://tables/2/s");
    for (String path : List.of("/1/s/a.parquet", "/2/s/day%3D1%20%26%202/c.parquet")) {
      assertThat(send("GET", path, "").body()).isEqualTo(content);
      assertThat(send("GET", path, "").statusCode()).isEqualTo(200);
    }
    assertThat(send("GET", "/1/i/items.parquet", "").body()).isEqualTo(content);
    HttpResponse<byte[]> head = send("HEAD", "/1/s/a.parquet", "");
    assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(BYTES);
    assertThat(head.headers().firstValue("ETag")).isPresent();
    assertThat(send("HEAD", "/1/s/z.parquet", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/1/s", "").statusCode()).isEqualTo(404);
    assertThat(send("PUT", "/1/s/a.parquet", "").statusCode()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 1",
    "bytes=5-1000, 5, 1001",
    "bytes=1048000-, 1048000, 1048576",
    "bytes=1048000-2000000, 1048000, 1048576",
    "bytes=-8, 1048568, 1048576",
  })
  void aRangeIsAnsweredByItsBytes(String range, int from, int to) throws Exception {
    HttpResponse<byte[]> response = send("GET", "/1/s/a.parquet", range);
    assertThat(response.statusCode()).isEqualTo(206);
    assertThat(response.body()).isEqualTo(Arrays.copyOfRange(content, from, to));
    assertThat(response.headers().firstValue("Content-Range"))
        .hasValue("bytes %d-%d/%d".formatted(from, to - 1, BYTES));
  }

  @Test
  void aRangeBehindTheEndIsNone() throws Exception {
    assertThat(send("GET", "/1/s/a.parquet", "bytes=1048576-").statusCode()).isEqualTo(416);
  }

  private String list(String prefix, String more) throws Exception {
    String encoded = URLEncoder.encode(prefix, StandardCharsets.UTF_8);
    return new String(
        send("GET", "?list-type=2&prefix=" + encoded + more, "").body(), StandardCharsets.UTF_8);
  }

  private static List<String> elements(String xml, String name) {
    return Pattern.compile("<" + name + ">([^<]*)</")
        .matcher(xml)
        .results()
        .map(m -> m.group(1))
        .toList();
  }

  @Test
  void listingsHaveKeysOrFolders() throws Exception {
    String all = list("7/s/", "");
    assertThat(elements(all, "Key"))
        .containsExactly("7/s/a.parquet", "7/s/b.parquet", "7/s/day%3D1+%26+2/c.parquet");
    assertThat(elements(all, "Size")).containsOnly("" + BYTES);
    String flat = list("7/s/", "&delimiter=%2F");
    assertThat(elements(flat, "Key")).containsExactly("7/s/a.parquet", "7/s/b.parquet");
    assertThat(flat).contains("<CommonPrefixes><Prefix>7/s/day%3D1+%26+2/</Prefix>");
    assertThat(elements(list("7/z/", ""), "Key")).isEmpty();
  }

  @Test
  void pagesOfAListingMakeItUp() throws Exception {
    List<String> keys = new ArrayList<>();
    String token = "";
    for (int page = 0; page < 10; page++) {
      String xml = list("7/s/", "&delimiter=%2F&max-keys=1" + token);
      keys.addAll(elements(xml, "Key"));
      keys.addAll(elements(xml.replaceFirst("<Prefix>7/s/</Prefix>", ""), "Prefix"));
      if (elements(xml, "IsTruncated").equals(List.of("false"))) {
        break;
      }
      token = "&continuation-token=" + elements(xml, "NextContinuationToken").get(0);
    }
    assertThat(keys).containsExactly("7/s/a.parquet", "7/s/b.parquet", "7/s/day%3D1+%26+2/");
  }

  private static double seconds(Duration since) {
    return Duration.ofNanos(System.nanoTime()).minus(since).toNanos() / 1e9;
  }

  private double secondsFor(int requests) {
    Duration start = Duration.ofNanos(System.nanoTime());
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(store.endpoint() + "/tables/1/s/a.parquet")).build();
      all.add(CLIENT.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    return seconds(start);
  }

  @Test
  void itIsAsSlowAsItsShape() {
    restart("s3,200ms,2m");
    assertThat(secondsFor(1)).as("latency and half a second of sending").isGreaterThan(0.68);
    restart("s3,0ms,2m");
    double alone = secondsFor(1);
    assertThat(secondsFor(4)).as("each connection has its own").isLessThan(alone * 3);
    restart("s3,0ms,1g,4m");
    assertThat(secondsFor(4)).as("4 MiB over a line of 4 MiB a second").isGreaterThan(0.97);
  }

  @Test
  void requestsAreCountedUntilTheyAreTaken() throws Exception {
    restart("s3,100ms,1g");
    secondsFor(4);
    send("HEAD", "/1/s/a.parquet", "");
    assertThat(store.traffic().take())
        .containsEntry(StoreTraffic.REQUESTS, 5L)
        .containsEntry(StoreTraffic.READS, 4L)
        .containsEntry(StoreTraffic.BYTES, 4L * BYTES)
        .containsEntry(StoreTraffic.MOST_AT_ONCE, 4L)
        .hasEntrySatisfying(
            StoreTraffic.IN_PROGRESS_NANOS,
            nanos -> assertThat(nanos).isGreaterThan(Duration.ofMillis(4 * 100).toNanos()));
    assertThat(store.traffic().take().values()).containsOnly(0L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3",
        "gcs,30ms,60m",
        "s3,30,60m",
        "s3,30ms,fast",
        "s3,30ms,60m,1g,2g",
        "s3,30ms,0"
      })
  void aShapeThatIsNoneIsAnError(String text) {
    assertThatThrownBy(() -> StoreShape.parse(text))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("--store " + text)
        .hasMessageContaining("s3,30ms,60m,2g");
  }

  @Test
  void bandwidthIsThatOfTheConnectionsOrOfAll() {
    StoreShape shape = StoreShape.parse("s3,30ms,1m,4m");
    assertThat(shape.bytesPerSecond(3)).isEqualTo(3 << 20);
    assertThat(shape.bytesPerSecond(30)).isEqualTo(4 << 20);
    assertThat(StoreShape.parse("s3,30ms,1m").bytesPerSecond(30)).isEqualTo(30 << 20);
  }
}
