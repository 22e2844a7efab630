package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of files that cannot be read are those of Spark's own scan, class by class. */
class ReadErrorsTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Path table(String name) {
    Path path = folder.resolve(name);
    spark
        .range(0, 1000, 1, 1)
        .selectExpr("id", "cast(id as string) text", "cast(id as decimal(20,2)) price")
        .write()
        .parquet(path.toString());
    return path;
  }

  private static List<Path> files(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files.filter(it -> it.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  /** A reading of a table, before something happens to its files. */
  private interface Query {
    Dataset<Row> of(SparkSession session) throws IOException;
  }

  private static void assertSparksError(Query query) throws IOException {
    Dataset<Row> ours = query.of(spark);
    assertThat(Plans.ours(ours)).hasSize(1);
    List<String> error = error(ours);
    List<String> expected = new ArrayList<>();
    Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () -> {
          try {
            Dataset<Row> sparks = query.of(spark);
            assertThat(Plans.ours(sparks)).isEmpty();
            expected.addAll(error(sparks));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(error).isEqualTo(expected);
  }

  /** The classes of an error and its causes, and what they say; tasks and places differ. */
  private static List<String> error(Dataset<Row> query) {
    List<String> chain = new ArrayList<>();
    for (Throwable e = catchThrowable(query::collect); e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage());
      boolean ofJob = message.startsWith("Job aborted");
      chain.add(e.getClass().getName() + ": " + (ofJob ? "" : message));
    }
    assertThat(chain).isNotEmpty();
    return chain;
  }

  @Test
  void aFileThatIsGone() throws IOException {
    Path path = table("gone");
    Path file = files(path).get(0);
    byte[] bytes = Files.readAllBytes(file);
    assertSparksError(
        session -> {
          Files.write(file, bytes);
          Dataset<Row> rows = session.read().parquet(path.toString());
          rows.queryExecution().executedPlan();
          Files.delete(file);
          return rows;
        });
  }

  @Test
  void aColumnOfAnotherType() throws IOException {
    Path path = table("types");
    assertSparksError(session -> session.read().schema("text int").parquet(path.toString()));
    assertSparksError(session -> session.read().schema("id string").parquet(path.toString()));
    assertSparksError(
        session -> session.read().schema("price decimal(10,5)").parquet(path.toString()));
  }

  @Test
  void aFileThatIsDamagedInItsPages() throws IOException {
    Path path = table("pages");
    Path file = files(path).get(0);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4, 200, (byte) 0xff);
    Files.write(file, bytes);
    // Without its checksum, which Hadoop would find wrong first.
    Files.delete(path.resolve("." + file.getFileName() + ".crc"));
    assertSparksError(session -> session.read().parquet(path.toString()).select("id"));
  }
}
