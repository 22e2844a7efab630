package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.LogCapture;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.ui.SparkUI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Spark whose UI does not fit the tab still starts. */
@Tag("extended")
class MisfitTest {
  /** Has our classes anew, but the tab's page is one that does not link. */
  private static final class Misfit extends ClassLoader {
    Misfit() {
      super(MisfitTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(MooringTab.MooringPage.class.getName())) {
        throw new NoClassDefFoundError("org/apache/spark/ui/Gone");
      }
      Class<?> known = findLoadedClass(name);
      if (known != null || !name.startsWith("io.mooring.ui.")) {
        return known != null ? known : super.loadClass(name, resolve);
      }
      return defined(name);
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void theApplicationRunsWithoutATabAndTheLogSaysSo() throws Exception {
    Map<String, String> settings =
        Map.of(
            "spark.ui.enabled",
            "true",
            "spark.ui.port",
            "0",
            "spark.mooring.ui.reportInterval",
            "0");
    SparkSession spark = Sessions.withPlugin(1, settings);
    try (LogCapture log = LogCapture.open()) {
      SparkContext context = spark.sparkContext();
      Class<?> tab = new Misfit().loadClass(LiveTab.class.getName());
      tab.getMethod("attachTo", SparkContext.class).invoke(null, context);
      assertThat(log.messages(Level.INFO))
          .containsExactly(
              "Mooring has no tab in the UI of this Spark: java.lang.NoClassDefFoundError:"
                  + " org/apache/spark/ui/Gone");
      assertThat(Web.get(context.uiWebUrl().get() + "/environment/")).doesNotContain("Mooring</a>");
      assertThat(spark.range(10).count()).isEqualTo(10);
    } finally {
      spark.stop();
    }
  }

  @Test
  void aHistoryServerShowsTheOtherTabs() throws Exception {
    try (LogCapture log = LogCapture.open()) {
      AppHistoryServerPlugin plugin =
          (AppHistoryServerPlugin)
              new Misfit()
                  .loadClass(HistoryTab.class.getName())
                  .getDeclaredConstructor()
                  .newInstance();
      // A UI without a store is as unusable as one of an unknown version.
      SparkUI none = null;
      plugin.setupUI(none);
      assertThat(log.messages(Level.INFO)).hasSize(1);
      assertThat(log.messages(Level.INFO).get(0))
          .startsWith("Mooring has no tab in this history server: ");
    }
  }
}
