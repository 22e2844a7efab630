package io.mooring.benchmarks.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlTextTest {

  @TempDir private Path temporary;

  @Test
  void statementsAreCutAtSemicolonsOutsideQuotesAndComments() {
    String text =
        "SELECT ';', \"a;b\", `c;d`, 'it\\'s; me' -- not; here\n FROM t /* nor;\n here */; SELECT 2;";
    assertThat(SqlText.read(text, 0))
        .extracting(SqlText::sql)
        .containsExactly(text.substring(0, text.indexOf("; SELECT 2")), "SELECT 2");
  }

  @Test
  void aCommentNamesAStatementAndANumberStandsIn() {
    String text =
        """
        -- name: sales
        SELECT 1 AS x;
        SELECT 2 AS y; -- a comment of several words names nothing
        SELECT 3;
        -- only a comment at the end
        """;
    assertThat(SqlText.read(text, 4))
        .extracting(SqlText::name)
        .containsExactly("sales", "sql6", "sql7");
  }

  @Test
  void onlyAStatementThatCreatesATemporaryViewIsOne() {
    String text =
        """
        -- the table with its types
        create or replace TEMPORARY view hits as select cast(t as date) t from files;
        Create temp View v as select 1;
        select 'create temporary view v' x;
        create table t as select 1;
        """;
    assertThat(SqlText.read(text, 0))
        .extracting(SqlText::isView)
        .containsExactly(true, true, false, false);
  }

  @Test
  void aFileIsRead() throws IOException {
    Path file =
        Files.writeString(temporary.resolve("q.sql"), "--first\nSELECT 1;\n--second\nSELECT 2");
    assertThat(SqlText.read(file.toString(), 0))
        .extracting(SqlText::name)
        .containsExactly("first", "second");
  }

  @Test
  void whatIsNeitherAFileNorAQueryIsRefused() {
    assertThatThrownBy(() -> SqlText.read("missing.sql", 0))
        .isInstanceOf(UserError.class)
        .hasMessage("--sql missing.sql is neither a file nor a query");
    assertThatThrownBy(() -> SqlText.read("-- nothing but a comment", 0))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("no statement in");
  }
}
