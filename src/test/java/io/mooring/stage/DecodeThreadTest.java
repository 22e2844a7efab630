package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

class DecodeThreadTest {
  private static final int TASKS = 20;

  @Test
  void work_runsBesideTheCallerAndEnds() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    DecodeThread thread = DecodeThread.start(() -> awaitInterrupt(go));
    assertThat(thread.hasEnded()).isFalse();
    go.countDown();
    thread.join();
    assertThat(thread.hasEnded()).isTrue();
  }

  /** Whether an interrupt came first. */
  private static boolean awaitInterrupt(CountDownLatch latch) {
    try {
      latch.await();
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static int interrupts() {
    return Thread.currentThread().isInterrupted() ? 1 : 0;
  }

  @Test
  void interrupts_reachTheWorkAndNoOtherAfterIt() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    AtomicInteger strays = new AtomicInteger();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    for (int round = 0; round < 200; round++) {
      List<DecodeThread> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            DecodeThread.start(
                () -> {
                  threads.add(Thread.currentThread());
                  if (awaitInterrupt(new CountDownLatch(1))) {
                    interrupted.incrementAndGet();
                  }
                }));
      }
      all.forEach(DecodeThread::interrupt);
      for (DecodeThread each : all) {
        each.join();
        each.interrupt();
      }
      DecodeThread next = DecodeThread.start(() -> strays.addAndGet(interrupts()));
      next.join();
    }
    assertThat(strays).hasValue(0);
    assertThat(interrupted).hasValue(800);
    // Most tasks find a thread of an earlier one.
    assertThat(threads.size()).isLessThan(400);
  }

  /** A session of Spark Connect has classes of its own, and an application a user. */
  @Test
  void aThread_hasTheClassesAndTheUserOfItsTaskAlone() throws Exception {
    InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
    Set<String> threads = new TreeSet<>();
    for (int i = 0; i < TASKS; i++) {
      String name = i % 2 == 0 ? "alice" : "bob";
      List<Object> seen = new CopyOnWriteArrayList<>();
      try (URLClassLoader classes = new URLClassLoader(new URL[0])) {
        Thread task =
            new Thread(
                () ->
                    UserGroupInformation.createRemoteUser(name)
                        .doAs(
                            (PrivilegedAction<Void>)
                                () -> {
                                  inherited.set(name);
                                  awaitAll(DecodeThread.start(() -> see(seen, inherited, threads)));
                                  return null;
                                }));
        task.setContextClassLoader(classes);
        task.start();
        task.join();
        assertThat(seen).containsExactly(name, classes, "nothing");
      }
    }
    // A thread that has just ended its work may not be ready for more yet.
    assertThat(threads).hasSizeLessThan(TASKS);
  }

  private static void awaitAll(DecodeThread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void see(
      List<Object> seen, InheritableThreadLocal<String> inherited, Set<String> threads) {
    try {
      seen.add(UserGroupInformation.getCurrentUser().getShortUserName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    seen.add(Thread.currentThread().getContextClassLoader());
    seen.add(String.valueOf(inherited.get()).replace("null", "nothing"));
    threads.add(Thread.currentThread().getName());
  }
}
