package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the text of a node says, whatever users have named their columns and files. */
class StageTextTest {
  private static final String SCAN =
      "BatchScan mooring (1 paths)[file:/data/t][a#1L] MooringScan (1 paths)[file:/data/t] columns"
          + " [a] RuntimeFilters: []";

  @Test
  void operatorsEndAndScanAreToldApart() {
    StageText text =
        StageText.of(
            "MooringStage [Filter, Project] ends below: Project: expression soundex over " + SCAN);
    assertThat(text.operators()).containsExactly("Filter", "Project");
    assertThat(text.end()).isEqualTo("ends below: Project: expression soundex");
    assertThat(text.scan()).isEqualTo(SCAN);
    assertThat(text.scanName()).isEqualTo("BatchScan mooring (1 paths)[file:/data/t]");
  }

  @Test
  void theReasonOfAnExchangeIsPartOfTheScansName() {
    String name = "BatchScan mooring (1 paths)[file:/data/t] (exchanged for a join: too (much))";
    assertThat(StageText.of("MooringStage [] over " + name + "[a#1L] MooringScan").scanName())
        .isEqualTo(name);
  }

  @Test
  void aStageAtAnExchangeHasNoEnd() {
    StageText text = StageText.of("MooringStage [HashAggregate] over " + SCAN);
    assertThat(text.operators()).containsExactly("HashAggregate");
    assertThat(text.end()).isEmpty();
    assertThat(StageText.of("MooringStage [] over " + SCAN).operators()).isEmpty();
  }

  @Test
  void theReasonWhyGroupsAreExchangedIsTheEnd() {
    String reason = "exchanges groups: sum of DOUBLE may differ when it is computed again";
    StageText text = StageText.of("MooringStage [HashAggregate] " + reason + " over " + SCAN);
    assertThat(text.end()).isEqualTo(reason);
    assertThat(text.scan()).isEqualTo(SCAN);
  }

  @Test
  void aFinalStageHasNoScan() {
    StageText text =
        StageText.of("MooringFinalStage [HashAggregate, Filter] over the groups of a stage");
    assertThat(text).isEqualTo(new StageText(List.of("HashAggregate", "Filter"), "", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a] ends below: Project: x over BatchScan mooring [b][c",
        " ends below: ",
        "a\nb\r\n over BatchScan",
        "`` '\" \\ [[[ ]]] {{{ <b>",
        "][",
        "MooringScan ",
        "\u0000\uD83D",
      })
  void columnsAndFilesOfAnyNameLeaveOperatorsAndEndAsTheyAre(String name) {
    String scan = "BatchScan mooring (1 paths)[file:/data/t][" + name + "#1L] MooringScan [" + name;
    StageText ended = StageText.of("MooringStage [Filter] ends below: Window over " + scan);
    assertThat(ended.operators()).containsExactly("Filter");
    assertThat(ended.end()).isEqualTo("ends below: Window");
    assertThat(ended.scan()).isEqualTo(scan);
    assertThat(ended.scanName()).isEqualTo("BatchScan mooring (1 paths)[file:/data/t]");
    assertThat(StageText.of("MooringStage [Filter] over " + scan).end()).isEmpty();
  }

  /** Types in reasons quote the names of fields. */
  @Test
  void aReasonMayHaveNamesThatLookLikeAScan() {
    String reason = "Project: type STRUCT<`a] over BatchScan mooring ends below: `: BIGINT>";
    StageText text = StageText.of("MooringStage [Filter] ends below: " + reason + " over " + SCAN);
    assertThat(text.end()).isEqualTo("ends below: " + reason);
    assertThat(text.scan()).isEqualTo(SCAN);
    String open = "Project: unknown column `";
    assertThat(StageText.of("MooringStage [Filter] ends below: " + open + " over " + SCAN).end())
        .isEqualTo("ends below: " + open);
  }

  @Test
  void tenThousandOperatorsAreRead() {
    String operators = String.join(", ", Collections.nCopies(10_000, "BroadcastHashJoin"));
    assertThat(StageText.of("MooringStage [" + operators + "] over " + SCAN).operators())
        .hasSize(10_000);
  }

  @Test
  @Timeout(20)
  void anyTextIsReadInTimeThatGrowsWithItsLength() {
    Random random = new Random(7);
    List<String> words =
        List.of("[", "]", "`", " over ", " over BatchScan", " ends below: ", ", ", "x", "\n", "][");
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder("MooringStage ");
      for (int j = random.nextInt(30); j > 0; j--) {
        text.append(words.get(random.nextInt(words.size())));
      }
      StageText read = StageText.of(text.toString());
      assertThat(read.scanName()).isNotNull();
    }
    StageText.of("MooringStage [x] ends below: " + "` over BatchScan".repeat(200_000));
    StageText.of("MooringStage " + "[".repeat(1_000_000));
  }
}
