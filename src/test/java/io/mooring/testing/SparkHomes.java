package io.mooring.testing;

import io.mooring.spark.MooringPlugin;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** What real executors need to start: a Spark home of the class path's jars, and our own jar. */
public final class SparkHomes {
  private SparkHomes() {}

  /** Fills {@code SPARK_HOME} with links to the jars of this class path whose names pass. */
  public static void link(Predicate<String> names) throws IOException {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    FileUtils.deleteDirectory(home.toFile());
    Path jars = Files.createDirectories(home.resolve("jars"));
    // By this folder Spark's launcher tells the version of Scala.
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      String name = jar.getFileName().toString();
      if (name.endsWith(".jar") && names.test(name) && !Files.exists(jars.resolve(name))) {
        Files.createSymbolicLink(jars.resolve(name), jar);
      }
    }
  }

  /** Our own classes as a jar in a folder, for executors that get it as one of the application. */
  public static Path mooring(Path folder) throws IOException, URISyntaxException {
    return jar(classes(MooringPlugin.class), folder.resolve("mooring.jar"));
  }

  /** The folder of the tests' classes, for executors that need some of them. */
  public static Path tests() throws URISyntaxException {
    return classes(SparkHomes.class);
  }

  private static Path classes(Class<?> one) throws URISyntaxException {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The classes of a folder as a jar, with entries for its folders. */
  public static Path jar(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      for (Path path : (Iterable<Path>) all.filter(path -> !path.equals(classes))::iterator) {
        boolean isFolder = Files.isDirectory(path);
        out.putNextEntry(new JarEntry(classes.relativize(path) + (isFolder ? "/" : "")));
        if (!isFolder) {
          Files.copy(path, out);
        }
        out.closeEntry();
      }
    }
    return jar;
  }
}
