package io.mooring.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.LogicalInverseRewriter;
import org.apache.parquet.filter2.predicate.SchemaCompatibilityValidator;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.ParquetInputFormat;

/**
 * Which row groups of a file may hold a row that satisfies a predicate: first by the statistics of
 * the footer, then by {@link ChunkFilters} in the file. parquet-mr decides, as for Spark's reader.
 */
public final class RowGroupPruner {
  private final ParquetFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Configuration conf;

  public RowGroupPruner(
      ParquetFile file, Footer footer, FilterPredicate predicate, Configuration conf) {
    this.file = file;
    this.footer = footer;
    this.predicate = LogicalInverseRewriter.rewrite(predicate);
    this.conf = conf;
  }

  /**
   * Those of {@code rowGroups} that have to be read.
   *
   * @throws IOException when the file cannot be read
   */
  public List<Integer> kept(List<Integer> rowGroups) throws IOException {
    SchemaCompatibilityValidator.validate(predicate, footer.schema());
    List<Integer> kept = rowGroups;
    if (conf.getBoolean(ParquetInputFormat.STATS_FILTERING_ENABLED, true)) {
      kept = rowGroups.stream().filter(this::mayMatch).toList();
    }
    FilterPredicate equality = EqualityPart.of(predicate);
    return equality == null ? kept : new ChunkFilters(file, footer, equality, conf).kept(kept);
  }

  private boolean mayMatch(int rowGroup) {
    return !StatisticsFilter.canDrop(predicate, footer.rowGroups().get(rowGroup).getColumns());
  }
}
