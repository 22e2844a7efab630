package io.mooring.spark.plan.delta;

import io.mooring.scan.delta.DeltaFiles;
import io.mooring.scan.delta.DeltaSnapshot;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.jspecify.annotations.Nullable;

/** The choice of the files of one scan. Its files are chosen on any thread, once. */
final class Choice {
  final ChosenFiles.Key key;
  private final DeltaTableScan scan;
  private final DeltaSnapshot snapshot;
  private final ChosenFiles known;
  volatile @Nullable DeltaFiles files;

  /**
   * @param known what other queries have chosen
   */
  Choice(DeltaTableScan scan, DeltaSnapshot snapshot, ChosenFiles known) {
    this.scan = scan;
    this.snapshot = snapshot;
    this.known = known;
    this.key = scan.key(snapshot);
    DeltaFiles before = known.get(key);
    this.files = before == null ? null : before.mapConditions(scan::unbound);
  }

  /** Has Delta Lake choose the files, and keeps them for later queries. */
  Callable<DeltaFiles> chosen() {
    return () -> {
      DeltaFiles chosen = snapshot.files(scan.conditions());
      files = chosen;
      known.put(key, chosen.mapConditions(scan::bound));
      return chosen;
    };
  }

  /**
   * The plan of the scan over the chosen files.
   *
   * @param same a choice by the same key, where this one has no files
   */
  LogicalPlan replaced(@Nullable Choice same) {
    DeltaFiles own = files;
    if (own == null) {
      Choice other = Objects.requireNonNull(same);
      own =
          Objects.requireNonNull(other.files)
              .mapConditions(other.scan::bound)
              .mapConditions(scan::unbound);
    }
    return snapshot.over(scan.plan(), scan.files(), own);
  }
}
