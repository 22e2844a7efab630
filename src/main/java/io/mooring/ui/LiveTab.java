package io.mooring.ui;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.ui.SQLAppStatusListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.reflect.ClassTag;

/** Brings the tab into the UI of a running application. */
public final class LiveTab {
  private static final Logger LOG = LoggerFactory.getLogger(LiveTab.class);

  private LiveTab() {}

  /** Does nothing where there is no UI; where this Spark's UI does not fit, the log has a line. */
  public static void attachTo(SparkContext context) {
    if (context.ui().isEmpty()) {
      return;
    }
    try {
      context.listenerBus().addToStatusQueue(new ReportListener(context.statusStore().store()));
      MooringTab.attachTo(context.ui().get(), () -> listener(context));
    } catch (RuntimeException | LinkageError e) {
      LOG.info("Mooring has no tab in the UI of this Spark: {}", e.toString());
    }
  }

  /** Spark's listener of queries, which comes with the first session. */
  private static Option<SQLAppStatusListener> listener(SparkContext context) {
    return context
        .listenerBus()
        .findListenersByClass(ClassTag.<SQLAppStatusListener>apply(SQLAppStatusListener.class))
        .headOption();
  }
}
