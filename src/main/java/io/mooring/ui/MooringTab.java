package io.mooring.ui;

import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;

/** The tab, in a live UI and in that of a history server. */
final class MooringTab extends SparkUITab {
  private static final String PREFIX = "mooring";

  private MooringTab(SparkUI parent) {
    super(parent, PREFIX);
    attachPage(new MooringPage(this, new PageContent(parent.store().store())));
  }

  static void attachTo(SparkUI ui) {
    ui.attachTab(new MooringTab(ui));
  }
}
