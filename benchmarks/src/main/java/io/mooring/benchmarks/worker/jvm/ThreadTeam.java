package io.mooring.benchmarks.worker.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that work side by side until all are done. */
final class ThreadTeam {

  /** The work of one thread. */
  interface Member {
    void work(int number) throws Exception;
  }

  private ThreadTeam() {}

  /** Runs so many members; throws what the first of them threw. */
  static void work(int threads, Member member) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        running.add(
            pool.submit(
                () -> {
                  member.work(number);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      pool.shutdown();
    }
  }
}
