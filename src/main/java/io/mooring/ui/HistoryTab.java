package io.mooring.ui;

import io.mooring.report.ApplicationReport;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Brings the tab into a history server that has the jar. Spark finds it by {@code
 * META-INF/services}; a failure here would keep the server from showing anything.
 */
public final class HistoryTab implements AppHistoryServerPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryTab.class);

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    return seq(List.of(new ReportListener(store)));
  }

  private static Seq<SparkListener> seq(List<SparkListener> listeners) {
    return CollectionConverters.asScala(listeners).toSeq();
  }

  /** Only for applications that ran with Mooring. */
  @Override
  public void setupUI(SparkUI ui) {
    try {
      ReportStore reports = new ReportStore(ui.store().store());
      if (reports.find(ApplicationReport.class, ApplicationReport.KEY).isPresent()) {
        MooringTab.attachTo(ui, Option::empty);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.info("Mooring has no tab in this history server: {}", e.toString());
    }
  }

  /** Behind Spark's own tabs. */
  @Override
  public int displayOrder() {
    return Integer.MAX_VALUE;
  }
}
