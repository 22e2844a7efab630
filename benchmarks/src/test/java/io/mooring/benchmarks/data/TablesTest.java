package io.mooring.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.query.ScanQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablesTest {

  @TempDir private Path temporary;
  private Path sales;
  private Path items;

  @BeforeEach
  void write() throws IOException {
    sales = Files.createDirectories(temporary.resolve("sales/year=1"));
    Files.write(sales.resolve("a.parquet"), new byte[100]);
    Files.write(sales.resolve("_marker"), new byte[7]);
    items = Files.write(temporary.resolve("i.parquet"), new byte[11]);
  }

  @Test
  void aFolderWithoutANameIsStoreSales() {
    Tables tables = Tables.named(List.of(temporary.toString()));
    assertThat(tables.files()).containsOnlyKeys(ScanQuery.VIEW);
    assertThat(tables.bytesUnder("SELECT 1 FROM store_sales")).isEqualTo(111);
  }

  @Test
  void aQueryIsForTheBytesOfTheTablesThatItNames() {
    Tables tables = Tables.named(List.of("s=" + temporary.resolve("sales"), "item=" + items));
    assertThat(tables.bytesUnder("SELECT * FROM s JOIN item USING (k)")).isEqualTo(111);
    assertThat(tables.bytesUnder("SELECT * FROM item WHERE sales > 1")).isEqualTo(11);
    assertThat(tables.paths()).containsExactlyInAnyOrder(sales.resolve("a.parquet"), items);
    assertThat(tables.described().toString()).doesNotContain(temporary.toString());
  }

  @Test
  void aQueryOverAViewIsForTheBytesUnderTheView() {
    Tables tables =
        Tables.named(List.of("s=" + temporary.resolve("sales"), "item=" + items))
            .withViews(
                List.of(
                    "create temporary view first as select * from item",
                    "create or replace temp view `second` as select * from FIRST"));
    assertThat(tables.bytesUnder("SELECT * FROM Second")).isEqualTo(11);
    assertThat(tables.bytesUnder("SELECT * FROM s")).isEqualTo(100);
    assertThat(tables.bytesUnder("SELECT * FROM other")).isZero();
  }

  @Test
  void hiddenFoldersHoldNoData() throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("parts"));
    for (String name : List.of("_expected-results", ".cache", "_day=1", "day=2")) {
      Files.createDirectories(folder.resolve(name));
      Files.write(folder.resolve(name).resolve("a.parquet"), new byte[name.length()]);
    }
    assertThat(InputFiles.in(folder))
        .isEqualTo(new InputFiles(folder, 2, "_day=1".length() + "day=2".length()));
  }

  @Test
  void aFolderMayBeALink() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("sales"));
    assertThat(InputFiles.in(link).bytes()).isEqualTo(100);
  }

  @Test
  void aLogOfAFormatTellsTheFormatAndIsNoData() throws IOException {
    Path delta = Files.createDirectories(temporary.resolve("d"));
    Files.createDirectories(delta.resolve("_delta_log"));
    Files.write(delta.resolve("_delta_log/0.json"), new byte[5]);
    Files.write(delta.resolve("a.parquet"), new byte[13]);
    Path iceberg = Files.createDirectories(temporary.resolve("i/metadata")).getParent();
    Files.write(iceberg.resolve("metadata/version-hint.text"), new byte[1]);
    Files.createDirectories(iceberg.resolve("data"));
    Files.write(iceberg.resolve("data/b.parquet"), new byte[17]);
    // No table of Iceberg: its catalog would have left a hint.
    Path plain = Files.createDirectories(temporary.resolve("p/metadata"));
    Files.write(plain.resolve("c.parquet"), new byte[19]);
    Tables tables =
        Tables.named(List.of("d=" + delta, "i=" + iceberg, "p=" + temporary.resolve("p")));
    assertThat(tables.format("d")).isEqualTo(TableFormat.DELTA);
    assertThat(tables.format("i")).isEqualTo(TableFormat.ICEBERG);
    assertThat(tables.format("p")).isEqualTo(TableFormat.PARQUET);
    assertThat(tables.bytes()).isEqualTo(13 + 17 + 19);
    assertThat(tables.areFilesAlone()).isFalse();
    assertThat(tables.conf()).containsKey("spark.sql.catalog.spark_catalog");
    Tables files = Tables.named(List.of("p=" + temporary.resolve("p")));
    assertThat(files.areFilesAlone()).isTrue();
    assertThat(files.conf()).isEmpty();
  }

  @Test
  void aTableIsNamedOnce() {
    assertThatThrownBy(() -> Tables.named(List.of("t=" + items, "t=" + items)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the table t twice");
  }
}
