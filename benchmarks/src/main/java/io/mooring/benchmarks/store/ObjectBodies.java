package io.mooring.benchmarks.store;

import com.sun.net.httpserver.HttpExchange;
import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.store.StoredObjects.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Responses with the bytes of objects, as late and as slowly as the shape of the store says. */
final class ObjectBodies {

  /** Bytes that go over the line in one piece: 2 ms of a connection of 60 MB/s. */
  private static final int PIECE = 128 << 10;

  private final StoreShape shape;
  private final StoreTraffic traffic;
  private final Optional<Bandwidth> all;

  ObjectBodies(StoreShape shape, StoreTraffic traffic) {
    this.shape = shape;
    this.traffic = traffic;
    this.all = shape.all().map(Bandwidth::new);
  }

  void waitForLatency() {
    long end = System.nanoTime() + shape.latency().toNanos();
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Sends all of an object, or the range that is asked for. */
  void send(HttpExchange exchange, StoredObject object) throws IOException {
    long start = System.nanoTime();
    traffic.beginRead();
    long sent = 0;
    try {
      waitForLatency();
      String range = exchange.getRequestHeaders().getFirst("Range");
      Optional<ByteRange> asked = ByteRange.of(range, object.bytes());
      if (asked.isEmpty()) {
        ShapedStore.sendError(exchange, 416, "InvalidRange");
        return;
      }
      sendHead(exchange, object, asked.get(), range != null);
      sent = sendBytes(exchange.getResponseBody(), object, asked.get());
    } finally {
      traffic.endRead(sent, System.nanoTime() - start);
    }
  }

  private static void sendHead(
      HttpExchange exchange, StoredObject object, ByteRange range, boolean isPart)
      throws IOException {
    describe(exchange, object);
    if (isPart) {
      String part = "bytes %d-%d/%d".formatted(range.first(), range.last(), object.bytes());
      exchange.getResponseHeaders().set("Content-Range", part);
    }
    exchange.sendResponseHeaders(isPart ? 206 : 200, range.length() == 0 ? -1 : range.length());
  }

  static void describe(HttpExchange exchange, StoredObject object) {
    var headers = exchange.getResponseHeaders();
    headers.set("ETag", object.tag());
    headers.set("Accept-Ranges", "bytes");
    headers.set("Content-Type", "application/octet-stream");
    Instant modified = Instant.ofEpochMilli(object.modifiedMillis());
    headers.set(
        "Last-Modified",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(modified.atOffset(ZoneOffset.UTC)));
  }

  /** Sends a range; returns how many of its bytes had gone when the client hung up, if it did. */
  private long sendBytes(OutputStream to, StoredObject object, ByteRange range) throws IOException {
    Bandwidth connection = new Bandwidth(shape.connection());
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    long sent = 0;
    try (FileChannel file = FileChannel.open(object.file())) {
      while (sent < range.length()) {
        piece.clear().limit((int) Math.min(PIECE, range.length() - sent));
        int read = file.read(piece, range.first() + sent);
        if (read < 0) {
          throw new IOException(object.file() + " has become shorter");
        }
        all.ifPresent(line -> line.pass(read));
        connection.pass(read);
        try {
          to.write(piece.array(), 0, read);
        } catch (IOException e) {
          return sent;
        }
        sent += read;
      }
    }
    return sent;
  }

  /** A range of bytes, from the first to the last, both included; {@code last < first} is none. */
  record ByteRange(long first, long last) {

    /**
     * Parses a header {@code Range}, which may be null and then stands for the whole object.
     *
     * @param bytes size of the object
     * @return empty for a range that the object does not have
     */
    static Optional<ByteRange> of(String header, long bytes) {
      if (header == null) {
        return Optional.of(new ByteRange(0, bytes - 1));
      }
      String[] ends = header.replace("bytes=", "").split("-", -1);
      long first = ends[0].isEmpty() ? bytes - Long.parseLong(ends[1]) : Long.parseLong(ends[0]);
      boolean isOpen = ends[0].isEmpty() || ends[1].isEmpty();
      long last = isOpen ? bytes - 1 : Math.min(Long.parseLong(ends[1]), bytes - 1);
      return first >= bytes || last < first
          ? Optional.empty()
          : Optional.of(new ByteRange(Math.max(0, first), last));
    }

    long length() {
      return last - first + 1;
    }
  }

  /** A line of some bytes a second, which its users share in the order in which they come. */
  private static final class Bandwidth {

    /** The most idle time that later bytes may make up for, because sleeps end too late. */
    private static final long ARREARS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final double nanosPerByte;
    private double freeAt = System.nanoTime();

    Bandwidth(ByteSize perSecond) {
      this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / perSecond.bytes();
    }

    /** Returns when so many bytes have gone over the line. */
    void pass(int bytes) {
      long end = occupy(bytes);
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }

    private synchronized long occupy(int bytes) {
      freeAt = Math.max(freeAt, System.nanoTime() - ARREARS_NANOS) + bytes * nanosPerByte;
      return (long) freeAt;
    }
  }
}
