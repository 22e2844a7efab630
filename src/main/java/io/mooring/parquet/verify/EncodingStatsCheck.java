package io.mooring.parquet.verify;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/** How many data pages of a chunk have each encoding, beside what the footer says of that. */
final class EncodingStatsCheck {
  private final @Nullable EncodingStats expected;
  private final Map<Encoding, Integer> found = new EnumMap<>(Encoding.class);

  /**
   * @param trusted whether the footer is believed, where it says anything
   */
  EncodingStatsCheck(ColumnChunkMetaData chunk, boolean trusted) {
    this.expected = trusted ? chunk.getEncodingStats() : null;
  }

  void add(Encoding encoding) {
    found.merge(encoding, 1, Integer::sum);
  }

  /**
   * Looks at all that has come.
   *
   * @throws IOException when the footer says otherwise
   */
  void end() throws IOException {
    for (var entry : found.entrySet()) {
      var encoding = org.apache.parquet.column.Encoding.valueOf(entry.getKey().name());
      if (expected != null && expected.getNumDataPagesEncodedAs(encoding) != entry.getValue()) {
        throw new IOException("the encodings of all are not those that the footer says");
      }
    }
  }
}
