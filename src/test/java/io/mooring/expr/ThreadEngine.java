package io.mooring.expr;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * libcudf's engine of threads: a program whose threads read a text together. The first thread in
 * the list is what a backtracking engine would try first; one that comes to an instruction where
 * there is one already ends.
 */
final class ThreadEngine {
  private enum Kind {
    CHARACTER,
    OPEN,
    CLOSE,
    BEGIN,
    END,
    BOUNDARY,
    NO_BOUNDARY,
    SPLIT,
    MATCH
  }

  private record Instruction(Kind kind, IntPredicate set, int group, int next, int other) {}

  private record Thread(int at, int begin, int end) {}

  /** Threads at different instructions, in the order of priority. */
  private static final class Threads extends ArrayList<Thread> {
    private final BitSet instructions = new BitSet();

    void start(int at, int begin, int end) {
      if (!instructions.get(at)) {
        instructions.set(at);
        add(new Thread(at, begin, end));
      }
    }
  }

  private final List<Instruction> program = new ArrayList<>();
  private int start;

  private int add(Kind kind, IntPredicate set, int group, int next, int other) {
    program.add(new Instruction(kind, set, group, next, other));
    return program.size() - 1;
  }

  int character(IntPredicate set, int next) {
    return add(Kind.CHARACTER, set, 0, next, -1);
  }

  /** An assertion: one of ^, $, b and B. */
  int assertion(char sign, int next) {
    Kind kind =
        switch (sign) {
          case '^' -> Kind.BEGIN;
          case '$' -> Kind.END;
          case 'b' -> Kind.BOUNDARY;
          default -> Kind.NO_BOUNDARY;
        };
    return add(kind, c -> false, 0, next, -1);
  }

  int open(int group, int next) {
    return add(Kind.OPEN, c -> false, group, next, -1);
  }

  int close(int group, int next) {
    return add(Kind.CLOSE, c -> false, group, next, -1);
  }

  /** Two ways; which instructions they lead to can be said later. */
  int split(int first, int second) {
    return add(Kind.SPLIT, c -> false, 0, first, second);
  }

  void direct(int split, int first, int second) {
    program.set(split, new Instruction(Kind.SPLIT, c -> false, 0, first, second));
  }

  int match() {
    return add(Kind.MATCH, c -> false, 0, -1, -1);
  }

  /** The number of instructions. */
  int size() {
    return program.size();
  }

  void startAt(int instruction) {
    start = instruction;
  }

  /** The begin and end of the first match from a position on; null if there is none. */
  int @Nullable [] find(int[] text, int from) {
    return run(text, from, Integer.MAX_VALUE, 0);
  }

  /** The begin and end of a group in the match that begins at a position; null if it has none. */
  int @Nullable [] group(int[] text, int begin, int group) {
    int[] found = run(text, begin, begin + 1, group);
    return found == null || found[0] < 0 ? null : found;
  }

  private int @Nullable [] run(int[] text, int from, int lastStart, int group) {
    int[] found = null;
    Threads threads = new Threads();
    for (int at = from; at <= text.length && (found == null || !threads.isEmpty()); at++) {
      if (found == null && at < lastStart) {
        threads.start(start, group == 0 ? at : -1, -1);
      }
      Threads advanced = new Threads();
      for (Thread thread : expanded(threads, text, at, group)) {
        Instruction instruction = program.get(thread.at);
        if (instruction.kind == Kind.MATCH) {
          found = new int[] {thread.begin, group == 0 ? at : thread.end};
          break;
        } else if (at < text.length && instruction.set.test(text[at])) {
          advanced.start(instruction.next, thread.begin, thread.end);
        }
      }
      threads = advanced;
    }
    return found;
  }

  /** The threads once all are at characters or at the end, step by step. */
  private Threads expanded(Threads threads, int[] text, int at, int group) {
    boolean isExpanded = true;
    while (isExpanded) {
      isExpanded = false;
      Threads next = new Threads();
      for (Thread thread : threads) {
        Kind kind = program.get(thread.at).kind;
        isExpanded |= kind != Kind.CHARACTER && kind != Kind.MATCH;
        expand(thread, text, at, group, next);
      }
      threads = next;
    }
    return threads;
  }

  private void expand(Thread thread, int[] text, int at, int group, Threads next) {
    Instruction instruction = program.get(thread.at);
    boolean isGroup = instruction.group == group;
    switch (instruction.kind) {
      case CHARACTER, MATCH -> next.start(thread.at, thread.begin, thread.end);
      case OPEN -> next.start(instruction.next, isGroup ? at : thread.begin, thread.end);
      case CLOSE -> next.start(instruction.next, thread.begin, isGroup ? at : thread.end);
      case SPLIT -> {
        next.start(instruction.next, thread.begin, thread.end);
        next.start(instruction.other, thread.begin, thread.end);
      }
      default -> {
        if (holds(instruction.kind, text, at)) {
          next.start(instruction.next, thread.begin, thread.end);
        }
      }
    }
  }

  private static boolean holds(Kind assertion, int[] text, int at) {
    boolean isBoundary = (at > 0 && isWord(text[at - 1])) != (at < text.length && isWord(text[at]));
    return switch (assertion) {
      case BEGIN -> at == 0;
      case END -> at == text.length || at == text.length - 1 && text[at] == '\n';
      case BOUNDARY -> isBoundary;
      default -> !isBoundary;
    };
  }

  private static boolean isWord(int c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }
}
