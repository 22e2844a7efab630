package io.mooring.testing;

import io.mooring.spark.MooringPlugin;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What Mooring logs while it is open. Thread-safe. */
public final class LogCapture extends AbstractAppender implements AutoCloseable {
  private final List<LogEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LogManager.getLogger("io.mooring");

  private LogCapture() {
    super("capture", null, null, true, Property.EMPTY_ARRAY);
  }

  /** Begins to listen. */
  public static LogCapture open() {
    LogCapture capture = new LogCapture();
    capture.start();
    capture.logger.get().setLevel(Level.INFO);
    capture.logger.addAppender(capture);
    return capture;
  }

  @Override
  public void append(LogEvent event) {
    events.add(event.toImmutable());
  }

  /** The messages of one level so far. */
  public List<String> messages(Level level) {
    return messages(events(level));
  }

  private static List<String> messages(List<LogEvent> events) {
    return events.stream().map(event -> event.getMessage().getFormattedMessage()).toList();
  }

  /** All that was logged at one level so far, but for the status. */
  public List<LogEvent> events(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level) && !isStatus(event))
        .toList();
  }

  /** The driver's lines so far on whether Mooring is on, and its advice, which are no warnings. */
  public List<String> status() {
    return messages(events.stream().filter(LogCapture::isStatus).toList());
  }

  private static boolean isStatus(LogEvent event) {
    return event.getLoggerName().equals(MooringPlugin.class.getName());
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
