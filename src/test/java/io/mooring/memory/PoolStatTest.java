package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The enums whose values cross JNI as numbers have the names and the order of pool.hpp. */
class PoolStatTest {
  private static final Path HEADER =
      Path.of(System.getProperty("mooring.basedir"), "src/main/cpp/include/mooring/pool.hpp");
  private static final Pattern ENUMERATOR = Pattern.compile("(\\w+)(?: = (\\d+))?\\s*(?:,|$)");

  private static String header;

  @BeforeAll
  static void readHeader() throws IOException {
    header = Files.readString(HEADER);
  }

  private static String body(String name) {
    Matcher found =
        Pattern.compile("enum class " + name + " : [\\w:]+ \\{(.*?)\\};", Pattern.DOTALL)
            .matcher(header);
    assertThat(found.find()).as("enum class %s in %s", name, HEADER).isTrue();
    return found.group(1).replaceAll("///<.*", "").strip();
  }

  private static List<String> enumerators(String name) {
    return ENUMERATOR.matcher(body(name)).results().map(it -> it.group(1)).toList();
  }

  private static List<String> lowerCase(Enum<?>[] values) {
    return Arrays.stream(values)
        .map(it -> it.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.toList());
  }

  @Test
  void stats_ofBothSides_haveTheSameNamesInTheSameOrder() {
    assertThat(lowerCase(PoolStat.values())).containsExactlyElementsOf(enumerators("pool_stat"));
  }

  @Test
  void states_ofBothSides_haveTheSameNamesInTheSameOrder() {
    assertThat(lowerCase(PoolState.values())).containsExactlyElementsOf(enumerators("pool_state"));
  }

  @Test
  void causes_ofBothSides_haveTheSameNamesAndCodes() {
    assertThat(lowerCase(FallbackCause.values()))
        .containsExactlyElementsOf(enumerators("refusal_cause"));
    List<Integer> codes =
        ENUMERATOR
            .matcher(body("refusal_cause"))
            .results()
            .map(it -> Integer.valueOf(it.group(2)))
            .toList();
    assertThat(Arrays.stream(FallbackCause.values()).map(FallbackCause::code))
        .containsExactlyElementsOf(codes);
    for (FallbackCause cause : FallbackCause.values()) {
      assertThat(FallbackCause.ofRefusal(-cause.code())).isEqualTo(cause);
    }
  }
}
