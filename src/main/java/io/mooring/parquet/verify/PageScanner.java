package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.thrift.ThriftReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the pages of a column chunk, from header to header, as its bytes come in order.
 * Belongs to one thread at a time.
 */
final class PageScanner {
  // Statistics in headers hold values of the column; longer ones than this nobody writes.
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final PageHeaderCheck rules;
  private final List<FileRange> stretches;
  private final boolean checksums;
  private final @Nullable CompressedStream stream;
  private final DamageReport report;
  private int stretch = -1;
  private long at;
  private long bodyEnd;
  // Where the compressed values of the page begin, of which a stream is expected; behind it if not.
  private long values;
  private @Nullable PageChecksum body;
  private ByteBuffer begun = NOTHING;

  /**
   * @param stretches of the file that hold whole pages and nothing else
   * @param stream what values are compressed as; null for anything
   * @param report is told of those that are not
   * @throws IOException when there is none, and should be
   */
  PageScanner(
      PageHeaderCheck rules,
      List<FileRange> stretches,
      boolean checksums,
      @Nullable CompressedStream stream,
      DamageReport report)
      throws IOException {
    this.rules = rules;
    this.stretches = stretches;
    this.checksums = checksums;
    this.stream = stream;
    this.report = report;
    nextStretch();
  }

  /** The file offset that the next bytes have to begin at; -1 when there are none to come. */
  long at() {
    return at;
  }

  /**
   * Walks to the end of some bytes.
   *
   * @param range where in the file they are; inside one stretch, and it begins at {@link #at}
   * @return the pages with a checksum that lie in them, at least partly
   * @throws IOException when a header is damaged, or the pages do not fit the stretch
   */
  List<PageChecksum> through(ByteBuffer bytes, FileRange range) throws IOException {
    List<PageChecksum> bodies = new ArrayList<>();
    while (at < range.end()) {
      if (at < bodyEnd) {
        if (body != null) {
          bodies.add(body);
        }
        pass(bytes, range);
      } else {
        header(bytes.slice((int) (at - range.offset()), (int) (range.end() - at)));
      }
    }
    // A page of no bytes can be the last one of its stretch.
    if (at == stretches.get(stretch).end()) {
      nextStretch();
    }
    return bodies;
  }

  /** Goes to the end of a page, or of what is there of it. */
  private void pass(ByteBuffer bytes, FileRange range) {
    long from = Math.max(at, values);
    at = Math.min(bodyEnd, range.end());
    if (stream == null || values == bodyEnd) {
      return;
    }
    if (from < at) {
      stream.add(bytes.slice((int) (from - range.offset()), (int) (at - from)));
    }
    String problem = at == bodyEnd ? stream.problem() : null;
    if (problem != null) {
      report.compression(values, problem);
    }
  }

  private void header(ByteBuffer ahead) throws IOException {
    ByteBuffer head = begun.limit() == 0 ? ahead : joined(begun, ahead);
    ThriftReader thrift = new ThriftReader(head);
    long start = at - begun.limit();
    long end = stretches.get(stretch).end();
    try {
      PageHeader page = PageHeaderReader.read(thrift);
      long bodyStart = start + thrift.position();
      rules.check(page, thrift.position(), end - bodyStart);
      int there = Math.min(page.compressedBytes(), head.limit() - thrift.position());
      rules.checkBeginning(page, head.slice(thrift.position(), there));
      begin(page, bodyStart);
    } catch (EOFException e) {
      at += ahead.limit();
      begun = head == ahead ? joined(NOTHING, ahead) : head;
      if (at == end || begun.limit() >= MOST_HEADER_BYTES) {
        throw new IOException("its header does not end", e);
      }
    }
  }

  private void begin(PageHeader page, long start) {
    FileRange range = new FileRange(start, page.compressedBytes());
    boolean checked = checksums && page.hasCrc() && range.length() > 0;
    body = checked ? new PageChecksum(range, page.crc()) : null;
    begun = NOTHING;
    at = start;
    bodyEnd = range.end();
    int levels = page.definitionBytes() + page.repetitionBytes();
    values = page.compressed() ? start + levels : bodyEnd;
    if (stream != null && values < bodyEnd) {
      stream.begin((int) (bodyEnd - values), page.uncompressedBytes() - levels);
    }
  }

  /** More of a header, as far as one goes. */
  private static ByteBuffer joined(ByteBuffer first, ByteBuffer then) {
    int more = Math.min(then.limit(), MOST_HEADER_BYTES);
    ByteBuffer all = ByteBuffer.allocate(first.limit() + more);
    return all.put(first.duplicate().rewind()).put(then.slice(0, more)).flip();
  }

  private void nextStretch() throws IOException {
    stretch++;
    if (stretch < stretches.size()) {
      at = stretches.get(stretch).offset();
      bodyEnd = at;
    } else {
      at = -1;
      rules.end();
    }
  }
}
