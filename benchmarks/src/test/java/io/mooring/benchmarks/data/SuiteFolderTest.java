package io.mooring.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.query.Suite;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteFolderTest {

  private static final String MARKER = "_mooring-suite.json";
  @TempDir private Path data;

  @BeforeEach
  void tables() throws IOException {
    Files.createDirectories(data.resolve("orders"));
    Files.writeString(data.resolve("orders/orders.1.parquet"), "12");
    Files.writeString(data.resolve("orders/orders.2.parquet"), "345");
    Files.writeString(data.resolve("region.parquet"), "6");
  }

  private SuiteFolder folder(Suite suite, String scale) {
    return new SuiteFolder(data, suite, new BigDecimal(scale), 16);
  }

  @Test
  void tablesAreFoldersOrFiles() {
    Tables tables = folder(Suite.TPCH, "1").tables();
    assertThat(tables.files()).containsOnlyKeys("orders", "region");
    assertThat(tables.files().get("orders").bytes()).isEqualTo(5);
    assertThat(tables.bytes()).isEqualTo(6);
  }

  @Test
  void tablesOfTheUsersAreTakenAsTheyAre() {
    assertThat(folder(Suite.TPCH, "10").isComplete()).isTrue();
    SuiteFolder missing = new SuiteFolder(data.resolve("missing"), Suite.TPCH, BigDecimal.ONE, 16);
    assertThat(missing.isComplete()).isFalse();
  }

  @Test
  void generatedTablesHaveToBeOfTheSameSuiteAndScale() throws IOException {
    String marker = "{\"version\": 1, \"suite\": \"tpch\", \"scale\": 10}";
    Files.writeString(data.resolve(MARKER), marker);
    assertThat(folder(Suite.TPCH, "10.0").isComplete()).isTrue();
    assertThat(folder(Suite.TPCH, "1").isComplete()).isFalse();
    assertThat(folder(Suite.TPCDS, "10").isComplete()).isFalse();
  }
}
