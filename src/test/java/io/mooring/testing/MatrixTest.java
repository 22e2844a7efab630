package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every setting of a matrix has its turn, by default with some of the cases. */
@Tag("matrix")
class MatrixTest {
  private static final List<Integer> SETTINGS = List.of(1, 2, 3, 4);

  @Test
  void of_oneCase_isOneSettingOrAllOfThem() {
    List<Integer> settings = Matrix.of("select 1", SETTINGS);
    assertThat(settings).hasSize(RandomCases.areMany() ? SETTINGS.size() : 1);
    assertThat(Matrix.of("select 1", SETTINGS)).isEqualTo(settings);
  }

  @Test
  void of_severalCases_isEverySetting() {
    TreeSet<Integer> settings = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      settings.addAll(Matrix.of("select " + i, SETTINGS));
    }
    assertThat(settings).containsExactlyElementsOf(SETTINGS);
  }
}
