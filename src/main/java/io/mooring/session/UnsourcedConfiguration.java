package io.mooring.session;

import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;

/**
 * A copy of a Hadoop configuration that is serialized without the names of the files that its
 * entries are from. Hadoop compresses these one by one, which takes a millisecond and more for each
 * scan of a query; only messages of Hadoop's own show them.
 */
public final class UnsourcedConfiguration extends Configuration {
  public UnsourcedConfiguration(Configuration other) {
    super(other);
  }

  /** Writes what {@link Configuration#readFields} reads. */
  @Override
  public void write(DataOutput out) throws IOException {
    Map<String, String> entries = entries(this);
    WritableUtils.writeVInt(out, entries.size());
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      Text.writeString(out, entry.getKey());
      Text.writeString(out, entry.getValue());
      WritableUtils.writeCompressedStringArray(out, null);
    }
  }

  /** The entries of a configuration, as they are before variables in them are replaced. */
  static Map<String, String> entries(Configuration conf) {
    Map<String, String> entries = new HashMap<>();
    conf.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }
}
