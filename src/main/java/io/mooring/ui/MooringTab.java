package io.mooring.ui;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.sql.execution.ui.SQLAppStatusListener;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction0;
import scala.xml.Node;
import scala.xml.Unparsed;

/** The tab, in a live UI and in that of a history server. */
final class MooringTab extends SparkUITab {
  private static final String PREFIX = "mooring";

  private MooringTab(SparkUI parent, Supplier<Option<SQLAppStatusListener>> running) {
    super(parent, PREFIX);
    attachPage(new MooringPage(this, new PageContent(parent.store().store(), running)));
  }

  /**
   * Adds the tab to a UI.
   *
   * @param running Spark's listener of queries, once there is one
   */
  static void attachTo(SparkUI ui, Supplier<Option<SQLAppStatusListener>> running) {
    ui.attachTab(new MooringTab(ui, running));
  }

  /**
   * The tab's page. Spark 3.5 asks for it with a request of javax.servlet, Spark 4 with one of
   * jakarta.servlet: a class with a method for each serves both, and never looks into the request.
   */
  static final class MooringPage extends WebUIPage {
    private static final String TITLE = "Mooring";

    private final SparkUITab tab;
    private final PageContent content;

    MooringPage(SparkUITab tab, PageContent content) {
      super("");
      this.tab = tab;
      this.content = content;
    }

    @Override
    public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
      return page(request);
    }

    /** The method that Spark 3.5 calls. */
    public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
      return page(request);
    }

    @SuppressWarnings("unchecked") // as the method is declared in each version
    private Seq<Node> page(Object request) {
      Method header =
          Arrays.stream(UIUtils.class.getMethods())
              .filter(method -> method.getName().equals("headerSparkPage"))
              .findFirst()
              .orElseThrow();
      // Switches behind the help text, one more in Spark 4.2, are off.
      Object[] arguments = new Object[header.getParameterCount()];
      Arrays.fill(arguments, false);
      arguments[0] = request;
      arguments[1] = TITLE;
      arguments[2] = new Content(new Unparsed(content.now().toString()));
      arguments[3] = tab;
      arguments[4] = Option.empty();
      try {
        return (Seq<Node>) header.invoke(null, arguments);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("This Spark's page header is not known", e);
      }
    }

    private static final class Content extends AbstractFunction0<Seq<Node>> {
      private final Node node;

      Content(Node node) {
        this.node = node;
      }

      @Override
      public Seq<Node> apply() {
        return node;
      }
    }
  }
}
