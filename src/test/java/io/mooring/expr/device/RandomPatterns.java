package io.mooring.expr.device;

import java.util.List;

/** Random patterns of strings in SQL: parts, LIKE with and without an escape character, regexes. */
final class RandomPatterns {
  private static final List<String> LIKE =
      List.of(
          "'a%'",
          "'%c'",
          "'%b%'",
          "'a%c'",
          "'a_c'",
          "'%a%c%'",
          "'_'",
          "'%_b_%'",
          "'a\\\\%c'",
          "'%\\\\_%'",
          "'%'",
          "'abc'",
          "'%ä%b'",
          "'__'",
          "'%abc'",
          "'%\\n%'",
          "'_%_'",
          "'%%a'",
          "'%𝄞%'",
          "'_日%'",
          "'% '",
          "' %'",
          "'%b%_'");

  private static final List<String> ESCAPED =
      List.of(
          "'a#%c' escape '#'",
          "'a!_%' escape '!'",
          "'%##%' escape '#'",
          "'%%_c' escape '%'",
          "'%__c' escape '_'",
          "'a%' escape 'b'",
          "'\\\\%a%' escape '/'");

  private static final List<String> REGEXES =
      List.of(
          "'^a'",
          "'c$'",
          "'b'",
          "'^[a-c]+$'",
          "'a.c'",
          "'^.{2,3}$'",
          "'[^a-c ]'",
          "'^\\\\d+$|x'",
          "'\\\\w\\\\.?\\\\w*-'",
          "'a{2}|^b*c'",
          "'[0-9_.]+,? '",
          "'(a|bc)+?c?'",
          "'(^|\\\\s)(?:[a-c]{2})+'",
          "'^$'",
          "'\\\\s+$'",
          "'\\\\.|\\\\+|\\\\$'",
          "'[^\\\\d\\\\s]{2}'",
          "'\\\\W\\\\D'",
          "'[a^-]'");

  private final RandomChoices choices;

  RandomPatterns(RandomChoices choices) {
    this.choices = choices;
  }

  /** A pattern of LIKE, perhaps with an escape character. */
  String like() {
    return choices.one(choices.random().nextInt(4) == 0 ? ESCAPED : LIKE);
  }

  String regex() {
    return choices.one(REGEXES);
  }

  /** Something that a string may have in it. */
  String part() {
    return choices.one(List.of("'a'", "'bc'", "' '", "'ä'", "'abcab'", "'%'", "'𝄞'", "'日b'"));
  }

  /** A test of a string in one of the ways that Spark has another expression for. */
  String condition(String text) {
    return choices.any(
        () -> "(%s ilike %s)".formatted(text, like()),
        () -> "(%s not like %s)".formatted(text, like()),
        () -> "regexp_like(%s, %s)".formatted(text, regex()));
  }

  /** A test of a string by a part. */
  String found(String text) {
    return "%s(%s, %s)"
        .formatted(choices.one(List.of("startswith", "endswith", "contains")), text, part());
  }
}
