package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A relation in files has the same rows for each key as Spark's own on the heap. */
class MappedHashedRelationTest {
  private static final DataType[] TYPES = {DataTypes.LongType, DataTypes.StringType};
  private static final int SMALL_SEGMENTS = 12;

  @TempDir Path folder;

  private final AtomicInteger files = new AtomicInteger();

  private Path newFile() {
    return folder.resolve("file" + files.getAndIncrement());
  }

  private MappedHashedRelation inFiles(
      Seq<Expression> keys, List<InternalRow> rows, int segmentBits) {
    return new MappedHashedRelationBuilder(keys, this::newFile, () -> {}, segmentBits)
        .build(rows.iterator());
  }

  private static HashedRelation sparks(Seq<Expression> keys, List<InternalRow> rows) {
    return HashedRelation.apply(
        CollectionConverters.asScala(rows.iterator()), keys, 64, null, false, false, false);
  }

  private static Seq<Expression> keys(int... ordinals) {
    List<Expression> keys = new ArrayList<>();
    for (int ordinal : ordinals) {
      keys.add(new BoundReference(ordinal, TYPES[ordinal], true));
    }
    return CollectionConverters.asScala(keys).toList();
  }

  private static UnsafeRow row(Object... values) {
    return UnsafeProjection.create(TYPES).apply(new GenericInternalRow(values)).copy();
  }

  /** Some without a key, some of equal keys, some long. */
  private static List<InternalRow> rows(int count, int distinct) {
    Random random = new Random(count);
    List<InternalRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Long key = random.nextInt(20) == 0 ? null : random.nextInt(distinct) - distinct / 2L;
      String text = "row " + i % 7 + "x".repeat(random.nextInt(50) == 0 ? 1500 : 3);
      rows.add(row(key, UTF8String.fromString(text)));
    }
    return rows;
  }

  private static List<String> values(Iterator<InternalRow> found) {
    List<String> values = new ArrayList<>();
    while (found != null && found.hasNext()) {
      values.add(found.next().copy().toString());
    }
    values.sort(null);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 3000})
  void rowsOfLongsAreSparks(int count) {
    List<InternalRow> rows = rows(count, 400);
    HashedRelation ours = inFiles(keys(0), rows, SMALL_SEGMENTS);
    HashedRelation sparks = sparks(keys(0), rows);
    for (long key = -250; key < 250; key++) {
      assertThat(values(ours.get(key))).isEqualTo(values(sparks.get(key)));
      assertThat(ours.getValue(key) == null).isEqualTo(sparks.getValue(key) == null);
    }
    assertThat(ours.keyIsUnique()).isEqualTo(sparks.keyIsUnique());
    assertThat(distinctKeys(ours)).isEqualTo(distinctKeys(sparks));
  }

  private static List<Long> distinctKeys(HashedRelation relation) {
    List<Long> keys = new ArrayList<>();
    Iterator<InternalRow> all = relation.keys();
    while (all.hasNext()) {
      keys.add(all.next().getLong(0));
    }
    keys.sort(null);
    return keys;
  }

  @Test
  void rowsOfSeveralColumnsAreSparks() {
    List<InternalRow> rows = rows(3000, 50);
    Seq<Expression> keys = keys(1, 0);
    HashedRelation ours = inFiles(keys, rows, SMALL_SEGMENTS);
    HashedRelation sparks = sparks(keys, rows);
    UnsafeProjection keyOf = UnsafeProjection.create(keys);
    for (InternalRow row : rows) {
      UnsafeRow key = keyOf.apply(row);
      if (!key.anyNull()) {
        assertThat(values(ours.get(key))).isNotEmpty().isEqualTo(values(sparks.get(key)));
      }
    }
    assertThat(ours.get(keyOf.apply(row(1000L, UTF8String.fromString("none"))))).isNull();
  }

  @Test
  void keysThatAreUniqueAreToldSo() {
    List<InternalRow> rows =
        LongStream.range(0, 500).<InternalRow>mapToObj(it -> row(it * 3, null)).toList();
    HashedRelation ours = inFiles(keys(0), rows, SMALL_SEGMENTS);
    assertThat(ours.keyIsUnique()).isTrue();
    assertThat(ours.getValue(3 * 77L).getLong(0)).isEqualTo(3 * 77L);
    assertThat(ours.getValue(1L)).isNull();
  }

  @Test
  void rowsWithoutKeysAloneAreNone() {
    HashedRelation ours = inFiles(keys(0), List.of(row(null, null)), SMALL_SEGMENTS);
    assertThat(ours.get(0L)).isNull();
    assertThat(ours.keys().hasNext()).isFalse();
  }

  @Test
  void itsFilesHaveNoNames() throws IOException {
    inFiles(keys(0), rows(100, 10), 30);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void filesOfWhatFailsAreDeleted() throws IOException {
    List<InternalRow> rows = List.of(row(1L, UTF8String.fromString("x".repeat(5000))));
    assertThatThrownBy(() -> inFiles(keys(0), rows, SMALL_SEGMENTS))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("bytes");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }
}
