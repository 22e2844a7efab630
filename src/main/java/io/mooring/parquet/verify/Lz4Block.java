package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a page is one LZ4 block of the page's length, by the lengths of its literals and
 * matches. A block does not say where it ends, so that a decoder takes what follows for more of it.
 * Takes time in proportion to the number of literals and matches. After lz4_Block_format.md.
 */
final class Lz4Block extends CompressedStream {
  static final String PROBLEM = "a page is not one plain LZ4 block";
  private static final int LONG = 15;
  private static final int LEAST_MATCH = 4;
  // Decoders copy more than they need, but for so many bytes before the end.
  private static final int LAST_LITERALS = 5;
  private static final int BEHIND_LAST_MATCH = 12;
  private static final int MOST_OF_BYTE = 255;
  private static final int MOST_OF_SHORT = 1 + (LONG - 1) + 2;

  private enum Next {
    TOKEN,
    LENGTH_OF_LITERALS,
    LITERALS,
    OFFSET,
    SECOND_BYTE_OF_OFFSET,
    LENGTH_OF_MATCH
  }

  private Next next = Next.TOKEN;
  private int length;
  private int uncompressed;
  private int at;
  // Longs: lengths in the page may exceed it.
  private long literals;
  private long match;
  private long decoded;
  private long matchStart;
  private long matchEnd;
  private int offset;
  private boolean plain;

  @Override
  void begin(int compressedBytes, int uncompressedBytes) {
    next = Next.TOKEN;
    length = compressedBytes;
    uncompressed = uncompressedBytes;
    at = 0;
    decoded = 0;
    match = 0;
    matchStart = -1;
    matchEnd = -1;
    plain = true;
  }

  @Override
  void add(ByteBuffer bytes) {
    int end = bytes.limit();
    int i = 0;
    while (plain && i < end) {
      int behindShort = next == Next.TOKEN ? addShort(bytes, i, end - MOST_OF_SHORT) : i;
      if (behindShort > i) {
        i = behindShort;
      } else if (next == Next.LITERALS) {
        int more = (int) Math.min(literals, end - i);
        i += more;
        addLiterals(more);
      } else {
        step(bytes.get(i++) & 0xff);
      }
    }
    at += end;
  }

  /**
   * Adds literals and matches whose lengths are in their tokens, which most are, as fast as it
   * goes.
   *
   * @return the place of the first other token, or of one behind {@code last}
   */
  private int addShort(ByteBuffer bytes, int from, int last) {
    int i = from;
    while (i <= last) {
      int token = bytes.get(i) & 0xff;
      int literal = token >> 4;
      int more = token & LONG;
      if (literal == LONG || more == LONG) {
        return i;
      }
      i += 1 + literal;
      int back = bytes.get(i) & 0xff | (bytes.get(i + 1) & 0xff) << 8;
      i += 2;
      matchStart = decoded + literal;
      decoded = matchStart + more + LEAST_MATCH;
      matchEnd = decoded;
      if (back == 0 || back > matchStart || decoded > uncompressed) {
        plain = false;
        return i;
      }
    }
    return i;
  }

  private void step(int value) {
    switch (next) {
      case TOKEN -> token(value);
      case LENGTH_OF_LITERALS -> {
        literals += value;
        next = value == MOST_OF_BYTE ? next : Next.LITERALS;
      }
      case OFFSET -> {
        offset = value;
        next = Next.SECOND_BYTE_OF_OFFSET;
      }
      case SECOND_BYTE_OF_OFFSET -> {
        offset |= value << 8;
        plain = offset > 0 && offset <= decoded;
        next = Next.LENGTH_OF_MATCH;
        if (match < LONG) {
          addMatch();
        }
      }
      case LENGTH_OF_MATCH -> {
        match += value;
        if (value != MOST_OF_BYTE) {
          addMatch();
        }
      }
      case LITERALS -> throw new IllegalStateException("Literals are skipped");
    }
  }

  private void token(int value) {
    literals = value >> 4;
    match = value & LONG;
    next = literals == LONG ? Next.LENGTH_OF_LITERALS : literals == 0 ? Next.OFFSET : Next.LITERALS;
  }

  private void addLiterals(int more) {
    literals -= more;
    decoded += more;
    next = literals == 0 ? Next.OFFSET : next;
    plain &= decoded <= uncompressed;
  }

  private void addMatch() {
    matchStart = decoded;
    decoded += match + LEAST_MATCH;
    matchEnd = decoded;
    next = Next.TOKEN;
    plain &= decoded <= uncompressed;
  }

  /** The last token has literals alone. */
  @Override
  @Nullable String problem() {
    boolean ended = next == Next.OFFSET || length == 0;
    boolean hasLiterals =
        matchStart < 0
            || (matchEnd + LAST_LITERALS <= decoded && matchStart + BEHIND_LAST_MATCH <= decoded);
    boolean fits = at == length && decoded == uncompressed && (decoded > 0 || match == 0);
    return plain && ended && hasLiterals && fits ? null : PROBLEM;
  }
}
