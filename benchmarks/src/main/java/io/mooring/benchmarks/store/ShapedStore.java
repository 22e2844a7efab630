package io.mooring.benchmarks.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.store.StoredObjects.StoredObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * An S3 server in this process over files of this machine: it answers after the latency of its
 * shape, and sends at its bandwidth. It knows what S3A's reads need: HEAD, GET with a range, and
 * ListObjectsV2. Thread-safe.
 */
public final class ShapedStore implements AutoCloseable {

  private static final String BUCKET = "tables";
  private static final String PATH = "/" + BUCKET + "/";
  private static final int WAITING_CONNECTIONS = 1024;
  private static final int MOST_REQUESTS = 512;

  private final StoreShape shape;
  private final Tables tables;
  private final StoredObjects objects;
  private final ObjectBodies bodies;
  private final StoreTraffic traffic = new StoreTraffic();
  private final AtomicInteger addresses = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  private ShapedStore(StoreShape shape, Tables tables) throws IOException {
    this.shape = shape;
    this.tables = tables;
    this.objects = new StoredObjects(tables);
    this.bodies = new ObjectBodies(shape, traffic);
    // Else a response's head waits 40 ms for the acknowledgement of the packet before it.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "" + WAITING_CONNECTIONS);
    // Longer than S3A keeps a connection for its next request.
    System.setProperty("sun.net.httpserver.idleInterval", "300");
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), WAITING_CONNECTIONS);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
  }

  /** Starts a store that holds these tables. */
  public static ShapedStore start(StoreShape shape, Tables tables) {
    try {
      ShapedStore store = new ShapedStore(shape, tables);
      store.server.start();
      return store;
    } catch (IOException e) {
      throw UserError.failure("no store can be started: " + e.getMessage());
    }
  }

  /** How it answers. */
  public StoreShape shape() {
    return shape;
  }

  /** The requests since they were taken last. */
  public StoreTraffic traffic() {
    return traffic;
  }

  /** Addresses of the tables, by name, that no client has seen before. */
  public Map<String, String> newLocations() {
    int number = addresses.incrementAndGet();
    return tables.files().keySet().stream()
        .collect(
            Collectors.toMap(
                table -> table,
                table -> "s3a://" + BUCKET + "/" + number + "/" + table,
                (one, other) -> one,
                LinkedHashMap::new));
  }

  /** Spark's settings by which S3A reaches the store. */
  public Map<String, String> sparkConf() {
    Map<String, String> s3a = new LinkedHashMap<>();
    s3a.put("endpoint", endpoint());
    s3a.put("endpoint.region", "us-east-1");
    s3a.put("path.style.access", "true");
    s3a.put("connection.ssl.enabled", "false");
    s3a.put("access.key", "anybody");
    s3a.put("secret.key", "anything");
    // Else the client, not the store, says how many requests there are at a time.
    s3a.put("connection.maximum", Integer.toString(MOST_REQUESTS));
    s3a.put("threads.max", Integer.toString(MOST_REQUESTS));
    Map<String, String> conf = new LinkedHashMap<>();
    s3a.forEach((key, value) -> conf.put("spark.hadoop.fs.s3a." + key, value));
    return conf;
  }

  /** The address for a client on this machine. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    traffic.request();
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("x-amz-request-id", "1");
      if (query.contains("list-type=2")) {
        bodies.waitForLatency();
        sendListing(exchange, query);
      } else {
        sendObject(exchange, path.startsWith(PATH) ? path.substring(PATH.length()) : "");
      }
    }
  }

  private void sendListing(HttpExchange exchange, String query) throws IOException {
    byte[] body = ObjectListing.of(query).answer(BUCKET, objects).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private void sendObject(HttpExchange exchange, String key) throws IOException {
    Optional<StoredObject> object = objects.find(key);
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    if (!isHead && !exchange.getRequestMethod().equals("GET")) {
      bodies.waitForLatency();
      sendError(exchange, 405, "MethodNotAllowed");
    } else if (object.isEmpty()) {
      bodies.waitForLatency();
      sendError(exchange, 404, "NoSuchKey");
    } else if (isHead) {
      bodies.waitForLatency();
      ObjectBodies.describe(exchange, object.get());
      exchange.getResponseHeaders().set("Content-Length", "" + object.get().bytes());
      exchange.sendResponseHeaders(200, -1);
    } else {
      bodies.send(exchange, object.get());
    }
  }

  static void sendError(HttpExchange exchange, int status, String code) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    byte[] body = "<Error><Code>%s</Code></Error>".formatted(code).getBytes(UTF_8);
    exchange.getResponseHeaders().put("Content-Type", List.of("application/xml"));
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Stops it; requests in progress are broken off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
