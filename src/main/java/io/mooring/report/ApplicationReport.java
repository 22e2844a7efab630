package io.mooring.report;

import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * The driver's report at its start, an event that the UI's store keeps. Immutable.
 *
 * @param settings Mooring's keys that the user has set
 * @param warnings what the driver has warned of
 */
public record ApplicationReport(String version, Map<String, String> settings, List<String> warnings)
    implements SparkListenerEvent {

  /** The one key in the store. */
  public static final String KEY = "application";

  /** There is one for each application. */
  @KVIndex
  public String key() {
    return KEY;
  }
}
