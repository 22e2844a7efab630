package io.mooring.benchmarks.pipeline;

import java.util.ArrayList;
import java.util.List;

/** The steps that are timed on each data set; their names are the arms of the report. */
public final class PipelineSteps {

  /** Files into host buffers. */
  public static final String READ = "read";

  /** Host buffers to the device. */
  public static final String LINK = "link";

  /** Bytes on the device into tables. */
  public static final String DECODE = "decode";

  /** Files into tables on the device, without the cache. */
  public static final String PIPELINE = "pipeline";

  /** Files into tables on the device, through an empty cache, which this pass fills. */
  public static final String FILL = "cache-fill";

  /** Files into tables on the device, through a cache that an untimed pass has filled. */
  public static final String CACHED = "cached";

  /**
   * A step as it runs.
   *
   * @param name its arm
   * @param repeat how often the files are read in one run
   */
  record Timed(String name, String step, int repeat) {}

  private PipelineSteps() {}

  /** All steps; without a GPU, reading alone. */
  static List<Timed> all(boolean onGpu, List<Integer> repeats, boolean withCache) {
    List<Timed> steps = new ArrayList<>(List.of(new Timed(READ, READ, 1)));
    if (onGpu) {
      steps.add(new Timed(LINK, LINK, 1));
      steps.add(new Timed(DECODE, DECODE, 1));
      repeats.forEach(times -> steps.add(new Timed(pipelineArm(times), PIPELINE, times)));
      if (withCache) {
        steps.add(new Timed(FILL, FILL, 1));
        steps.add(new Timed(CACHED, CACHED, 1));
      }
    }
    return steps;
  }

  static String pipelineArm(int repeat) {
    return repeat == 1 ? PIPELINE : PIPELINE + " x" + repeat;
  }
}
