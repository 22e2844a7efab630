package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitJniTest {
  private static final int STATUS = 7;
  private static final String LAST_WORD = "hooks have run";

  @TempDir Path folder;

  @Test
  void hooksRunAndTheStatusStays() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        ChildJvm.of(Child.class, folder)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(process.exitValue()).isEqualTo(STATUS);
      assertThat(Files.readString(output)).contains(LAST_WORD);
    } finally {
      process.destroyForcibly();
    }
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
