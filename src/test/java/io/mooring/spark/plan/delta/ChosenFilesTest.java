package io.mooring.spark.plan.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.delta.DeltaFiles;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChosenFilesTest {
  private final ChosenFiles chosen = new ChosenFiles();

  private static ChosenFiles.Key key(long version) {
    return new ChosenFiles.Key("table", version, Set.of());
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
    assertThat(chosen.get(new ChosenFiles.Key("another", 1, Set.of()))).isNull();
  }

  @Test
  void ofTooManyFiles_theLeastRecentlyUsedAreForgotten() {
    chosen.put(key(1), files(8_000));
    chosen.put(key(2), files(8_000));
    assertThat(chosen.get(key(1))).isNotNull();
    chosen.put(key(3), files(8_000));
    assertThat(chosen.get(key(2))).isNull();
    assertThat(chosen.get(key(1))).isNotNull();
    chosen.put(key(1), files(1));
    chosen.put(key(4), files(8_000));
    assertThat(chosen.get(key(3))).isNotNull();
    chosen.put(key(5), files(20_001));
    assertThat(chosen.get(key(5))).isNull();
  }

  @Test
  void choicesOfFewFiles_areBoundedToo() {
    for (int i = 0; i < 2_000; i++) {
      chosen.put(key(i), files(0));
    }
    assertThat(chosen.get(key(999))).isNull();
    assertThat(chosen.get(key(1_000))).isNotNull();
  }
}
