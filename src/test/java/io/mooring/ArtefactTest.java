package io.mooring;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The jars that {@code mvn package} leaves hold what the committed lists say, and no more. */
@Tag("artefact")
class ArtefactTest {
  private static final Path JAR = Path.of(System.getProperty("mooring.jar", ""));
  private static final Path BUNDLE = Path.of(System.getProperty("mooring.bundle", ""));

  @Test
  void theJarHoldsWhatIsListed() throws IOException {
    assertHolds(JAR, listed("mooring.txt"));
  }

  @Test
  @EnabledIfSystemProperty(named = "mooring.bundle", matches = ".+")
  void theBundleHoldsCudfToo() throws IOException {
    assertHolds(BUNDLE, Stream.of("mooring.txt", "cudf.txt").flatMap(ArtefactTest::lines).toList());
  }

  @Test
  @EnabledIfSystemProperty(named = "mooring.bundle", matches = ".+")
  void theBundleHoldsEveryFileOfBothAsItWas() throws IOException, URISyntaxException {
    Map<String, ZipEntry> bundle = files(BUNDLE);
    Path cudf = Path.of(Table.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Map<String, ZipEntry> parts = files(cudf);
    parts.keySet().removeIf(name -> name.matches("META-INF/(MANIFEST.MF|LICENSE)"));
    parts.putAll(files(JAR));
    assertThat(bundle).hasSameSizeAs(parts);
    parts.forEach(
        (name, part) ->
            assertThat(bundle.get(name))
                .as(name)
                .isNotNull()
                .satisfies(same -> assertThat(same.getCrc()).isEqualTo(part.getCrc()))
                .satisfies(same -> assertThat(same.getSize()).isEqualTo(part.getSize())));
  }

  /** Faults of tests, and what records for benchmarks, stand in libraries of their own. */
  @Test
  void theNativeLibrariesHaveNoSeamsOfTests() throws IOException {
    List<String> seams = List.of("FaultJni", "fault_point", "trace_record", "startTrace");
    for (String library : List.of("libmooring.so", "libmooring_cudf.so")) {
      String text = textOf("amd64/Linux/" + library);
      assertThat(text).as(library).contains("Java_io_mooring_jni_");
      assertThat(seams).as(library).noneMatch(text::contains);
    }
    assertThat(files(JAR)).doesNotContainKey("amd64/Linux/libmooring_faults.so");
  }

  private static String textOf(String file) throws IOException {
    try (ZipFile zip = new ZipFile(JAR.toFile());
        InputStream in = zip.getInputStream(zip.getEntry(file))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Each file fits one line of the list, each line fits a file, and every folder has an entry. */
  private static void assertHolds(Path jar, List<String> list) throws IOException {
    List<String> files = List.copyOf(files(jar).keySet());
    assertThat(files).filteredOn(file -> list.stream().noneMatch(it -> fits(it, file))).isEmpty();
    assertThat(list).filteredOn(it -> files.stream().noneMatch(file -> fits(it, file))).isEmpty();
    // Scala's reflection does not see a package whose folder has no entry.
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      assertThat(files.stream().filter(file -> file.contains("/")).map(ArtefactTest::folder))
          .allSatisfy(folder -> assertThat(zip.getEntry(folder)).as(folder).isNotNull());
    }
  }

  private static boolean fits(String pattern, String file) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    return matcher.matches(Path.of(file));
  }

  private static String folder(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1);
  }

  private static Map<String, ZipEntry> files(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Map<String, ZipEntry> files = new HashMap<>();
      zip.stream()
          .filter(entry -> !entry.isDirectory())
          .forEach(entry -> assertThat(files.put(entry.getName(), entry)).isNull());
      return files;
    }
  }

  private static List<String> listed(String list) {
    return lines(list).toList();
  }

  private static Stream<String> lines(String list) {
    try (InputStream in = ArtefactTest.class.getResourceAsStream("/artefact/" + list)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
