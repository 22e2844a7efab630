package io.mooring.benchmarks.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.report.Json;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.commons.io.FileUtils;

/** A Chromium without a window, where this machine has one. */
record Browser(String executable) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** Alone with the page: no profile of before, no network of the browser's own. */
  private static final List<String> QUIET =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--host-resolver-rules=MAP * ~NOTFOUND",
          "--enable-logging=stderr",
          "--hide-scrollbars",
          "--window-size=1400,1800",
          "--virtual-time-budget=3000");

  /**
   * What the browser made of a page.
   *
   * @param facts what the page's last script has written into its element {@code facts}
   * @param console every line of the console: errors, and requests that the policy refused
   */
  record Visit(JsonNode facts, List<String> console, BufferedImage screenshot) {}

  static Optional<Browser> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return NAMES.stream()
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(p -> Path.of(p, name)))
        .filter(Files::isExecutable)
        .map(file -> new Browser(file.toString()))
        .findFirst();
  }

  /** Shows the page with the script added to it; files go into {@code folder}. */
  Visit visit(String html, String script, boolean dark, Path folder)
      throws IOException, InterruptedException {
    String added = "<pre id=\"facts\"></pre><script>" + script + "</script></body>";
    Path page = Files.writeString(folder.resolve("page.html"), html.replace("</body>", added));
    Path picture = folder.resolve("page.png");
    Path dom = folder.resolve("dom");
    Path log = folder.resolve("log");
    Path profile = folder.resolve("profile");
    List<String> command = new ArrayList<>(List.of(executable));
    command.addAll(QUIET);
    if (dark) {
      command.addAll(List.of("--force-dark-mode", "--blink-settings=preferredColorScheme=0"));
    }
    command.add("--user-data-dir=" + profile);
    command.addAll(List.of("--screenshot=" + picture, "--dump-dom", page.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    FileUtils.deleteQuietly(profile.toFile());
    if (!ended) {
      throw new IOException("the browser did not end: " + Files.readString(log));
    }
    return new Visit(facts(Files.readString(dom)), console(log), ImageIO.read(picture.toFile()));
  }

  private static JsonNode facts(String dom) throws IOException {
    var found = Pattern.compile("<pre id=\"facts\">(.*?)</pre>", Pattern.DOTALL).matcher(dom);
    if (!found.find()) {
      throw new IOException("the page says nothing: " + dom.lines().limit(20).toList());
    }
    String text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    return Json.REPORT.readTree(text);
  }

  private static List<String> console(Path log) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains(":CONSOLE:")).toList();
  }
}
