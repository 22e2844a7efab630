package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitJniTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int STATUS = 7;
  private static final String LAST_WORD = "hooks have run";

  @TempDir Path folder;

  @Test
  void hooksRunAndTheStatusStays() throws Exception {
    assertThat(ChildJvm.toItsEnd(LIMIT, STATUS, Child.class, folder)).contains(LAST_WORD);
  }

  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      if (!NativeLibrary.load()) {
        throw new IllegalStateException(NativeLibrary.problem());
      }
      ExitJni.skipNativeCleanup();
      ExitJni.skipNativeCleanup();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(LAST_WORD)));
      System.exit(STATUS);
    }
  }
}
