package io.mooring.spark.plan.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.delta.DeltaFiles;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class ChosenFilesTest {
  private final ChosenFiles chosen = new ChosenFiles();

  private static ChosenFiles.Key key(long version) {
    return key("table", version);
  }

  private static ChosenFiles.Key key(String table, long version) {
    return new ChosenFiles.Key(table, version, 0, new StructType(), "UTC", Set.of());
  }

  private static DeltaFiles files(int count) {
    return new DeltaFiles(List.of(1L, ScalaLists.seq(Collections.nCopies(count, "file"))));
  }

  @Test
  void choices_areFoundByTableVersionAndConditions() {
    DeltaFiles files = files(3);
    chosen.put(key(1), files);
    assertThat(chosen.get(key(1))).isSameAs(files);
    assertThat(chosen.get(key(2))).isNull();
    assertThat(chosen.get(key("another", 1))).isNull();
  }

  @Test
  void ofTooManyFiles_theLeastRecentlyUsedAreForgotten() {
    for (int version = 1; version <= 4; version++) {
      chosen.put(key(version), files(5_000));
    }
    assertThat(chosen.get(key(1))).isNotNull();
    chosen.put(key(5), files(5_000));
    assertThat(chosen.get(key(2))).isNull();
    assertThat(chosen.get(key(1))).isNotNull();
    chosen.put(key(1), files(1));
    chosen.put(key(6), files(4_000));
    assertThat(chosen.get(key(3))).isNotNull();
    chosen.clear();
    assertThat(chosen.get(key(3))).isNull();
  }

  @Test
  void aChoiceOfVeryManyFiles_isNotKeptAndLeavesTheOthers() {
    chosen.put(key(1), files(5_000));
    chosen.put(key(2), files(5_001));
    assertThat(chosen.get(key(2))).isNull();
    assertThat(chosen.get(key(1))).isNotNull();
  }

  @Test
  void choicesOfFewFiles_areBoundedToo() {
    for (int i = 0; i < 600; i++) {
      chosen.put(key(i), files(0));
    }
    assertThat(chosen.get(key(299))).isNull();
    assertThat(chosen.get(key(300))).isNotNull();
  }
}
