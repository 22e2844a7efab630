package io.mooring.stage;

import io.mooring.stage.task.StageOperators;
import java.util.ArrayList;
import java.util.List;

/**
 * Sources whose build sides are on the device, and stay there until they are closed. Threads that
 * read the sources only take them: where one has no room, no thread has begun. Belongs to the
 * thread of a task.
 */
final class PreparedSources implements AutoCloseable {
  private final List<ParallelStageReader.Source> sources;
  private final List<StageOperators> operators = new ArrayList<>();

  private PreparedSources(List<ParallelStageReader.Source> sources) {
    this.sources = List.copyOf(sources);
  }

  /**
   * Makes, or waits for, the build sides.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room for one
   */
  static PreparedSources of(List<ParallelStageReader.Source> sources) {
    PreparedSources prepared = new PreparedSources(sources);
    boolean all = false;
    try {
      sources.forEach(source -> prepared.operators.add(source.prepared()));
      all = true;
      return prepared;
    } finally {
      if (!all) {
        prepared.close();
      }
    }
  }

  List<ParallelStageReader.Source> all() {
    return sources;
  }

  @Override
  public void close() {
    operators.forEach(StageOperators::close);
    operators.clear();
  }
}
