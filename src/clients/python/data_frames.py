"""Compares what a Python program gets of a table through Mooring with what it gets through Spark.

Arguments: the table's folder, and the address of a Spark Connect server where there is one.
"""

import sys

import pandas
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType

builder = SparkSession.builder
spark = (builder.remote(sys.argv[2]) if len(sys.argv) > 2 else builder).getOrCreate()
path = sys.argv[1]


@f.udf(LongType())
def twice(value):
    return None if value is None else value * 2


@f.pandas_udf(LongType())
def length(values: pandas.Series) -> pandas.Series:
    return values.str.len()


def negated(batches):
    for batch in batches:
        yield pandas.DataFrame({"id": -batch["id"]})


def frames():
    table = spark.read.parquet(path)
    yield "arrow", table.filter("half > 100")
    yield "udf", table.select("id", twice("id").alias("twice"))
    yield "pandas_udf", table.filter("text is not null").select("id", length("text").alias("length"))
    yield "mapInPandas", table.select("id").mapInPandas(negated, "id long")
    yield "cache", table.filter("day = 1").cache()
    yield "groupBy", table.groupBy("day").agg(f.count("*").alias("id"), f.sum("price"))


def through(enabled):
    spark.conf.set("spark.mooring.sql.enabled", enabled)
    results = {}
    for name, frame in frames():
        pandas_frame = frame.toPandas().sort_values(frame.columns[0]).reset_index(drop=True)
        results[name] = pandas_frame
        if name == "cache":
            frame.unpersist(blocking=True)
    return results


spark.read.parquet(path).filter("half > 100").explain()
ours, sparks = through("true"), through("false")
for name, frame in ours.items():
    pandas.testing.assert_frame_equal(frame, sparks[name])
    print(f"{name}: {len(frame)} rows are equal")
