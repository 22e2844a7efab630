package io.mooring.expr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;

/** Compiles what {@link RegexTranslator} writes into a {@link ThreadEngine}, as libcudf does. */
final class ThreadEngineCompiler {
  /** A part of a pattern; its instructions go on at another one. */
  private interface Part {
    int compile(ThreadEngine engine, int next);
  }

  private final String pattern;
  private int at;
  private int groups;

  private ThreadEngineCompiler(String pattern) {
    this.pattern = pattern;
  }

  static ThreadEngine compile(String pattern) {
    ThreadEngineCompiler compiler = new ThreadEngineCompiler(pattern);
    Part all = compiler.branches();
    if (compiler.at < pattern.length()) {
      throw new IllegalArgumentException(pattern + " from " + compiler.at);
    }
    ThreadEngine engine = new ThreadEngine();
    engine.startAt(all.compile(engine, engine.match()));
    return engine;
  }

  private boolean skips(String text) {
    boolean found = pattern.startsWith(text, at);
    at += found ? text.length() : 0;
    return found;
  }

  private Part branches() {
    Part first = branch();
    while (skips("|")) {
      Part before = first;
      Part second = branch();
      first =
          (engine, next) ->
              engine.split(before.compile(engine, next), second.compile(engine, next));
    }
    return first;
  }

  private Part branch() {
    List<Part> parts = new ArrayList<>();
    while (at < pattern.length() && pattern.charAt(at) != '|' && pattern.charAt(at) != ')') {
      parts.add(repeated(one()));
    }
    return sequence(parts);
  }

  private static Part sequence(List<Part> parts) {
    List<Part> backwards = new ArrayList<>(parts);
    Collections.reverse(backwards);
    return (engine, next) -> {
      for (Part part : backwards) {
        next = part.compile(engine, next);
      }
      return next;
    };
  }

  private Part one() {
    if (skips("(?:")) {
      return closed(branches());
    } else if (skips("(")) {
      int group = ++groups;
      Part inner = closed(branches());
      return (engine, next) -> engine.open(group, inner.compile(engine, engine.close(group, next)));
    } else if (skips("[")) {
      IntPredicate set = set();
      return (engine, next) -> engine.character(set, next);
    }
    char c = pattern.charAt(at++);
    boolean isEscaped = c == '\\';
    char sign = isEscaped ? pattern.charAt(at++) : c;
    if ((isEscaped ? "bB" : "^$").indexOf(sign) >= 0) {
      return (engine, next) -> engine.assertion(sign, next);
    }
    IntPredicate set = !isEscaped && sign == '.' ? it -> it != '\n' : it -> it == sign;
    return (engine, next) -> engine.character(set, next);
  }

  private Part closed(Part inner) {
    if (!skips(")")) {
      throw new IllegalArgumentException(pattern + " from " + at);
    }
    return inner;
  }

  private IntPredicate set() {
    boolean isNegated = skips("^");
    List<int[]> ranges = new ArrayList<>();
    while (!skips("]")) {
      boolean isEscaped = skips("\\");
      char first = pattern.charAt(at++);
      boolean isRange = !isEscaped && pattern.charAt(at) == '-';
      char last = isRange ? pattern.charAt(at + 1) : first;
      at += isRange ? 2 : 0;
      ranges.add(new int[] {first, last});
    }
    return c -> isNegated ^ ranges.stream().anyMatch(range -> c >= range[0] && c <= range[1]);
  }

  /** Counted repetitions are written out: those that must be, and the others within each other. */
  private Part repeated(Part part) {
    if (skips("*")) {
      return loop(part, skips("?"));
    } else if (skips("+")) {
      return atLeastOnce(part, skips("?"));
    } else if (skips("?")) {
      return optional(part, skips("?"));
    } else if (!skips("{")) {
      return part;
    }
    int end = pattern.indexOf('}', at);
    String[] counts = pattern.substring(at, end).split(",", -1);
    at = end + 1;
    boolean isLazy = skips("?");
    int least = Integer.parseInt(counts[0]);
    List<Part> parts = new ArrayList<>(Collections.nCopies(least, part));
    String most = counts[counts.length - 1];
    if (most.isEmpty()) {
      parts.set(least - 1, atLeastOnce(part, isLazy));
      return sequence(parts);
    }
    Part rest = (engine, next) -> next;
    for (int i = least; i < Integer.parseInt(most); i++) {
      rest = optional(sequence(List.of(part, rest)), isLazy);
    }
    parts.add(rest);
    return sequence(parts);
  }

  private static Part optional(Part part, boolean isLazy) {
    return (engine, next) -> {
      int inner = part.compile(engine, next);
      return engine.split(isLazy ? next : inner, isLazy ? inner : next);
    };
  }

  private static Part loop(Part part, boolean isLazy) {
    return (engine, next) -> looped(part, isLazy, engine, next)[0];
  }

  private static Part atLeastOnce(Part part, boolean isLazy) {
    return (engine, next) -> looped(part, isLazy, engine, next)[1];
  }

  /** The instruction that decides about another round, and the first one of a round. */
  private static int[] looped(Part part, boolean isLazy, ThreadEngine engine, int next) {
    int split = engine.split(next, next);
    int inner = part.compile(engine, split);
    engine.direct(split, isLazy ? next : inner, isLazy ? inner : next);
    return new int[] {split, inner};
  }
}
