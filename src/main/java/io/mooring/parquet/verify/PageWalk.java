package io.mooring.parquet.verify;

import io.mooring.parquet.bytes.FileRange;
import io.mooring.parquet.bytes.ThriftBytes;
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
final class PageWalk {
  // Statistics in headers hold values of the column; longer ones than this nobody writes.
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ChunkRules rules;
  private final List<FileRange> stretches;
  private final boolean checksums;
  private int stretch = -1;
  private long at;
  private long bodyEnd;
  private @Nullable PageBody body;
  private ByteBuffer begun = NOTHING;

  /**
   * @param stretches of the file that hold whole pages and nothing else
   * @throws IOException when there is none, and should be
   */
  PageWalk(ChunkRules rules, List<FileRange> stretches, boolean checksums) throws IOException {
    this.rules = rules;
    this.stretches = stretches;
    this.checksums = checksums;
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
  List<PageBody> through(ByteBuffer bytes, FileRange range) throws IOException {
    List<PageBody> bodies = new ArrayList<>();
    while (at < range.end()) {
      if (at < bodyEnd) {
        if (body != null) {
          bodies.add(body);
        }
        at = Math.min(bodyEnd, range.end());
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

  private void header(ByteBuffer ahead) throws IOException {
    ByteBuffer head = begun.limit() == 0 ? ahead : joined(begun, ahead);
    ThriftBytes thrift = new ThriftBytes(head);
    long start = at - begun.limit();
    long end = stretches.get(stretch).end();
    try {
      PageHead page = PageHeadReader.read(thrift);
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

  private void begin(PageHead page, long start) {
    FileRange range = new FileRange(start, page.compressedBytes());
    boolean checked = checksums && page.hasCrc() && range.length() > 0;
    body = checked ? new PageBody(range, page.crc()) : null;
    begun = NOTHING;
    at = start;
    bodyEnd = range.end();
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
