package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Spark's Thrift server with the plugin: JDBC, and Beeline, which comes with Spark. */
class ThriftServerTest extends ClientContract {
  private ClientHome shell;
  private ClientsPage page;
  private JdbcClient client;
  private String address;

  @Override
  void start() throws Exception {
    int port = ClientHome.freePort();
    address = "jdbc:hive2://localhost:" + port;
    shell =
        new ClientHome(
            folder, Map.of("spark.hadoop.hive.server2.thrift.port", Integer.toString(port)));
    page = ClientsPage.section("SQL through the Thrift server");
    Process server = shell.start("server", page.blocks("bash").get(0));
    ClientHome.awaitPort(port, server, shell.log("server"));
    client = new JdbcClient(address);
  }

  @Override
  void stop() throws Exception {
    client.close();
    shell.close();
  }

  @Override
  SqlClient client() {
    return client;
  }

  @Override
  Path driverLog() {
    return shell.log("server");
  }

  @Test
  void page_asPrinted_printsWhatItSays() throws Exception {
    String typed = page.blocks("bash").get(1).replace("jdbc:hive2://localhost:10000", address);
    String output = shell.run("page", typed, page.blocks("sql").get(0));
    assertThat(output.lines().map(ClientsPage::constant)).containsAll(page.printed());
  }
}
