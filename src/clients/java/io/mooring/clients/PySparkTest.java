package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** PySpark as pip installs it: a driver in the JVM that the Python program starts. */
class PySparkTest extends ClientContract {
  private static final Path PROGRAMS = ClientHome.ROOT.resolve("src/clients/python");
  private static final String OPTIONS =
      "--master local[2] --jars $(echo target/*.jar | tr ' ' ,)"
          + " --conf spark.plugins=io.mooring.spark.MooringPlugin"
          + " --conf spark.mooring.pinnedPool.size=64m ";

  PySparkTest() {
    super("driver");
  }

  @Override
  SqlClient connect() throws Exception {
    // Through spark-submit a program would have no standard input.
    String options = "export PYSPARK_SUBMIT_ARGS=\"" + OPTIONS + "pyspark-shell\"; ";
    String program = "python3 " + PROGRAMS.resolve("sql_lines.py");
    return new PythonClient(shell.converse("driver", options + program));
  }

  @Test
  void page_asPrinted_printsWhatItSays() throws Exception {
    ClientsPage page = ClientsPage.section("PySpark");
    String typed = page.blocks("bash").get(1);
    String output = shell.run("page", typed, page.blocks("python").get(0));
    assertThat(output.lines().map(ClientsPage::constant)).containsAll(page.printed());
  }

  @Test
  void dataFrames_withMooringAndWithout_areEqual() throws Exception {
    String facts = folder.resolve("spark-warehouse/facts").toString();
    String program = OPTIONS + PROGRAMS.resolve("data_frames.py") + " " + facts;
    assertThat(shell.run("frames", "spark-submit " + program, ""))
        .contains("BatchScan mooring", "udf: 20000 rows are equal", "groupBy: 4 rows are equal");
  }
}
