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
  void aTableIsNamedOnce() {
    assertThatThrownBy(() -> Tables.named(List.of("t=" + items, "t=" + items)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the table t twice");
  }
}
