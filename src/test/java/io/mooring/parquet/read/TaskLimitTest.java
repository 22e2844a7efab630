package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskLimitTest {
  private static final Runnable WANTED = () -> {};
  private static final Duration SHORT = Duration.ofMillis(150);

  private final TaskLimit one = new TaskLimit(1);

  /** Fails where a turn is not to be had at once. */
  private static void takeAndEnd(TaskLimit limit) throws InterruptedException {
    limit.acquire(TaskLimitTest::refuse).close();
  }

  private static void refuse() {
    throw new IllegalStateException("it has to wait");
  }

  private static void assertNoneIsFree(TaskLimit limit) {
    assertThatThrownBy(() -> takeAndEnd(limit)).hasMessage("it has to wait");
  }

  @Test
  void noMoreThanTheLimitHaveATurn_andNoFewer() {
    TaskLimit three = new TaskLimit(3);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      tasks.add(
          Task.start(
              () -> {
                for (int round = 0; round < 50; round++) {
                  try (TaskLimit.Turn turn = three.acquire(WANTED)) {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    Thread.sleep(1);
                    now.decrementAndGet();
                  }
                }
              }));
    }
    tasks.forEach(Task::join);
    assertThat(most).hasValue(3);
  }

  @Test
  void tasksAreServedInTheOrderTheyCame() throws InterruptedException {
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Task> tasks = new ArrayList<>();
    try (TaskLimit.Turn held = one.acquire(WANTED)) {
      for (int i = 0; i < 4; i++) {
        int number = i;
        tasks.add(
            Task.startWaiting(
                () -> {
                  try (TaskLimit.Turn turn = one.acquire(WANTED)) {
                    order.add(number);
                  }
                }));
      }
      // Each has looked whether it is wanted, and keeps its place.
      Thread.sleep(250);
    }
    tasks.forEach(Task::join);
    assertThat(order).containsExactly(0, 1, 2, 3);
  }

  @Test
  void zeroIsNoLimit() throws InterruptedException {
    TaskLimit none = new TaskLimit(0);
    try (TaskLimit.Turn first = none.acquire(TaskLimitTest::refuse);
        TaskLimit.Turn second = none.acquire(TaskLimitTest::refuse)) {
      assertThat(first).isNotSameAs(second);
    }
  }

  @Test
  void aTurnThatIsClosedTwice_isEndedOnce() throws InterruptedException {
    TaskLimit.Turn first = one.acquire(WANTED);
    first.close();
    try (TaskLimit.Turn second = one.acquire(TaskLimitTest::refuse)) {
      first.close();
      assertNoneIsFree(one);
    }
    takeAndEnd(one);
  }

  @Test
  void anInterruptedTaskGivesItsPlaceUp() throws InterruptedException {
    try (TaskLimit.Turn held = one.acquire(WANTED)) {
      Task task = Task.startWaiting(() -> one.acquire(WANTED));
      task.thread().interrupt();
      assertThat(task.ended())
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(Exception.class)
          .withCauseInstanceOf(InterruptedException.class);
    }
    takeAndEnd(one);
  }

  @Test
  void aTaskThatIsNotWantedGivesItsPlaceUp() throws InterruptedException {
    try (TaskLimit.Turn held = one.acquire(WANTED)) {
      assertNoneIsFree(one);
    }
    takeAndEnd(one);
  }

  @Test
  void aTurnThatBeginsForATaskThatIsNotWanted_goesToTheNext() throws InterruptedException {
    TaskLimit.Turn held = one.acquire(WANTED);
    Runnable endsItAndFails =
        () -> {
          held.close();
          refuse();
        };
    assertThatThrownBy(() -> one.acquire(endsItAndFails)).hasMessage("it has to wait");
    takeAndEnd(one);
  }

  @Test
  void aWaitingTaskIsAskedTenTimesASecond() throws InterruptedException {
    TaskLimit hasty = new TaskLimit(1, Duration.ofMillis(950));
    AtomicInteger asked = new AtomicInteger();
    try (TaskLimit.Turn held = hasty.acquire(WANTED);
        TaskLimit.Turn late = hasty.acquire(asked::incrementAndGet)) {
      assertThat(late).isNotSameAs(held);
    }
    assertThat(asked.get()).isBetween(3, 10);
  }

  @Test
  void aTaskThatHasWaitedLongEnough_goesOnBesideTheOthers() throws InterruptedException {
    TaskLimit hasty = new TaskLimit(1, SHORT);
    try (TaskLimit.Turn held = hasty.acquire(WANTED)) {
      long before = System.nanoTime();
      hasty.acquire(WANTED).close();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SHORT);
      assertNoneIsFree(hasty);
      // Nobody is left whom the next turn would be given to in vain.
      try (TaskLimit.Turn late = hasty.acquire(WANTED)) {
        held.close();
        takeAndEnd(hasty);
      }
      takeAndEnd(hasty);
    }
  }

  @Test
  void aTurnThatBeginsWhenTheWaitIsOver_counts() throws InterruptedException {
    TaskLimit hasty = new TaskLimit(1, SHORT);
    TaskLimit.Turn held = hasty.acquire(WANTED);
    long end = System.nanoTime() + SHORT.toNanos();
    Runnable endsItLate =
        () -> {
          if (System.nanoTime() >= end) {
            held.close();
          }
        };
    try (TaskLimit.Turn late = hasty.acquire(endsItLate)) {
      assertThat(late).isNotSameAs(held);
      assertNoneIsFree(hasty);
    }
    takeAndEnd(hasty);
  }

  /** A task on a thread of its own, and its end. */
  private record Task(Thread thread, CompletableFuture<Void> ended) {
    interface Work {
      void run() throws InterruptedException;
    }

    static Task start(Work work) {
      CompletableFuture<Void> ended = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run();
                  ended.complete(null);
                } catch (InterruptedException | RuntimeException | Error e) {
                  ended.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
      return new Task(thread, ended);
    }

    static Task startWaiting(Work work) {
      Task task = start(work);
      await().until(() -> task.thread().getState() == Thread.State.TIMED_WAITING);
      return task;
    }

    void join() {
      assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
    }
  }
}
