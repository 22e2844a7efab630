package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.PageCache;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.query.QuerySelection;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.store.ShapedStore;
import io.mooring.benchmarks.store.StoreJars;
import io.mooring.benchmarks.worker.Workers;
import io.mooring.benchmarks.worker.jvm.AllocationTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./benchmarks/run scan}: Parquet queries without the pool, with libcudf's own and with
 * Mooring's, at several numbers of concurrent tasks.
 */
@Command(
    name = "scan",
    description = "Times Parquet queries without the pool, with libcudf's own and with Mooring's.",
    footer = "Exits 0 when every result equals that of Spark's CPU reader, else 1.")
public final class ScanCommand extends MeasuringCommand {

  private static final String ONE_ARM =
      "Without a GPU every arm is Spark's own reader, so spark-cpu is measured alone";
  private static final String ALIKE =
      "Without a GPU every arm is Spark's own reader: what they differ by is noise, or the plugin's"
          + " planning";

  @Mixin private ScanOptions options;

  @Override
  public Integer call() {
    List<Arm> wanted = options.arms.parse();
    options.check(wanted);
    QuerySelection choice = options.data.choice();
    ReportFolder folder = prepareFolder();
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    Recording recording = new Recording();
    if (environment.gpus().isEmpty()) {
      recording.note(ScanRun.NO_GPU);
      System.err.println(ScanRun.NO_GPU);
    }
    List<Arm> arms =
        runnable(wanted, options.arms.areDefault(), !environment.gpus().isEmpty(), recording);
    options.checkMemory(arms.size(), environment.memoryBytes());
    Workers workers = new Workers(folder.path().resolve("logs"));
    try (ScanSession session = session(arms, choice, environment, recording, workers)) {
      return new ScanRun(session, environment, folder, arguments()).call();
    } catch (ProcessException e) {
      throw UserError.failure(e.getMessage());
    } finally {
      workers.kill();
    }
  }

  private ScanSession session(
      List<Arm> arms,
      QuerySelection choice,
      Environment environment,
      Recording recording,
      Workers workers) {
    ScanSetup setup = new ScanSetup(options, environment, workers);
    Tables tables = setup.tables().withViews(choice.views());
    ExpectedResults reference = setup.reference(tables, choice);
    reference
        .skipped()
        .forEach((name, why) -> recording.note("query " + name + " left out: " + why));
    List<Path> jars = new ArrayList<>(options.arms.jars());
    options.data.store().ifPresent(shape -> jars.addAll(StoreJars.find()));
    if (options.data.store().isPresent() && !tables.areFilesAlone()) {
      throw UserError.usage(
          "--store holds Parquet files alone, no tables of Delta Lake or Iceberg");
    }
    Optional<ShapedStore> store =
        options.data.store().map(shape -> ShapedStore.start(shape, tables));
    ScanPlan plan = setup.plan(arms, reference.queries(), tables, store);
    if (plan.exclusive() && !options.exclusive) {
      recording.note("Memory is short: one JVM at a time, started anew for each arm and round");
    }
    if (plan.exclusive() && options.traceOut().isPresent()) {
      recording.note("No trace: it is recorded only with one JVM per arm, side by side");
    }
    boolean traced = !plan.exclusive() && plan.arms().stream().anyMatch(Arm::hasPool);
    return new ScanSession(
        plan,
        reference,
        recording,
        workers,
        new PageCache(tables.paths(), plan.cold() && store.isEmpty()),
        store,
        jars,
        options.arms.peerJar(),
        options.traceOut(),
        options
            .traceOut()
            .filter(out -> traced)
            .map(out -> AllocationTrace.build(workers.buildLog())));
  }

  /**
   * The arms that can be measured here. Without a GPU every other arm reads with Spark's own
   * reader: only {@code spark-cpu} is measured, unless the user has chosen arms. The peer needs a
   * GPU and is left out without one.
   *
   * @throws UserError when no arm is left
   */
  static List<Arm> runnable(
      List<Arm> arms, boolean areDefault, boolean hasGpu, Recording recording) {
    if (!hasGpu && areDefault) {
      recording.note(ONE_ARM);
      return List.of(Arm.SPARK_CPU);
    }
    List<Arm> measurable =
        arms.stream().filter(arm -> hasGpu || arm.kind() != Arm.Kind.PEER).toList();
    if (measurable.isEmpty()) {
      throw UserError.usage("the RAPIDS Accelerator needs a GPU, and no other arm was asked for");
    }
    arms.stream()
        .filter(arm -> !measurable.contains(arm))
        .forEach(arm -> recording.note("arm " + arm.name() + " left out: it needs a GPU"));
    if (!hasGpu && measurable.size() > 1 && measurable.stream().anyMatch(Arm::usesPlugin)) {
      recording.note(ALIKE);
    }
    return measurable;
  }
}
