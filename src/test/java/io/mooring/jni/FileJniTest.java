package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJniTest {
  @TempDir Path folder;

  @Test
  void opensAFileWhoseNameHasACharacterBeyondTheBasicPlane() throws Exception {
    assertThat(NativeLibrary.load()).isTrue();
    // Not by Java, which in some locales cannot write the name; the bytes are U+1F600 in UTF-8.
    String bytes = "\\360\\237\\230\\200";
    Process made =
        new ProcessBuilder("sh", "-c", "printf abc > \"f-$(printf '" + bytes + "')\"")
            .directory(folder.toFile())
            .start();
    assertThat(made.waitFor()).isZero();
    int descriptor = FileJni.open(folder + "/f-" + Character.toString(0x1F600));
    assertThat(descriptor).isNotNegative();
    FileJni.close(descriptor);
  }
}
