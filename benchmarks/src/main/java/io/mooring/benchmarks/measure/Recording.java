package io.mooring.benchmarks.measure;

import io.mooring.benchmarks.report.Run;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The rows of a benchmark while it runs; safe to read from a shutdown hook at any moment. */
public final class Recording {

  private final List<Run> runs = new ArrayList<>();
  private final Set<String> problems = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private Consumer<Run> listener = run -> {};

  /** Sets who hears of each row as it comes. */
  public synchronized void onRun(Consumer<Run> listener) {
    this.listener = listener;
  }

  /** Adds one row. */
  public synchronized void add(Run run) {
    runs.add(run);
    listener.accept(run);
  }

  /**
   * A wrong result or a run that failed: the benchmark exits 1. Said once, however often it comes.
   */
  public synchronized void problem(String what) {
    problems.add(what);
  }

  /** Something that a reader has to know. */
  public synchronized void note(String what) {
    notes.add(what);
  }

  /** The rows so far. */
  public synchronized List<Run> runs() {
    return List.copyOf(runs);
  }

  /** The problems so far. */
  public synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  /** Problems first, then notes. */
  public synchronized List<String> notes() {
    List<String> all = new ArrayList<>(problems);
    all.addAll(notes);
    return all;
  }
}
