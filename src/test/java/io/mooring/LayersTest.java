package io.mooring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

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
          .layer("parquet")
          .definedBy("io.mooring.parquet..")
          .layer("gpu")
          .definedBy("io.mooring.gpu..")
          .layer("columnar")
          .definedBy("io.mooring.columnar..")
          .layer("pushdown")
          .definedBy("io.mooring.pushdown..")
          .layer("scan")
          .definedBy("io.mooring.scan..")
          .layer("metrics")
          .definedBy("io.mooring.metrics..")
          .layer("ui")
          .definedBy("io.mooring.ui..")
          .layer("spark")
          .definedBy("io.mooring.spark..")
          .whereLayer("spark")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("ui")
          .mayOnlyBeAccessedByLayers("spark")
          .whereLayer("scan")
          .mayOnlyBeAccessedByLayers("spark")
          .whereLayer("pushdown")
          .mayOnlyBeAccessedByLayers("scan", "spark")
          .whereLayer("columnar")
          .mayOnlyBeAccessedByLayers("scan", "spark")
          .whereLayer("gpu")
          .mayOnlyBeAccessedByLayers("scan", "spark")
          .whereLayer("parquet")
          .mayOnlyBeAccessedByLayers("gpu", "scan", "metrics")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers("gpu", "scan", "ui", "spark")
          .whereLayer("memory")
          .mayOnlyBeAccessedByLayers("parquet", "gpu", "columnar", "metrics", "spark")
          .whereLayer("conf")
          .mayOnlyBeAccessedByLayers("gpu", "scan", "spark");

  @ArchTest
  static final ArchRule pagesAreVerifiedWithoutKnowingWhoReadsThem =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("reading")
          .definedBy("io.mooring.parquet")
          .layer("verify")
          .definedBy("io.mooring.parquet.verify..")
          .layer("bytes")
          .definedBy("io.mooring.parquet.bytes..")
          .layer("memory and native code")
          .definedBy("io.mooring.memory..", "io.mooring.jni..")
          .whereLayer("reading")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("verify")
          .mayOnlyBeAccessedByLayers("reading")
          .whereLayer("bytes")
          .mayOnlyBeAccessedByLayers("reading", "verify")
          .whereLayer("memory and native code")
          .mayOnlyBeAccessedByLayers("reading");

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
}
