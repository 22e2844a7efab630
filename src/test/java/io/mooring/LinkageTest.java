package io.mooring;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * One jar serves all versions of Spark: each method and field of Spark, Scala, Parquet and Hadoop
 * that it uses is in the version of the class path.
 */
class LinkageTest {
  private static final List<String> OTHERS =
      List.of("org.apache.spark.", "org.apache.parquet.", "org.apache.hadoop.", "scala.");
  // Called only where they are there: Spark 3.5 and its Hadoop 3.3.4 lack them.
  private static final Set<String> OPTIONAL =
      Set.of(
          "org.apache.spark.sql.execution.datasources.v2.FileDataSourceV2.attachFilePath",
          "org.apache.hadoop.fs.FSDataInputStream.readVectored",
          "org.apache.hadoop.fs.FileRange.createFileRange",
          "org.apache.hadoop.fs.FileRange.getData");

  @Test
  void whatTheJarUsesIsThere() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.mooring");
    List<String> missing =
        ours.stream()
            .flatMap(type -> type.getAccessesFromSelf().stream())
            .filter(LinkageTest::isOfOthers)
            .filter(access -> access.getTarget().resolveMember().isEmpty())
            .map(JavaAccess::getDescription)
            .toList();
    assertThat(missing).isEmpty();
  }

  private static boolean isOfOthers(JavaAccess<?> access) {
    String owner = access.getTarget().getOwner().getName();
    return OTHERS.stream().anyMatch(owner::startsWith)
        && !OPTIONAL.contains(owner + "." + access.getTarget().getName());
  }
}
