package io.mooring.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The independent samples of one query under one arm. What a process has by chance (what its JIT
 * compiled, where its memory lies) stays with it for all its runs, so that a process is the sample
 * wherever there are several of them: T. Kalibera and R. Jones, Rigorous Benchmarking in Reasonable
 * Time, ISMM 2013.
 *
 * @param unit what one sample is
 * @param groups the runs of each sample, none of them empty, in the order of the unit's numbers
 */
public record Samples(Unit unit, List<List<Run>> groups) {

  /** The unit of a sample. */
  public enum Unit {
    /** One run. */
    RUN,
    /** All runs of one process. */
    PROCESS;

    private int number(Run run) {
      return this == RUN ? run.round() : run.process();
    }

    /** The name in reports and on pages. */
    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The unit for two arms: processes where both ran in several, else runs. */
  public static Unit unit(List<Run> a, List<Run> b) {
    return Math.min(processes(a), processes(b)) > 1 ? Unit.PROCESS : Unit.RUN;
  }

  /** The samples of one query under one arm. */
  public static Samples of(List<Run> runs, Unit unit) {
    if (unit == Unit.RUN) {
      return new Samples(
          unit, runs.stream().sorted(Comparator.comparingInt(Run::round)).map(List::of).toList());
    }
    TreeMap<Integer, List<Run>> groups = new TreeMap<>();
    runs.forEach(run -> groups.computeIfAbsent(run.process(), p -> new ArrayList<>()).add(run));
    return new Samples(unit, List.copyOf(groups.values()));
  }

  private static long processes(List<Run> runs) {
    return runs.stream().mapToInt(Run::process).distinct().count();
  }

  /** The number of processes. */
  public long processes() {
    return processes(runs());
  }

  /** The number of samples. */
  public int count() {
    return groups.size();
  }

  /** The round or the process of each. */
  public List<Integer> numbers() {
    return groups.stream().map(group -> unit.number(group.get(0))).toList();
  }

  /** The runs of all. */
  public List<Run> runs() {
    return groups.stream().flatMap(List::stream).toList();
  }

  /**
   * One figure for each sample: the geometric mean of its runs, or the arithmetic mean where a
   * figure is not above 0.
   */
  public List<Double> figures(ToDoubleFunction<Run> figure) {
    return groups.stream()
        .map(group -> mean(group.stream().mapToDouble(figure).toArray()))
        .toList();
  }

  private static double mean(double[] figures) {
    double logarithms = 0;
    double sum = 0;
    for (double figure : figures) {
      logarithms += figure > 0 ? Math.log(figure) : Double.NaN;
      sum += figure;
    }
    // A single figure is left as it is, to the last bit.
    return figures.length == 1 || Double.isNaN(logarithms)
        ? sum / figures.length
        : Math.exp(logarithms / figures.length);
  }
}
