package io.mooring.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.cli.HarnessHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import picocli.CommandLine;

class ChartCommandTest {

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|([^\\s\\\\]+)");

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("chart.svg");
  }

  private static String committed(String name) {
    return HarnessHome.folder().resolve("results").resolve(name).toString();
  }

  private String draw(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("chart", "--out", file().toString()));
    all.addAll(Arrays.asList(arguments));
    assertThat(Benchmarks.commandLine().execute(all.toArray(String[]::new))).isZero();
    return Files.readString(file());
  }

  private String refusal(String... arguments) {
    List<String> all = new ArrayList<>(List.of("chart", "--out", file().toString()));
    all.addAll(Arrays.asList(arguments));
    StringWriter errors = new StringWriter();
    CommandLine line = Benchmarks.commandLine().setErr(new PrintWriter(errors, true));
    assertThat(line.execute(all.toArray(String[]::new))).isEqualTo(2);
    assertThat(file()).doesNotExist();
    return errors.toString();
  }

  private static List<String> texts(String svg) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    NodeList nodes = document.getElementsByTagName("text");
    return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
        .map(i -> nodes.item(i).getTextContent())
        .toList();
  }

  @Test
  void sections_severalReports_showGainsAndLosses() throws Exception {
    String svg = draw(committed("2026-11-22-peer-chunks"), committed("2026-11-21-nds"));
    assertThat(texts(svg))
        .contains("2.8x", "5.3x", "1.6x", "0.32x", "0.49x", "Mooring", "RAPIDS Accelerator")
        .anyMatch(text -> text.startsWith("2026-11-22-peer-chunks · NVIDIA H200 · 16 cores"))
        .anyMatch(text -> text.endsWith("1 run each, interrupted"));
    assertThat(svg)
        .contains("class=\"slower\" text-anchor=\"middle\"")
        .doesNotContain("href", "var(");
  }

  @Test
  void query_inTwoReports_isTakenFromTheFirst() throws Exception {
    String svg = draw(committed("2026-11-22-nds-fused"), committed("2026-11-21-nds"));
    assertThat(texts(svg)).containsOnlyOnce("q9", "q28", "q2", "q31");
  }

  @Test
  void query_measuredUnderOneArm_isLeftOut() throws Exception {
    assertThat(texts(draw("--arms", "pool,peer", committed("2026-11-21-nds"))))
        .contains("q2")
        .doesNotContain("q88");
  }

  @Test
  void labels_given_replaceNames() throws Exception {
    String svg =
        draw(
            committed("2026-11-22-peer-chunks"),
            "--label",
            "sum=every column & <all>",
            "--label",
            "pool=this");
    assertThat(texts(svg))
        .contains("every column & <all>", "this")
        .doesNotContain("sum", "Mooring");
  }

  @Test
  void arm_unknown_isRefusedWithTheNearest() {
    assertThat(refusal("--arms", "pool,pear", committed("2026-11-22-peer-chunks")))
        .contains("no arm 'pear'; did you mean 'peer'?");
  }

  @Test
  void arms_neverMeasuredTogether_areRefused() {
    assertThat(refusal("--arms", "pool", committed("2026-11-22-peer-chunks")))
        .contains("no query of these reports was measured under two of [pool]");
  }

  /** The command stands in benchmarks/README.md; whoever changes either draws the chart again. */
  @Test
  void committedChart_isWhatThePrintedCommandDraws() throws IOException {
    String page = Files.readString(HarnessHome.folder().resolve("README.md"));
    int from = page.indexOf("./benchmarks/run chart benchmarks/results");
    String command = page.substring(from, page.indexOf("```", from));
    List<String> words =
        WORD.matcher(command)
            .results()
            .map((MatchResult it) -> it.group(1) != null ? it.group(1) : it.group(2))
            .map(word -> word.replaceFirst("^benchmarks/", HarnessHome.folder() + "/"))
            .skip(2)
            .toList();
    int out = words.indexOf("--out");
    Path drawn = HarnessHome.folder().resolveSibling(words.get(out + 1));
    List<String> others = new ArrayList<>(words);
    others.subList(out, out + 2).clear();
    assertThat(drawn).hasContent(draw(others.toArray(String[]::new)));
  }
}
