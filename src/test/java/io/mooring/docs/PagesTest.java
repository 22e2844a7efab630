package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Links between pages, the README's index of them, and the architecture page's list of packages.
 */
class PagesTest {
  private static final Path ROOT = Path.of(System.getProperty("mooring.basedir"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern PACKAGE = Pattern.compile("`([a-z.]+)`");

  @Test
  void links_ofAllPages_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(prose(page));
      while (link.find()) {
        links++;
        if (!leadsSomewhere(page, link.group(1), link.group(2))) {
          broken.add(ROOT.relativize(page) + ": " + link.group());
        }
      }
    }
    assertThat(links).isGreaterThan(100);
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String to, String heading) throws IOException {
    if (to.startsWith("https://")) {
      return true;
    }
    Path file = to.isEmpty() ? page : page.resolveSibling(to).normalize();
    return Files.exists(file) && (heading == null || headings(file).contains(heading));
  }

  /** The headings of a page in the form in which links name them. */
  private static Set<String> headings(Path page) throws IOException {
    return prose(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(
            line ->
                line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(line -> line.strip().replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void readme_namesEveryPage_in150Lines() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme.lines()).hasSizeLessThanOrEqualTo(150);
    assertThat(folder("docs"))
        .hasSizeGreaterThan(10)
        .allSatisfy(page -> assertThat(readme).contains("](docs/" + page.getFileName() + ")"));
  }

  @Test
  void architecture_listsThePackagesThatThereAre() throws IOException {
    Path sources = ROOT.resolve("src/main/java/io/mooring");
    Set<String> packages;
    try (Stream<Path> files = Files.walk(sources)) {
      packages =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
              .filter(name -> !name.isEmpty())
              .collect(Collectors.toCollection(TreeSet::new));
    }
    String page = Page.of("architecture.md").text();
    String list = page.substring(page.indexOf("## Packages"), page.indexOf("## Threads"));
    Set<String> listed =
        list.lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> PACKAGE.matcher(line.split(" \\| ")[0]).results())
            .map(it -> it.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).isEqualTo(packages);
  }

  /** Every page that people read. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(folder(""));
    pages.addAll(folder("docs"));
    pages.add(ROOT.resolve("benchmarks/README.md"));
    return pages;
  }

  private static List<Path> folder(String name) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(name))) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private static String prose(Path page) throws IOException {
    return Files.readString(page).replaceAll("(?s)```.*?```", "");
  }
}
