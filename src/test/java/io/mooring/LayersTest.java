package io.mooring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.mooring", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
  @ArchTest
  static final ArchRule layersLookDownOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("jni")
          .definedBy("io.mooring.jni..")
          .layer("conf")
          .definedBy("io.mooring.conf..")
          .layer("memory")
          .definedBy("io.mooring.memory..")
          .layer("cache")
          .definedBy("io.mooring.cache..")
          .layer("parquet")
          .definedBy("io.mooring.parquet..")
          .layer("gpu")
          .definedBy("io.mooring.gpu..")
          .layer("columnar")
          .definedBy("io.mooring.columnar..")
          .layer("pushdown")
          .definedBy("io.mooring.pushdown..")
          .layer("expressions")
          .definedBy("io.mooring.expr")
          .layer("expressions on the device")
          .definedBy("io.mooring.expr.device..")
          .layer("session")
          .definedBy("io.mooring.session..")
          .layer("scan")
          .definedBy("io.mooring.scan..")
          .layer("data source")
          .definedBy("io.mooring.datasource..")
          .layer("stage")
          .definedBy("io.mooring.stage..")
          .layer("metrics")
          .definedBy("io.mooring.metrics..")
          .layer("report")
          .definedBy("io.mooring.report..")
          .layer("ui")
          .definedBy("io.mooring.ui..")
          .layer("Catalyst from Java")
          .definedBy("io.mooring.catalyst..")
          .layer("spark")
          .definedBy("io.mooring.spark..")
          .whereLayer("spark")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("Catalyst from Java")
          .mayOnlyBeAccessedByLayers(
              "expressions",
              "expressions on the device",
              "pushdown",
              "scan",
              "data source",
              "stage",
              "ui",
              "spark")
          .whereLayer("ui")
          .mayOnlyBeAccessedByLayers("spark")
          .whereLayer("report")
          .mayOnlyBeAccessedByLayers("ui", "spark")
          .whereLayer("stage")
          .mayOnlyBeAccessedByLayers("spark")
          .whereLayer("expressions")
          .mayOnlyBeAccessedByLayers("expressions on the device", "pushdown", "scan", "stage")
          .whereLayer("expressions on the device")
          .mayOnlyBeAccessedByLayers("pushdown", "scan", "stage")
          .whereLayer("data source")
          .mayOnlyBeAccessedByLayers("stage", "spark")
          .whereLayer("scan")
          .mayOnlyBeAccessedByLayers("data source", "stage", "spark")
          .whereLayer("session")
          .mayOnlyBeAccessedByLayers("scan", "data source", "spark")
          .whereLayer("pushdown")
          .mayOnlyBeAccessedByLayers("scan", "data source", "stage", "spark")
          .whereLayer("columnar")
          .mayOnlyBeAccessedByLayers(
              "expressions", "expressions on the device", "pushdown", "scan", "stage", "spark")
          .whereLayer("gpu")
          .mayOnlyBeAccessedByLayers("session", "scan", "data source", "stage", "spark")
          .whereLayer("parquet")
          .mayOnlyBeAccessedByLayers(
              "cache", "gpu", "session", "scan", "data source", "stage", "metrics")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers("gpu", "scan", "data source", "stage", "report", "ui", "spark")
          .whereLayer("cache")
          .mayOnlyBeAccessedByLayers("parquet", "gpu", "metrics", "report", "ui", "spark")
          .whereLayer("memory")
          .mayOnlyBeAccessedByLayers(
              "cache", "parquet", "gpu", "columnar", "metrics", "report", "ui", "spark")
          .whereLayer("conf")
          .mayOnlyBeAccessedByLayers(
              "memory", "gpu", "session", "scan", "data source", "metrics", "report", "spark");

  @ArchTest
  static final ArchRule stagesTravelWithoutCudf =
      noClasses()
          .that()
          .resideInAPackage("io.mooring.stage.program")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "ai.rapids..", "io.mooring.expr.device..", "io.mooring.stage.device..");

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("io.mooring.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesOfScansLookDownOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("delta")
          .definedBy("io.mooring.scan.delta..")
          .layer("split")
          .definedBy("io.mooring.scan.split..")
          .layer("schema")
          .definedBy("io.mooring.scan.schema..")
          .layer("prune")
          .definedBy("io.mooring.scan.prune..")
          .layer("plan")
          .definedBy("io.mooring.scan.plan..")
          .layer("output")
          .definedBy("io.mooring.scan.output..")
          .layer("fallback")
          .definedBy("io.mooring.scan.fallback..")
          .layer("task")
          .definedBy("io.mooring.scan.task..")
          .layer("data source")
          .definedBy("io.mooring.datasource..")
          .whereLayer("data source")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("task")
          .mayOnlyBeAccessedByLayers("data source")
          .whereLayer("fallback")
          .mayOnlyBeAccessedByLayers("task", "data source")
          .whereLayer("output")
          .mayOnlyBeAccessedByLayers("task", "data source")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("output", "task", "data source")
          .whereLayer("prune")
          .mayOnlyBeAccessedByLayers("plan", "fallback", "data source")
          .whereLayer("schema")
          .mayOnlyBeAccessedByLayers("prune", "plan", "output", "fallback", "task", "data source");

  @ArchTest
  static final ArchRule plansAreRewrittenInOrder =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("plugin")
          .definedBy("io.mooring.spark")
          .layer("joins")
          .definedBy("io.mooring.spark.plan.joins..")
          .layer("aggregates")
          .definedBy("io.mooring.spark.plan.aggregates..")
          .layer("stages")
          .definedBy("io.mooring.spark.plan.stages..")
          .layer("subqueries")
          .definedBy("io.mooring.spark.plan.subqueries..")
          .layer("scripts")
          .definedBy("io.mooring.spark.plan.scripts..")
          .layer("scans")
          .definedBy("io.mooring.spark.plan")
          .layer("reasons")
          .definedBy("io.mooring.spark.plan.explain..")
          .whereLayer("plugin")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("joins")
          .mayOnlyBeAccessedByLayers("plugin")
          .whereLayer("aggregates")
          .mayOnlyBeAccessedByLayers("plugin")
          .whereLayer("stages")
          .mayOnlyBeAccessedByLayers("plugin")
          .whereLayer("subqueries")
          .mayOnlyBeAccessedByLayers("plugin")
          .whereLayer("scripts")
          .mayOnlyBeAccessedByLayers("plugin")
          .whereLayer("reasons")
          .mayOnlyBeAccessedByLayers("scans", "joins", "aggregates", "stages");

  @ArchTest
  static final ArchRule packagesOfParquetLookDownOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("thrift")
          .definedBy("io.mooring.parquet.thrift..")
          .layer("source")
          .definedBy("io.mooring.parquet.source..")
          .layer("verify")
          .definedBy("io.mooring.parquet.verify..")
          .layer("pageskip")
          .definedBy("io.mooring.parquet.pageskip..")
          .layer("footer")
          .definedBy("io.mooring.parquet.footer..")
          .layer("unit")
          .definedBy("io.mooring.parquet.unit..")
          .layer("prune")
          .definedBy("io.mooring.parquet.prune..")
          .layer("read")
          .definedBy("io.mooring.parquet.read..")
          .layer("memory and native code")
          .definedBy("io.mooring.memory..", "io.mooring.jni..")
          .whereLayer("read")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("prune")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("unit")
          .mayOnlyBeAccessedByLayers("prune", "read")
          .whereLayer("pageskip")
          .mayOnlyBeAccessedByLayers("footer", "unit", "prune", "read")
          .whereLayer("footer")
          .mayOnlyBeAccessedByLayers("unit", "prune", "read")
          .whereLayer("verify")
          .mayOnlyBeAccessedByLayers("read")
          .whereLayer("source")
          .mayOnlyBeAccessedByLayers("verify", "footer", "pageskip", "unit", "prune", "read")
          .whereLayer("thrift")
          .mayOnlyBeAccessedByLayers("verify", "footer", "prune")
          .whereLayer("memory and native code")
          .mayOnlyBeAccessedByLayers("source", "read");

  @ArchTest
  static final ArchRule packagesOfParquetAreFreeOfCycles =
      slices().matching("io.mooring.parquet.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule sparkIsKnownOnlyWhereItMustBe =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.mooring.jni..",
              "io.mooring.conf..",
              "io.mooring.memory..",
              "io.mooring.metrics..",
              "io.mooring.parquet..",
              "io.mooring.gpu..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.spark..");

  @ArchTest
  static final ArchRule expressionsTravelWithoutCudf =
      noClasses()
          .that()
          .resideInAnyPackage("io.mooring.expr", "io.mooring.pushdown")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "ai.rapids..", "io.mooring.expr.device..", "io.mooring.pushdown.device..");
}
