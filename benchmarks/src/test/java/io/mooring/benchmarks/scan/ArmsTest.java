package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.data.InputFiles;
import io.mooring.benchmarks.data.TableFormat;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.query.Suite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ArmsTest {

  private static List<Arm> parse(String... arms) {
    return new Arms(List.of("auto")).parse(List.of(arms));
  }

  private static ScanPlan plan(List<Arm> arms, Map<String, String> conf) {
    Tables input = Tables.of(new InputFiles(Path.of("/data"), 1, 1));
    List<ScanQuery> queries = List.of(ScanQuery.rows("q", "SELECT 1"));
    ByteSize heap = ByteSize.parse("1g");
    return new ScanPlan(
        arms,
        List.of(1),
        1,
        1,
        0,
        1,
        Suite.STORE_SALES,
        queries,
        input,
        false,
        Map.of(),
        conf,
        heap,
        false);
  }

  @Test
  void anArmHasItsNameAndSize() {
    List<Arm> arms = parse("pool", "pool:2G", "pool:512m");
    assertThat(arms).extracting(Arm::name).containsExactly("pool", "pool:2g", "pool:512m");
    assertThat(arms).allMatch(Arm::hasPool);
    assertThat(arms.get(1).conf())
        .containsOnly(entry(Arm.POOL_SIZE, "2g"), entry(Arm.CACHE_SIZE, "0"));
  }

  @Test
  void manySettingsNameALogThatTheFileSystemTakes() {
    String settings = "pool" + "+spark.executor.extraJavaOptions=-Dlong=name".repeat(9);
    List<String> names =
        parse(settings + "1", settings + "2").stream().map(ScanSession::logName).toList();
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.length() < 200);
  }

  @Test
  void aMasterInBracketsHoldsCommas() {
    ArmOptions options =
        CommandLine.populateCommand(
            new ArmOptions(),
            "--arms",
            "spark-cpu+spark.master=local-cluster[2,16,1024],spark-cpu,spark-cpu+spark.master=local[4,2]");
    assertThat(options.parse())
        .extracting(Arm::name)
        .containsExactly(
            "spark-cpu+spark.master=local-cluster[2,16,1024]",
            "spark-cpu",
            "spark-cpu+spark.master=local[4,2]");
  }

  @Test
  void everySizeOfAListIsAnArm() {
    Arms sizes = new Arms(List.of("512m", "1g"));
    assertThat(sizes.parse(List.of("no-pool", "pool", "pool:4g")))
        .extracting(Arm::name)
        .containsExactly("no-pool", "pool:512m", "pool:1g", "pool:4g");
  }

  @Test
  void cudfsPoolIsOfTheSameSize() {
    Arms sizes = new Arms(List.of("2g"));
    List<Arm> arms = sizes.parse(List.of("pool", "pinned-memory-pool", "pinned-memory-pool:1g"));
    ScanPlan plan = plan(arms, Map.of());
    assertThat(plan.confOf(arms.get(1))).isEqualTo(plan.confOf(arms.get(0)));
    assertThat(arms.get(2).conf())
        .containsOnly(entry(Arm.POOL_SIZE, "1g"), entry(Arm.CACHE_SIZE, "0"));
    assertThat(arms).extracting(Arm::hasCudfsPool).containsExactly(false, true, true);
    assertThat(arms).extracting(Arm::hasPool).containsExactly(true, false, false);
    assertThat(arms).extracting(arm -> arm.source(TableFormat.PARQUET)).containsOnly("mooring");
    assertThat(arms).extracting(arm -> arm.source(TableFormat.DELTA)).containsOnly("delta");
  }

  @Test
  void withoutAGpuOneArmIsMeasuredUnlessSomebodyHasChosen() {
    List<Arm> arms = parse("no-pool", "pool");
    Recording recording = new Recording();
    assertThat(ScanCommand.runnable(arms, true, false, recording)).containsExactly(Arm.SPARK_CPU);
    assertThat(recording.notes())
        .singleElement()
        .asString()
        .contains("spark-cpu is measured alone");
    Recording chosen = new Recording();
    assertThat(ScanCommand.runnable(arms, false, false, chosen)).isEqualTo(arms);
    assertThat(chosen.notes()).singleElement().asString().contains("is noise");
    assertThat(ScanCommand.runnable(arms, true, true, chosen)).isEqualTo(arms);
    assertThat(chosen.notes()).hasSize(1);
  }

  @Test
  void anArmThatIsNamedTwiceRunsTwice() {
    assertThat(parse("pool", "pool", "pool"))
        .extracting(Arm::name)
        .containsExactly("pool", "pool#2", "pool#3");
  }

  @Test
  void anArmHasSettingsOfItsOwn() {
    Arm arm = parse("pool:1g+scan.ioThreads=8+spark.sql.files.maxPartitionBytes=64m").get(0);
    assertThat(arm.name())
        .isEqualTo("pool:1g+scan.ioThreads=8+spark.sql.files.maxPartitionBytes=64m");
    String ours = "spark.mooring.scan.ioThreads";
    String sparks = "spark.sql.files.maxPartitionBytes";
    assertThat(arm.own()).containsOnly(entry(ours, "8"), entry(sparks, "64m"));
    Map<String, String> conf = plan(List.of(arm), Map.of(ours, "2", "x", "y")).confOf(arm);
    assertThat(conf).contains(entry(ours, "8"), entry("x", "y"), entry(Arm.POOL_SIZE, "1g"));
  }

  @Test
  void thePeerRunsAsItComesAndAtItsBest() {
    List<Arm> arms = parse("peer", "peer-default", "peer-multithreaded");
    assertThat(arms).extracting(Arm::kind).containsOnly(Arm.Kind.PEER);
    assertThat(arms).extracting(arm -> arm.source(TableFormat.PARQUET)).containsOnly("parquet");
    ScanPlan plan = plan(arms, Map.of());
    assertThat(plan.confOf(arms.get(0)))
        .containsEntry("spark.plugins", "com.nvidia.spark.SQLPlugin")
        .containsEntry("spark.rapids.memory.pinnedPool.size", "16g")
        .containsEntry("spark.hadoop.parquet.read.allocation.size", "131072")
        .containsEntry("spark.rapids.memory.gpu.allocFraction", "0.300");
    assertThat(plan.confOf(arms.get(1)))
        .containsEntry("spark.plugins", "com.nvidia.spark.SQLPlugin")
        .doesNotContainKey("spark.rapids.memory.pinnedPool.size");
    assertThat(plan.confOf(arms.get(2)))
        .containsEntry("spark.rapids.sql.format.parquet.reader.type", "MULTITHREADED");
  }

  @Test
  void aLonePeerHasTheGpuToItself() {
    List<Arm> arms = parse("peer-default", "spark-cpu");
    assertThat(plan(arms, Map.of()).confOf(arms.get(0)))
        .doesNotContainKey("spark.rapids.memory.gpu.allocFraction");
  }

  @Test
  void withoutAGpuThePeerIsLeftOut() {
    Recording recording = new Recording();
    List<Arm> arms = parse("peer", "pool", "peer-default");
    assertThat(ScanCommand.runnable(arms, false, true, recording)).isEqualTo(arms);
    assertThat(ScanCommand.runnable(arms, false, false, recording)).containsExactly(arms.get(1));
    assertThat(recording.notes())
        .containsExactly(
            "arm peer left out: it needs a GPU", "arm peer-default left out: it needs a GPU");
    assertThatThrownBy(() -> ScanCommand.runnable(parse("peer"), false, false, recording))
        .hasMessage("the RAPIDS Accelerator needs a GPU, and no other arm was asked for");
  }
}
