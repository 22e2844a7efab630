package io.mooring.stores;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Passes requests on to an S3 server, remembers them, and breaks those that a test wants broken.
 */
public final class StoreFront implements AutoCloseable {
  /** What becomes of a request. */
  public enum Fault {
    NONE,
    SLOW_DOWN,
    RESET,
    TRUNCATED,
    /** Half of the body, then nothing until the client hangs up or {@link #mend}. */
    STUCK,
    /** Half of the body, then a byte now and then, likewise. */
    TRICKLE
  }

  /** A request as it came: the range is that of the header, empty without one. */
  public record Request(String method, String path, String range) {}

  private static final Set<String> OWN_HEADERS =
      Set.of("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding");
  private static final int MOVED = 8 << 10;
  private static final long TRICKLE_MILLIS = 20;

  private final URI server;
  private final HttpServer front;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newBuilder().executor(threads).build();
  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private volatile Function<Request, Fault> faults = request -> Fault.NONE;
  private volatile CountDownLatch mended = new CountDownLatch(1);

  StoreFront(URI server) throws IOException {
    this.server = server;
    this.front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    front.createContext("/", this::answer);
    front.setExecutor(threads);
    front.start();
  }

  int port() {
    return front.getAddress().getPort();
  }

  /** Takes what has come since the last call. */
  public List<Request> takeRequests() {
    synchronized (requests) {
      List<Request> taken = List.copyOf(requests);
      requests.clear();
      return taken;
    }
  }

  /** For all requests from here on. */
  public void breakThose(Function<Request, Fault> next) {
    faults = next;
  }

  /** Answers none of the requests from here on before there have been so many; no fault. */
  public void answerTogether(int requests) {
    CountDownLatch all = new CountDownLatch(requests);
    breakThose(
        request -> {
          all.countDown();
          awaitAll(all);
          return Fault.NONE;
        });
  }

  private static void awaitAll(CountDownLatch requests) {
    try {
      if (!requests.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError(requests.getCount() + " more requests are waited for");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Nothing from here on, and what hangs ends. */
  public synchronized void mend() {
    faults = request -> Fault.NONE;
    mended.countDown();
    mended = new CountDownLatch(1);
  }

  /** One request in so many from here on, each by any of the faults after which clients go on. */
  public void breakOneIn(int many, Random random) {
    Fault[] all = {Fault.SLOW_DOWN, Fault.RESET, Fault.TRUNCATED};
    breakThose(
        request -> {
          synchronized (random) {
            return random.nextInt(many) == 0 ? all[random.nextInt(all.length)] : Fault.NONE;
          }
        });
  }

  private void answer(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    Request request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            range == null ? "" : range);
    requests.add(request);
    Fault fault = faults.apply(request);
    try (exchange) {
      if (fault == Fault.SLOW_DOWN) {
        slowDown(exchange);
      } else if (fault != Fault.RESET) {
        passOn(exchange, fault);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void slowDown(HttpExchange exchange) throws IOException {
    byte[] body =
        "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
            .getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(503, isHead ? -1 : body.length);
    if (!isHead) {
      exchange.getResponseBody().write(body);
    }
  }

  private void passOn(HttpExchange exchange, Fault fault) throws IOException, InterruptedException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    HttpResponse<InputStream> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!name.equalsIgnoreCase("transfer-encoding")) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
    send(exchange, response, fault);
  }

  private void send(HttpExchange exchange, HttpResponse<InputStream> response, Fault fault)
      throws IOException, InterruptedException {
    long length = response.headers().firstValueAsLong("content-length").orElse(0);
    try (InputStream body = response.body()) {
      if (exchange.getRequestMethod().equals("HEAD") || length == 0) {
        byte[] rest = body.readAllBytes();
        exchange.sendResponseHeaders(response.statusCode(), rest.length == 0 ? -1 : rest.length);
        if (rest.length > 0) {
          exchange.getResponseBody().write(rest);
        }
        return;
      }
      exchange.sendResponseHeaders(response.statusCode(), length);
      OutputStream to = exchange.getResponseBody();
      copy(body, to, fault == Fault.NONE ? length : length / 2);
      if (fault == Fault.STUCK) {
        mended.await();
      } else if (fault == Fault.TRICKLE) {
        trickle(to);
      }
    }
  }

  private static void copy(InputStream from, OutputStream to, long bytes) throws IOException {
    byte[] moved = new byte[MOVED];
    for (long left = bytes; left > 0; ) {
      int read = from.read(moved, 0, (int) Math.min(moved.length, left));
      if (read < 0) {
        return;
      }
      to.write(moved, 0, read);
      left -= read;
    }
    to.flush();
  }

  private void trickle(OutputStream to) throws IOException, InterruptedException {
    CountDownLatch end = mended;
    while (!end.await(TRICKLE_MILLIS, TimeUnit.MILLISECONDS)) {
      to.write(0);
      to.flush();
    }
  }

  @Override
  public void close() {
    mend();
    front.stop(0);
    threads.shutdownNow();
  }
}
