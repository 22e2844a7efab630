package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Spark's Thrift server with the plugin: JDBC, and Beeline, which comes with Spark. */
class ThriftServerTest extends ClientContract {
  private final ClientsPage page = ClientsPage.section("SQL through the Thrift server");
  private final String address = "jdbc:hive2://localhost:" + port;

  ThriftServerTest() throws IOException {
    super("server", "spark.hadoop.hive.server2.thrift.port");
  }

  @Override
  SqlClient connect() throws Exception {
    shell.startServer(page.blocks("bash").get(0), port);
    return new JdbcClient(address);
  }

  @Test
  void page_asPrinted_printsWhatItSays() throws Exception {
    String typed = page.blocks("bash").get(1).replace("jdbc:hive2://localhost:10000", address);
    String output = shell.run("page", typed, page.blocks("sql").get(0));
    assertThat(output.lines().map(ClientsPage::constant)).containsAll(page.printed());
  }
}
