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
 * Scans the pages of a column chunk, from header to header, as its bytes come in order. Used by one
 * thread at a time.
 */
final class PageScanner {
  // Statistics in headers hold values of the column; no writer makes a header this long.
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final PageHeaderCheck rules;
  private final PageBeginning beginning;
  private final List<FileRange> ranges;
  private final boolean checksums;
  private final @Nullable CompressedStream stream;
  private final DamageCollector.OfColumn report;
  private int current = -1;
  private long at;
  private long bodyEnd;
  // Where the compressed values of the page begin; its end where they are not to be checked.
  private long values;
  private @Nullable PageChecksum body;
  private ByteBuffer begun = NOTHING;

  /**
   * @param ranges of the file that hold whole pages and nothing else
   * @param stream checks how values are compressed; null for any compression
   * @param report takes pages that are compressed otherwise
   * @throws IOException when there are no pages, and should be
   */
  PageScanner(
      PageHeaderCheck rules,
      PageBeginning beginning,
      List<FileRange> ranges,
      boolean checksums,
      @Nullable CompressedStream stream,
      DamageCollector.OfColumn report)
      throws IOException {
    this.rules = rules;
    this.beginning = beginning;
    this.ranges = ranges;
    this.checksums = checksums;
    this.stream = stream;
    this.report = report;
    nextRange();
  }

  /** The file offset at which the next bytes have to begin; -1 after the last. */
  long at() {
    return at;
  }

  /**
   * Scans to the end of some bytes.
   *
   * @param range their range in the file; inside one of the ranges, and beginning at {@link #at}
   * @return the pages with a checksum that lie in them at least partly
   * @throws IOException when a header is damaged, or the pages do not fit the range
   */
  List<PageChecksum> scan(ByteBuffer bytes, FileRange range) throws IOException {
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
    // A page without bytes can be the last one of its range.
    if (at == ranges.get(current).end()) {
      nextRange();
    }
    return bodies;
  }

  /** Passes the part of a page's body that has been read. */
  private void pass(ByteBuffer bytes, FileRange range) throws IOException {
    long end = Math.min(bodyEnd, range.end());
    beginning.add(bytes.slice((int) (at - range.offset()), (int) (end - at)));
    long from = Math.max(at, values);
    at = end;
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
    long end = ranges.get(current).end();
    try {
      PageHeader page = PageHeaderReader.read(thrift);
      long bodyStart = start + thrift.position();
      rules.check(page, thrift.position(), end - bodyStart);
      begin(page, bodyStart);
    } catch (EOFException e) {
      at += ahead.limit();
      begun = head == ahead ? joined(NOTHING, ahead) : head;
      if (at == end || begun.limit() >= MOST_HEADER_BYTES) {
        throw new IOException("its header does not end", e);
      }
    }
  }

  private void begin(PageHeader page, long start) throws IOException {
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
    beginning.begin(page);
  }

  /** The beginning of a header with more bytes, up to a header's greatest length. */
  private static ByteBuffer joined(ByteBuffer first, ByteBuffer then) {
    int more = Math.min(then.limit(), MOST_HEADER_BYTES);
    ByteBuffer all = ByteBuffer.allocate(first.limit() + more);
    return all.put(first.duplicate().rewind()).put(then.slice(0, more)).flip();
  }

  private void nextRange() throws IOException {
    current++;
    if (current < ranges.size()) {
      at = ranges.get(current).offset();
      bodyEnd = at;
    } else {
      at = -1;
      rules.end();
    }
  }
}
