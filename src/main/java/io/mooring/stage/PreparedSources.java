package io.mooring.stage;

import io.mooring.gpu.RefusedException;
import io.mooring.stage.task.StageOperators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sources whose build sides are on the device. The task makes the build sides before any decode
 * thread starts, so that a lack of room is found first. The build sides of a single source are held
 * until its threads have used them. Those of several sources may not fit together, so that threads
 * acquire them when they read a source. Belongs to the thread of a task.
 */
final class PreparedSources implements AutoCloseable {
  private final List<ParallelStageReader.Source> sources;
  private @Nullable StageOperators held;
  private final long bytes;

  private PreparedSources(List<ParallelStageReader.Source> sources, @Nullable StageOperators held) {
    this.sources = List.copyOf(sources);
    this.held = held;
    this.bytes = held == null ? 0 : held.bytesOfOneUser();
  }

  /**
   * Makes, or waits for, the build sides.
   *
   * @throws RefusedException when there is no room for one
   */
  static PreparedSources of(List<ParallelStageReader.Source> sources) {
    if (sources.size() == 1) {
      return new PreparedSources(sources, sources.get(0).prepared());
    }
    sources.forEach(source -> source.prepared().close());
    return new PreparedSources(sources, null);
  }

  List<ParallelStageReader.Source> all() {
    return sources;
  }

  /** The refusal of work that takes room beside the build sides held here. */
  RefusedException beside(RefusedException refused) {
    return refused.beside(bytes);
  }

  @Override
  public void close() {
    if (held != null) {
      held.close();
      held = null;
    }
  }
}
