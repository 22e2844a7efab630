package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mooring.clients.SqlClient.SqlFailure;
import io.mooring.conf.MooringVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds in the sessions of every client. */
@Tag("clients")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientContract {
  private static final String ENABLED = "spark.mooring.sql.enabled";

  @TempDir static Path folder;
  private final String driver;
  private final Map<String, String> defaults;

  /** The port of the server; 0 where the client has none. */
  final int port;

  private final AtomicInteger sessions = new AtomicInteger();
  ClientHome shell;
  private SqlClient client;

  /**
   * A client in the process of Spark's driver.
   *
   * @param driver the name of the process
   */
  ClientContract(String driver) {
    this.driver = driver;
    this.defaults = Map.of();
    this.port = 0;
  }

  /**
   * A client of a server, in whose process Spark's driver runs.
   *
   * @param server the name of the process
   * @param portSetting the setting of Spark that has the server's port
   */
  ClientContract(String server, String portSetting) throws IOException {
    this.driver = server;
    this.port = ClientHome.freePort();
    this.defaults = Map.of(portSetting, Integer.toString(port));
  }

  /** Starts what Spark's driver runs in, and connects a client. */
  abstract SqlClient connect() throws Exception;

  @BeforeAll
  void startAndWriteTables() throws Exception {
    shell = new ClientHome(folder, defaults);
    client = connect();
    sql(
        "CREATE TABLE facts USING parquet AS SELECT id, id * 0.5D AS half,"
            + " IF(id % 7 = 0, NULL, concat('text ', id % 17)) AS text,"
            + " CAST(id % 900 AS DECIMAL(7,2)) AS price, id % 4 AS day,"
            + " array(id, NULL, id + 1) AS list, named_struct('a', id, 'b', string(id)) AS struct"
            + " FROM range(0, 20000, 1, 4)");
    sql("CREATE TABLE spans USING parquet AS SELECT make_dt_interval(1) AS span, 1 AS id");
  }

  @AfterAll
  void stop() throws Exception {
    if (client != null) {
      client.close();
    }
    shell.close();
  }

  private Path driverLog() {
    return shell.log(driver);
  }

  @Test
  void start_ofTheDriver_logsOneStatusLine() {
    assertThat(ClientHome.read(driverLog()).lines())
        .filteredOn(line -> line.contains("WARN MooringPlugin: Mooring"))
        .singleElement()
        .asString()
        .containsPattern("Mooring " + MooringVersion.get() + " is (on|off)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EXPLAIN", "EXPLAIN EXTENDED", "EXPLAIN FORMATTED", "EXPLAIN COST"})
  void explain_ofParquet_showsMooring(String explain) throws Exception {
    assertThat(sql(explain + " SELECT day, sum(price) FROM facts WHERE half > 5 GROUP BY day"))
        .anyMatch(row -> row.contains("BatchScan mooring"));
  }

  @Test
  void explain_ofWhatStaysWithSpark_givesTheReason() throws Exception {
    assertThat(sql("EXPLAIN SELECT span FROM spans"))
        .anyMatch(
            row -> row.contains("(not Mooring: column span has type INTERVAL DAY TO SECOND)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM facts",
        "SELECT id, text FROM facts WHERE half > 100 AND text LIKE 'text 1%'",
        "SELECT day, text, count(*), sum(price), avg(price), max(half) FROM facts GROUP BY day, text",
        "SELECT a.id, b.text, a.struct.b FROM facts a JOIN facts b ON a.id = b.id * 2 WHERE b.day = 1",
        "SELECT id, explode(list) FROM facts WHERE day = 3"
      })
  void rows_withMooringAndWithout_areEqual(String query) throws Exception {
    int session = sessions.incrementAndGet();
    List<String> ours = client.sql(session, query);
    client.sql(session, "SET " + ENABLED + "=false");
    List<String> sparks = client.sql(session, query);
    assertThat(ours).isNotEmpty().containsExactlyInAnyOrderElementsOf(sparks);
  }

  @Test
  void setting_ofOneSession_holdsThereAlone() throws Exception {
    int one = sessions.incrementAndGet();
    int other = sessions.incrementAndGet();
    String explain = "EXPLAIN SELECT id FROM facts";
    client.sql(one, "SET " + ENABLED + "=false");
    assertThat(client.sql(one, explain)).noneMatch(row -> row.contains("BatchScan mooring"));
    assertThat(client.sql(other, explain)).anyMatch(row -> row.contains("BatchScan mooring"));
    client.sql(one, "SET " + ENABLED + "=true");
    assertThat(client.sql(one, explain)).anyMatch(row -> row.contains("BatchScan mooring"));
  }

  @Test
  void setting_thatIsWrong_isAWarnWithoutEffect() throws Exception {
    int session = sessions.incrementAndGet();
    client.sql(session, "SET " + ENABLED + "=perhaps");
    assertThat(client.sql(session, "EXPLAIN SELECT id FROM facts"))
        .anyMatch(row -> row.contains("BatchScan mooring"));
    assertThat(ClientHome.read(driverLog()).lines())
        .filteredOn(line -> line.contains(" WARN ") && line.contains("perhaps"))
        .anyMatch(line -> line.contains("in " + ENABLED + " is invalid: must be true or false"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT nothing FROM facts",
        "SELECT 1 / (id - 5) FROM facts WHERE half >= 0",
        "SELECT CAST(text AS INT) FROM facts WHERE id = 15000",
        "SELECT sum(id + 9000000000000000000) FROM facts",
        "SELECT raise_error(text) FROM facts WHERE id = 15000"
      })
  void error_withMooringAndWithout_isTheSame(String query) throws Exception {
    int session = sessions.incrementAndGet();
    String ours = failure(session, query);
    client.sql(session, "SET " + ENABLED + "=false");
    assertThat(ours).contains("[").isEqualTo(failure(session, query));
  }

  private String failure(int session, String query) {
    SqlFailure failure = catchThrowableOfType(SqlFailure.class, () -> client.sql(session, query));
    assertThat(failure).as(query).isNotNull();
    return failure.getMessage();
  }

  @Test
  void write_ofWhatMooringReads_writesTheSame() throws Exception {
    sql("CREATE TABLE copy USING parquet AS SELECT id, text FROM facts WHERE day = 2");
    assertThat(sql("SELECT count(*), sum(id) FROM copy"))
        .isEqualTo(sql("SELECT count(*), sum(id) FROM facts WHERE day = 2"));
  }

  /** The rows of a statement in a session that tests share and leave as it is. */
  private List<String> sql(String statement) throws Exception {
    return client.sql(0, statement);
  }
}
