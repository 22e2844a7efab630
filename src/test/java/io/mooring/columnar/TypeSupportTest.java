package io.mooring.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.rapids.cudf.DType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeSupportTest {
  private static String problem(String parquet, String spark) {
    return problem(parquet, spark, true);
  }

  private static String problem(String parquet, String spark, boolean widens) {
    Type column = MessageTypeParser.parseMessageType("message m { " + parquet + "; }").getType(0);
    return TypeSupport.problem("a.c", column.asPrimitiveType(), DataType.fromDDL(spark), widens);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional boolean c|boolean",
        "optional int32 c (INT_8)|byte",
        "optional int32 c (INT_16)|short",
        "required int32 c|int",
        "optional int32 c (INTEGER(32,true))|int",
        "optional int64 c|bigint",
        "optional float c|float",
        "optional double c|double",
        "optional int32 c (DATE)|date",
        "optional int96 c|timestamp",
        "optional int64 c (TIMESTAMP(MICROS,true))|timestamp",
        "optional int64 c (TIMESTAMP(MILLIS,true))|timestamp",
        "optional int64 c (TIMESTAMP(MICROS,false))|timestamp_ntz",
        "optional int64 c (TIMESTAMP(MILLIS,false))|timestamp_ntz",
        "optional int32 c (INT_8)|smallint",
        "optional int32 c (INT_16)|int",
        "optional int32 c (UINT_8)|smallint",
        "optional int32 c (UINT_16)|int",
        "optional int32 c (UINT_32)|bigint",
        "optional int64 c (UINT_64)|decimal(20,0)",
        "optional binary c (JSON)|string",
        "optional binary c (ENUM)|string",
        "optional binary c (BSON)|binary",
        "optional binary c (UTF8)|string",
        "optional binary c|binary",
        "optional int32 c (DECIMAL(9,2))|decimal(9,2)",
        "optional int64 c (DECIMAL(18,4))|decimal(18,4)",
        "optional fixed_len_byte_array(16) c (DECIMAL(38,10))|decimal(38,10)"
      })
  void theGpuReads(String parquet, String spark) {
    assertThat(problem(parquet, spark)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional int32 c|short",
        "optional int32 c (INT_16)|byte",
        "optional int32 c (UINT_8)|byte",
        "optional int32 c (UINT_16)|smallint",
        "optional int32 c (UINT_32)|int",
        "optional int32 c (UINT_32)|double",
        "optional int64 c (UINT_64)|bigint",
        "optional int64 c|decimal(20,0)",
        "optional int64 c|double",
        "optional double c|float",
        "optional int32 c (DECIMAL(9,2))|decimal(8,2)",
        "optional int32 c (DECIMAL(9,2))|decimal(9,3)",
        "optional int32 c (DATE)|int",
        "optional int64 c (TIMESTAMP(NANOS,true))|timestamp",
        "optional int64 c (TIMESTAMP(MICROS,false))|timestamp",
        "optional int64 c (TIMESTAMP(MICROS,true))|bigint",
        "optional int32 c (TIME(MILLIS,true))|int",
        "optional int64 c (TIMESTAMP(MICROS,true))|timestamp_ntz",
        "optional fixed_len_byte_array(16) c (UUID)|string"
      })
  void sparkReads(String parquet, String spark) {
    assertThat(problem(parquet, spark)).startsWith("column a.c is ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional int32 c|bigint",
        "optional int32 c (INT_8)|bigint",
        "optional int32 c (UINT_16)|bigint",
        "optional int32 c|double",
        "optional float c|double",
        "optional int32 c (DECIMAL(9,2))|decimal(10,2)",
        "optional int64 c (DECIMAL(18,2))|decimal(38,2)"
      })
  void theGpuReadsNarrowerValuesWhereTheOtherReaderDoes(String parquet, String spark) {
    assertThat(problem(parquet, spark, true)).isNull();
    assertThat(problem(parquet, spark, false)).startsWith("column a.c is ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "array<struct<a:int,b:map<string,array<date>>>>|true",
        "struct<a:array<interval day to second>>|false",
        "map<interval day to second,int>|false",
        "map<int,interval day to second>|false"
      })
  void aNestedTypeIsReadWhereAllOfItIs(String type, boolean read) {
    assertThat(TypeSupport.supports(DataType.fromDDL(type))).isEqualTo(read);
  }

  @Test
  void sparkReadsHalfFloats() {
    // Spark 3.5 comes with a Parquet that does not know them.
    assumeThat(LogicalTypeAnnotation.class.getClasses())
        .extracting(Class::getSimpleName)
        .contains("Float16LogicalTypeAnnotation");
    sparkReads("optional fixed_len_byte_array(2) c (FLOAT16)", "float");
  }

  @Test
  void narrowerColumnsAreCastAndNoOthers() {
    assertThat(WideningCasts.wider(DType.UINT32, DataTypes.LongType)).isEqualTo(DType.INT64);
    assertThat(WideningCasts.wider(DType.INT64, DataTypes.LongType)).isNull();
    assertThat(WideningCasts.wider(DType.FLOAT32, DataTypes.DoubleType)).isEqualTo(DType.FLOAT64);
    assertThat(WideningCasts.wider(DType.FLOAT32, DataTypes.LongType)).isNull();
    DType narrow = DType.create(DType.DTypeEnum.DECIMAL32, -2);
    DataType wide = DataTypes.createDecimalType(20, 2);
    assertThat(WideningCasts.wider(narrow, wide))
        .isEqualTo(DType.create(DType.DTypeEnum.DECIMAL128, -2));
    assertThat(WideningCasts.wider(narrow, DataTypes.createDecimalType(20, 3))).isNull();
    assertThat(WideningCasts.wider(narrow, DataTypes.createDecimalType(9, 2))).isNull();
  }

  @Test
  void aDecodedColumnMustHaveTheTypeThatWasAskedFor() {
    assertThat(DownloadLayout.DecodedTypeCheck.fits(DType.INT32, DataTypes.IntegerType)).isTrue();
    assertThat(DownloadLayout.DecodedTypeCheck.fits(DType.INT64, DataTypes.IntegerType)).isFalse();
    assertThat(
            DownloadLayout.DecodedTypeCheck.fits(
                DType.TIMESTAMP_MILLISECONDS, DataTypes.TimestampType))
        .isFalse();
    assertThat(DownloadLayout.DecodedTypeCheck.fits(DType.STRING, DataTypes.BinaryType)).isTrue();
  }

  @Test
  void aDecodedDecimalMustHaveTheScaleThatWasAskedFor() {
    DType decimal = DType.create(DType.DTypeEnum.DECIMAL64, -4);
    assertThat(DownloadLayout.DecodedTypeCheck.fits(decimal, DataTypes.createDecimalType(18, 4)))
        .isTrue();
    assertThat(DownloadLayout.DecodedTypeCheck.fits(decimal, DataTypes.createDecimalType(18, 2)))
        .isFalse();
    assertThat(
            DownloadLayout.DecodedTypeCheck.fits(DType.INT64, DataTypes.createDecimalType(18, 0)))
        .isFalse();
  }
}
