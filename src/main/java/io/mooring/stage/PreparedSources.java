package io.mooring.stage;

import io.mooring.gpu.RefusedException;
import io.mooring.stage.task.StageOperators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sources whose build sides are on the device. The task makes them before threads begin to read:
 * where one has no room, no thread has begun. Those of one source are held, so that its threads
 * find them. Those of several may be too large together; threads take them when they read a source.
 * Belongs to the thread of a task.
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

  /** A refusal for want of room, of work beside the build sides that are held. */
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
