package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many tasks that all want much of a small device, for a while. */
@Tag("extended")
@Tag("random")
class AdmissionStressTest {
  private static final int THREADS = 64;
  private static final int BUDGET_MIB = 2048;
  private static final int MOST_MIB = 1536;
  private static final long RUN_NANOS =
      TimeUnit.SECONDS.toNanos(RandomCases.of("mooring.test.seconds", 3));
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  private final DeviceAdmission admission = new DeviceAdmission((long) BUDGET_MIB << 20);
  private final AtomicInteger heldMib = new AtomicInteger();

  @Test
  @Timeout(120)
  void everyThreadGetsItsShareAndGivesItBack() throws Exception {
    System.out.println("AdmissionStressTest seed " + SEED);
    long end = System.nanoTime() + RUN_NANOS;
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Integer> turns = new ArrayList<>();
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(SEED + i);
        tasks.add(() -> turns(random, end));
      }
      for (Future<Integer> done : threads.invokeAll(tasks)) {
        turns.add(done.get());
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(admission.isIdle()).isTrue();
    assertThat(heldMib).hasValue(0);
    int most = turns.stream().max(Integer::compare).orElseThrow();
    assertThat(turns).as("turns of each thread").allMatch(count -> 2 * count > most);
  }

  /** How often one thread came in: for a unit, and for the next one where there was room. */
  private int turns(Random random, long end) throws InterruptedException {
    int turns = 0;
    while (System.nanoTime() < end) {
      int held = taken(admission.acquire(bytes(random)));
      int ahead = taken(admission.tryAcquire(bytes(random)));
      TimeUnit.MICROSECONDS.sleep(random.nextInt(300));
      for (int permits : new int[] {held, ahead}) {
        heldMib.addAndGet(-permits);
        admission.release(permits);
      }
      turns++;
    }
    return turns;
  }

  private int taken(int permits) {
    assertThat(heldMib.addAndGet(permits)).isLessThanOrEqualTo(BUDGET_MIB);
    return permits;
  }

  private static long bytes(Random random) {
    return (long) random.nextInt(MOST_MIB) << 20;
  }
}
