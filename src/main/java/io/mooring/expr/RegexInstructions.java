package io.mooring.expr;

import java.util.ArrayDeque;
import java.util.Deque;

/** The length of the program that libcudf makes of a pattern of {@link RegexTranslator}. */
public final class RegexInstructions {
  private static final int HEADER_BYTES = 128;
  // With its entry in the list of instructions that can be the first.
  private static final int INSTRUCTION_BYTES = 20;
  private static final int SET_BYTES = 16;
  private static final int RANGE_BYTES = 8;

  private final String pattern;
  private final Deque<Integer> outer = new ArrayDeque<>();
  private int at;
  private int sum;
  // The instructions of what a repetition would repeat.
  private int last;
  private int setBytes;

  private RegexInstructions(String pattern) {
    this.pattern = pattern;
  }

  /** The most instructions that the program has; libcudf needs memory for each of every row. */
  public static int most(String pattern) {
    return of(pattern).sum + 1;
  }

  /** The most bytes that the program takes on the device. */
  static int mostBytes(String pattern) {
    RegexInstructions all = of(pattern);
    return HEADER_BYTES + (all.sum + 1) * INSTRUCTION_BYTES + all.setBytes;
  }

  private static RegexInstructions of(String pattern) {
    RegexInstructions instructions = new RegexInstructions(pattern);
    while (instructions.at < pattern.length()) {
      instructions.next();
    }
    return instructions;
  }

  private void next() {
    char c = pattern.charAt(at++);
    switch (c) {
      case '(' -> {
        at += pattern.startsWith("?:", at) ? 2 : 0;
        outer.push(sum);
        sum = 0;
      }
      case ')' -> {
        int inner = sum + 2;
        sum = outer.pop();
        count(inner);
      }
      case '*', '+', '?', '|' -> sum++;
      case '{' -> repeat();
      case '[' -> {
        skipSet();
        count(1);
      }
      default -> {
        at += c == '\\' ? 1 : 0;
        count(1);
      }
    }
  }

  private void count(int instructions) {
    last = instructions;
    sum += instructions;
  }

  private void repeat() {
    int end = pattern.indexOf('}', at);
    String[] counts = pattern.substring(at, end).split(",");
    int times = Integer.parseInt(counts[counts.length - 1]);
    sum += last * (times - 1) + times;
    at = end + 1;
  }

  private void skipSet() {
    int start = at;
    while (pattern.charAt(at) != ']') {
      at += pattern.charAt(at) == '\\' ? 2 : 1;
    }
    setBytes += SET_BYTES + (at - start) * RANGE_BYTES;
    at++;
  }
}
