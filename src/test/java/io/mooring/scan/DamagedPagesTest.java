package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A good footer over damaged pages. In a JVM of its own: decoding them may cost the GPU. */
@Tag("forked")
class DamagedPagesTest {
  private static final int ROWS = 20_000;
  private static final String SCHEMA = "id bigint, text string";
  @TempDir Path folder;

  @Test
  void damagedPagesAreSparksErrorAndTheExecutorLives() throws Exception {
    SparkSession spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      Path good = folder.resolve("good");
      spark
          .range(ROWS)
          .selectExpr("id", "cast(id as string) as text")
          .coalesce(1)
          .write()
          .option("parquet.block.size", 32 << 10)
          .parquet(good.toString());
      Path bad = damagedCopy(good);
      Throwable ours = catchThrowable(() -> read(spark, "mooring", bad).collectAsList());
      Throwable sparks = catchThrowable(() -> read(spark, "parquet", bad).collectAsList());
      assertThat(ours).isNotNull().hasSameClassAs(sparks).hasMessageContaining("part-0.parquet");
      ScanResults.assertSame(read(spark, "mooring", good), read(spark, "parquet", good));
    } finally {
      spark.stop();
    }
  }

  private static Dataset<Row> read(SparkSession spark, String format, Path path) {
    return spark.read().schema(SCHEMA).format(format).load(path.toString());
  }

  private Path damagedCopy(Path good) throws Exception {
    byte[] bytes = Files.readAllBytes(ScanResults.firstParquetFile(good));
    Arrays.fill(bytes, bytes.length / 4, bytes.length / 2, (byte) 0x5a);
    Path bad = Files.createDirectory(folder.resolve("bad"));
    Files.write(bad.resolve("part-0.parquet"), bytes);
    return bad;
  }
}
