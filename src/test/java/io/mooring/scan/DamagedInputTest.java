package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.Answers;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that cannot be read: the error is Spark's, it names the file, and the executor lives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamagedInputTest {
  private static final int ROWS = 20_000;
  private static final String SCHEMA = "id bigint, twice bigint, text string";

  @TempDir static Path folder;
  private SparkSession spark;
  private String good;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "64m"));
    good = folder.resolve("good").toString();
    spark
        .range(ROWS)
        .selectExpr("id", "id * 2 as twice", "cast(id as string) as text")
        .coalesce(1)
        .write()
        .option("parquet.block.size", 32 << 10)
        .parquet(good);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> read(String format, Path path) {
    return spark.read().schema(SCHEMA).format(format).load(path.toString());
  }

  private Path damaged(String damage) throws IOException {
    Path table = Files.createDirectories(folder.resolve("damaged-" + damage.replace(' ', '-')));
    byte[] bytes = Files.readAllBytes(ScanResults.firstParquetFile(Path.of(good)));
    byte[] bad = bytes.clone();
    switch (damage) {
      case "truncated" -> bad = Arrays.copyOf(bytes, bytes.length / 2);
      case "zeros" -> Arrays.fill(bad, (byte) 0);
      case "not parquet" -> bad = "this is no Parquet file at all".getBytes(StandardCharsets.UTF_8);
      default ->
          ByteBuffer.wrap(bad)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(bad.length - 8, Integer.MAX_VALUE - 100);
    }
    Files.write(table.resolve("part-0.parquet"), bad);
    return table;
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncated", "zeros", "not parquet", "lying footer"})
  void aDamagedFileIsSparksErrorAndTheExecutorLives(String damage) throws IOException {
    Path table = damaged(damage);
    Throwable ours = catchThrowable(() -> read("mooring", table).collectAsList());
    Throwable sparks = catchThrowable(() -> read("parquet", table).collectAsList());
    assertThat(ours).isNotNull().hasSameClassAs(sparks).hasMessageContaining("part-0.parquet");
    assertThat(Answers.root(ours)).hasSameClassAs(Answers.root(sparks));
    assertThat(read("mooring", Path.of(good)).count()).isEqualTo(ROWS);
    ScanResults.assertSame(read("mooring", Path.of(good)), read("parquet", Path.of(good)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncated", "zeros", "not parquet", "lying footer"})
  void corruptFilesAreSkippedWhereSparkSkipsThem(String damage) throws IOException {
    Path table = damaged(damage);
    Files.copy(
        ScanResults.firstParquetFile(Path.of(good)),
        table.resolve("part-1.parquet"),
        StandardCopyOption.REPLACE_EXISTING);
    spark.conf().set("spark.sql.files.ignoreCorruptFiles", "true");
    try {
      assertThat(read("mooring", table).count()).isEqualTo(ROWS);
      ScanResults.assertSame(read("mooring", table), read("parquet", table));
    } finally {
      spark.conf().unset("spark.sql.files.ignoreCorruptFiles");
      Files.delete(table.resolve("part-1.parquet"));
    }
  }

  @Test
  void aFileThatIsGoneIsSparksErrorOrSkipped() throws IOException {
    Path table = Files.createDirectories(folder.resolve("gone"));
    Path file = table.resolve("part-0.parquet");
    Files.copy(ScanResults.firstParquetFile(Path.of(good)), file);
    Dataset<Row> ours = read("mooring", table);
    Dataset<Row> later = read("mooring", table);
    ours.queryExecution().executedPlan();
    later.queryExecution().executedPlan();
    Files.delete(file);
    assertThatThrownBy(ours::collectAsList).hasMessageContaining("part-0.parquet");
    Sessions.with(
        spark,
        "spark.sql.files.ignoreMissingFiles",
        "true",
        () -> assertThat(later.collectAsList()).isEmpty());
  }

  @Test
  void aColumnOfAnotherTypeIsSparksError() {
    String schema = "id string, twice bigint, text string";
    Throwable ours =
        catchThrowable(
            () -> spark.read().schema(schema).format("mooring").load(good).collectAsList());
    Throwable sparks =
        catchThrowable(() -> spark.read().schema(schema).parquet(good).collectAsList());
    assertThat(ours).isNotNull().hasSameClassAs(sparks).hasMessageContaining("part-");
    assertThat(Answers.root(ours)).hasSameClassAs(Answers.root(sparks));
  }

  @Test
  void aMissingPathIsSparksError() {
    String path = folder.resolve("nowhere").toString();
    assertThatThrownBy(() -> spark.read().format("mooring").load(path))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PATH_NOT_FOUND")
        .hasMessageContaining(path);
  }

  @Test
  void aDirectoryWithoutParquetIsSparksError() throws IOException {
    Path path = Files.createDirectory(folder.resolve("no-parquet"));
    assertThatThrownBy(() -> spark.read().format("mooring").load(path.toString()))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("UNABLE_TO_INFER_SCHEMA");
  }
}
