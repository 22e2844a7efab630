package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArmTest {

  @Test
  void aNameThatComesAgainIsASecondArmOfTheSameSettings() {
    List<Arm> arms = Arm.named(List.of("pool", "no-pool", "pool", "pool"), "4g");
    assertThat(arms).extracting(Arm::name).containsExactly("pool", "no-pool", "pool-2", "pool-3");
    assertThat(arms.get(2).conf()).isEqualTo(arms.get(0).conf());
    assertThat(arms.get(2).usesPlugin()).isTrue();
  }
}
