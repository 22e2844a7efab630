package io.mooring.conformance;

import io.mooring.conformance.TableWriter.WrittenTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.SparkSession;

/** Two random tables and random queries over them; its seed and a query's number repeat one. */
final class ConformanceRound {
  private static final int COMPILED_ONE_IN = 30;
  private static final int FOREIGN_ONE_IN = 6;

  /** Told of each case. */
  interface Listener {
    void begins(String name);

    void ended(ConformanceCase result, Statement statement, Map<String, String> settings);
  }

  private final RoundSessions sessions;
  private final long seed;
  private final Dice dice;
  private final Map<String, String> settings;
  private final RandomStatements statements;

  ConformanceRound(RoundSessions sessions, TableFolders folders, long seed) {
    this.sessions = sessions;
    this.seed = seed;
    this.dice = new Dice(seed);
    this.settings = sessions.set(new RandomSettings(dice));
    sessions.compile(false);
    TableWriter writer = new TableWriter(sessions.writer(), dice);
    boolean foreign = dice.oneIn(FOREIGN_ONE_IN);
    if (foreign) {
      // Spark's reader prunes NaN away, which pyarrow's statistics leave out.
      sessions.ours().conf().set("spark.sql.parquet.filterPushdown", "false");
    }
    WrittenTable first =
        foreign
            ? ForeignTables.one(sessions.sparks(), dice, "t")
            : folders.moved(writer.write("t", folders.local("t" + seed)));
    WrittenTable second = folders.moved(writer.write("u", folders.local("u" + seed)));
    for (SparkSession session : List.of(sessions.ours(), sessions.sparks())) {
      first.register(session, Map.of());
      second.register(session, Map.of());
    }
    this.statements = new RandomStatements(dice, first.table(), second.table());
  }

  /**
   * Runs some of its queries.
   *
   * @param first number of the first of them, from 0
   * @param last number of the last
   */
  void run(int first, int last, Listener listener) {
    for (int i = 0; i <= last; i++) {
      boolean compiled = dice.oneIn(COMPILED_ONE_IN);
      Statement statement = statements.next(compiled);
      if (i >= first) {
        listener.begins("seed " + seed + ", case " + i + ": " + statement.sql());
        sessions.compile(compiled);
        ConformanceCase result = ConformanceCase.run(sessions.ours(), sessions.sparks(), statement);
        listener.ended(result, statement, settings);
      }
    }
  }

  /**
   * Where tables are written and read.
   *
   * @param local folder in which they are written
   * @param move from there to where they are read; gives the address
   */
  record TableFolders(Path local, UnaryOperator<String> move) {

    /** Tables that are read where they are written. */
    static TableFolders in(Path local) {
      return new TableFolders(local, UnaryOperator.identity());
    }

    private Path local(String name) {
      return local.resolve(name);
    }

    private WrittenTable moved(WrittenTable table) {
      return new WrittenTable(table.table(), move.apply(table.address()), table.schema());
    }
  }

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
}
