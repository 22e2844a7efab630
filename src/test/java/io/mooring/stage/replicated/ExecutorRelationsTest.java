package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.Sessions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.ExecutionMemoryPool;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Option;
import scala.runtime.BoxedUnit;

/**
 * Tests that one of the tasks that want a relation at a time makes it, and the others wait for it.
 */
@Timeout(60)
class ExecutorRelationsTest {
  private static final HashedRelation MADE = EmptyHashedRelation$.MODULE$;
  private static final AtomicLong NEXT = new AtomicLong(1L << 61);

  private static SparkSession spark;

  private final long broadcast = NEXT.getAndIncrement();
  private final TaskContextImpl first = TaskContext$.MODULE$.empty();
  private final TaskContextImpl second = TaskContext$.MODULE$.empty();
  private final CountDownLatch building = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeAll
  static void start() {
    spark = Sessions.withPlugin(1, Map.of());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void endTasks() {
    first.markTaskCompleted(Option.empty());
    second.markTaskCompleted(Option.empty());
    SparkEnv.get().blockManager().removeBroadcast(broadcast, false);
    assertThat(SparkEnv.get().blockManager().getStatus(block()).isEmpty()).isTrue();
  }

  private BroadcastBlockId block() {
    return new BroadcastBlockId(broadcast, "");
  }

  private CompletableFuture<HashedRelation> get(
      TaskContextImpl task, Supplier<HashedRelation> build) {
    return CompletableFuture.supplyAsync(() -> ExecutorRelations.get(broadcast, task, build));
  }

  private HashedRelation whenTold(Supplier<HashedRelation> build) {
    building.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return build.get();
  }

  private CompletableFuture<HashedRelation> waiting(Supplier<HashedRelation> build)
      throws InterruptedException {
    building.await();
    CompletableFuture<HashedRelation> waiting = get(second, build);
    assertThat(catchThrowable(() -> waiting.get(200, TimeUnit.MILLISECONDS))).isNotNull();
    return waiting;
  }

  private static HashedRelation notAgain() {
    throw new AssertionError("It is built a second time");
  }

  @Test
  void itIsMadeOnceAndKept() throws Exception {
    var made = get(first, () -> whenTold(() -> MADE));
    var waiting = waiting(ExecutorRelationsTest::notAgain);
    goOn.countDown();
    assertThat(made.get()).isSameAs(MADE);
    assertThat(waiting.get()).isSameAs(MADE);
    assertThat(get(second, ExecutorRelationsTest::notAgain).get()).isSameAs(MADE);
    assertThat(SparkEnv.get().blockManager().getStatus(block()).isDefined()).isTrue();
  }

  @Test
  void whatFailsForTheOneFailsForThoseThatWait() throws Exception {
    IllegalStateException failure = new IllegalStateException("A fault");
    var failed =
        get(
            first,
            () ->
                whenTold(
                    () -> {
                      throw failure;
                    }));
    var waiting = waiting(ExecutorRelationsTest::notAgain);
    goOn.countDown();
    assertThatThrownBy(failed::get).hasCause(failure);
    assertThatThrownBy(waiting::get).hasCause(failure);
    assertThat(get(second, () -> MADE).get()).isSameAs(MADE);
  }

  @Test
  void whenTheBuilderIsKilledAnotherBuilds() throws Exception {
    AtomicInteger builds = new AtomicInteger();
    var killed =
        get(
            first,
            () ->
                whenTold(
                    () -> {
                      first.markInterrupted("not wanted any more");
                      throw new TaskKilledException("not wanted any more");
                    }));
    var waiting =
        waiting(
            () -> {
              builds.incrementAndGet();
              return MADE;
            });
    goOn.countDown();
    assertThatThrownBy(killed::get).hasCauseInstanceOf(TaskKilledException.class);
    assertThat(waiting.get()).isSameAs(MADE);
    assertThat(builds).hasValue(1);
  }

  /** The driver frees the broadcasts of a cancelled query while its killed tasks still run. */
  @Test
  void aKilledTaskKeepsNothing() throws Exception {
    var killed = get(first, () -> whenTold(() -> MADE));
    building.await();
    first.markInterrupted("not wanted any more");
    SparkEnv.get().blockManager().removeBroadcast(broadcast, false);
    goOn.countDown();
    assertThat(killed.get()).isSameAs(MADE);
    assertThat(SparkEnv.get().blockManager().getStatus(block()).isEmpty()).isTrue();
  }

  @Test
  void aKilledTaskLeavesNoMark() {
    BroadcastBlockId mark = new BroadcastBlockId(broadcast, ReplicatedBroadcast.MARK);
    ExecutorRelations.put(mark, 1L, StorageLevel.MEMORY_AND_DISK(), first);
    assertThat(SparkEnv.get().blockManager().getStatus(mark).isDefined()).isTrue();
    SparkEnv.get().blockManager().removeBroadcast(broadcast, false);
    first.markInterrupted("not wanted any more");
    ExecutorRelations.put(mark, 1L, StorageLevel.MEMORY_AND_DISK(), first);
    assertThat(SparkEnv.get().blockManager().getStatus(mark).isEmpty()).isTrue();
  }

  /** Who waits holds the memory that the builder waits for. */
  @Test
  void whenTheBuilderWaitsForMemoryAnotherBuilds() throws Exception {
    ExecutionMemoryPool pool = new ExecutionMemoryPool(this, MemoryMode.ON_HEAP);
    pool.incrementPoolSize(100);
    assertThat(acquire(pool, 100, 2)).isEqualTo(100);
    var stuck =
        get(
            first,
            () ->
                whenTold(
                    () -> {
                      acquire(pool, 50, 1);
                      return MADE;
                    }));
    var waiting = waiting(() -> MADE);
    goOn.countDown();
    assertThat(waiting.get()).isSameAs(MADE);
    assertThat(stuck).isNotDone();
    pool.releaseMemory(100, 2);
    assertThat(stuck.get()).isSameAs(MADE);
  }

  private static long acquire(ExecutionMemoryPool pool, long bytes, long task) {
    return pool.acquireMemory(
        bytes,
        task,
        new scala.runtime.AbstractFunction1<>() {
          @Override
          public BoxedUnit apply(Object needed) {
            return BoxedUnit.UNIT;
          }
        },
        new scala.runtime.AbstractFunction0<>() {
          @Override
          public Object apply() {
            return pool.poolSize();
          }
        });
  }

  @Test
  void whoWaitsCanBeKilled() throws Exception {
    var made = get(first, () -> whenTold(() -> MADE));
    var waiting = waiting(ExecutorRelationsTest::notAgain);
    second.markInterrupted("not wanted any more");
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(TaskKilledException.class);
    goOn.countDown();
    assertThat(made.get()).isSameAs(MADE);
  }

  @Test
  void whatIsKeptCountsUntilTheDriverFreesIt() throws Exception {
    long before = ExecutorRelations.heapBytes();
    MappedHashedRelation sized =
        new MappedHashedRelation(null, null, 1, new MappedHashedRelation.Shape(1, 1, true));
    assertThat(get(first, () -> sized).get()).isSameAs(sized);
    assertThat(ExecutorRelations.heapBytes()).isEqualTo(before + sized.estimatedSize());
    first.markTaskCompleted(Option.empty());
    SparkEnv.get().blockManager().removeBroadcast(broadcast, false);
    assertThat(ExecutorRelations.heapBytes()).isEqualTo(before);
  }
}
