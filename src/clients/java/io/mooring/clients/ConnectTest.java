package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Spark Connect: a server with the plugin, and Python programs that know neither jar nor Java. */
class ConnectTest extends ClientContract {
  private static final String PROGRAMS = ClientHome.ROOT.resolve("src/clients/python").toString();

  private final ClientsPage page = ClientsPage.section("Spark Connect");
  private final String address = "sc://localhost:" + port;

  ConnectTest() throws IOException {
    super("server", "spark.connect.grpc.binding.port");
  }

  @Override
  SqlClient connect() throws Exception {
    shell.startServer(page.blocks("bash").get(0), port);
    return new PythonClient(shell.converse("client", program("sql_lines.py", "")));
  }

  private String program(String name, String arguments) {
    return "python3 %s/%s %s %s".formatted(PROGRAMS, name, arguments, address);
  }

  @Test
  void page_asPrinted_printsWhatItSays() throws Exception {
    String typed = page.blocks("python").get(0).replace("sc://localhost:15002", address);
    String output = shell.run("page", "python3", typed);
    assertThat(output.lines().map(ClientsPage::constant)).containsAll(page.printed());
  }

  @Test
  void dataFrames_withMooringAndWithout_areEqual() throws Exception {
    String facts = folder.resolve("spark-warehouse/facts").toString();
    assertThat(shell.run("frames", program("data_frames.py", facts), ""))
        .contains("BatchScan mooring", "udf: 20000 rows are equal", "groupBy: 4 rows are equal");
  }
}
