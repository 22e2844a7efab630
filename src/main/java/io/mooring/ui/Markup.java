package io.mooring.ui;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A piece of HTML that is safe to show: text is escaped as it comes in, and there is no other way
 * in for anything but the names in this package's code. Immutable.
 */
final class Markup {
  static final Markup NONE = new Markup("");

  private final String html;

  private Markup(String html) {
    this.html = html;
  }

  /** Text from anywhere. */
  static Markup text(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints().forEach(c -> escaped.append(escaped(c)));
    return new Markup(escaped.toString());
  }

  /** The beginning of a text from anywhere, at most so many characters of it. */
  static Markup shortened(String text, int most) {
    if (text.length() <= most) {
      return text(text);
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text(text.substring(0, end) + " ...");
  }

  private static String escaped(int c) {
    return switch (c) {
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '&' -> "&amp;";
      case '"' -> "&quot;";
      case '\'' -> "&#39;";
      case '\t', '\n' -> Character.toString(c);
      default -> Character.isISOControl(c) ? "\uFFFD" : Character.toString(c);
    };
  }

  /** An element without attributes. */
  static Markup element(String name, Markup... children) {
    return element(name, List.of(), children);
  }

  /**
   * An element.
   *
   * @param attributes names and values by turns; values are escaped
   */
  static Markup element(String name, List<String> attributes, Markup... children) {
    StringBuilder tag = new StringBuilder("<").append(name);
    for (int i = 0; i < attributes.size(); i += 2) {
      String value = text(attributes.get(i + 1)).html;
      tag.append(' ').append(attributes.get(i)).append("=\"").append(value).append('"');
    }
    return new Markup(tag + ">" + all(children).html + "</" + name + ">");
  }

  static Markup all(Markup... parts) {
    return all(Arrays.asList(parts));
  }

  /** One after the other. */
  static Markup all(List<Markup> parts) {
    return new Markup(parts.stream().map(part -> part.html).collect(Collectors.joining()));
  }

  /** One below the other. */
  static Markup lines(List<Markup> parts) {
    return all(parts.stream().map(part -> element("div", part)).toList());
  }

  /** A table as Spark's own pages have them. */
  static Markup table(List<String> headers, List<List<Markup>> rows) {
    Markup head = all(headers.stream().map(header -> element("th", text(header))).toList());
    Markup body =
        all(
            rows.stream()
                .map(row -> all(row.stream().map(cell -> element("td", cell)).toList()))
                .map(cells -> element("tr", cells))
                .toList());
    List<String> style = List.of("class", "table table-bordered table-sm table-striped");
    return element("table", style, element("thead", element("tr", head)), element("tbody", body));
  }

  /** The HTML itself. */
  @Override
  public String toString() {
    return html;
  }
}
