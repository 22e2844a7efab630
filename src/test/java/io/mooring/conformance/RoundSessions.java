package io.mooring.conformance;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The sessions of one thread: that which writes tables, and those with Mooring and without. */
record RoundSessions(SparkSession writer, SparkSession ours, SparkSession sparks) {

  static RoundSessions of(SparkSession spark) {
    return new RoundSessions(spark.newSession(), spark.newSession(), spark.newSession());
  }

  /** All keys are set each time, so that nothing is left of an earlier round. */
  Map<String, String> set(RandomSettings settings) {
    set(writer, settings.ofWriter());
    Map<String, String> both = settings.ofReaders();
    set(sparks, both);
    set(sparks, Map.of("spark.mooring.sql.enabled", "false"));
    Map<String, String> mine = new HashMap<>(both);
    mine.putAll(settings.ofOurs());
    set(ours, mine);
    return mine;
  }

  /** Whether the next query is compiled. */
  void compile(boolean compiled) {
    set(ours, RandomSettings.ofCodeGeneration(compiled));
    set(sparks, RandomSettings.ofCodeGeneration(compiled));
  }

  private static void set(SparkSession session, Map<String, String> settings) {
    settings.forEach((key, value) -> session.conf().set(key, value));
  }
}
