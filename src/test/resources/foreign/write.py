"""Writes the Parquet files of this folder with pyarrow and DuckDB: see README.md."""

import datetime
import decimal
import pathlib
import random

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
ROWS = 90
dice = random.Random(20261121)


def column(kind, make, nulls=0.2):
    return pa.array([None if dice.random() < nulls else make() for _ in range(ROWS)], kind)


def whole(bits, signed=True):
    low = -(2 ** (bits - 1)) if signed else 0
    high = low + 2**bits - 1
    return lambda: dice.choice([low, high, 0, dice.randint(low, high), dice.randint(0, 9)])


def text():
    return dice.choice(["", "a", "prefix-%d" % dice.randint(0, 9), "é😀" * 3, "x" * 70])


def moment():
    return datetime.datetime(1900, 1, 1) + datetime.timedelta(microseconds=dice.randint(0, 6 * 10**15))


def number():
    return dice.choice([0.0, -0.0, float("nan"), float("inf"), 1.5, dice.gauss(0, 1e6)])


def dec(precision, scale):
    limit = 10**precision - 1
    return lambda: decimal.Decimal(dice.randint(-limit, limit)).scaleb(scale and -scale)


decimal.getcontext().prec = 60

COMMON = {
    "b": column(pa.bool_(), lambda: dice.random() < 0.5),
    "i8": column(pa.int8(), whole(8)),
    "i16": column(pa.int16(), whole(16)),
    "i32": column(pa.int32(), whole(32)),
    "i64": column(pa.int64(), whole(64)),
    "f": column(pa.float32(), number),
    "d": column(pa.float64(), number),
    "s": column(pa.string(), text),
    "bin": column(pa.binary(), lambda: dice.randbytes(dice.randint(0, 9))),
    "day": column(pa.date32(), lambda: moment().date()),
    "us": column(pa.timestamp("us", "UTC"), moment),
    "required": pa.array(range(ROWS), pa.int64()),
    "nothing": pa.array([None] * ROWS, pa.int32()),
}
DELTA = {
    "i32": "DELTA_BINARY_PACKED",
    "i64": "DELTA_BINARY_PACKED",
    "s": "DELTA_BYTE_ARRAY",
    "bin": "DELTA_LENGTH_BYTE_ARRAY",
}
SPLIT = {"i32": "BYTE_STREAM_SPLIT", "f": "BYTE_STREAM_SPLIT", "d": "BYTE_STREAM_SPLIT"}
ENCODINGS = {"plain": None, "delta": DELTA, "split": SPLIT}


def save(name, columns, **options):
    pq.write_table(pa.table(columns), HERE / f"{name}.parquet", store_schema=False, **options)


for codec in ("none", "snappy", "gzip", "zstd", "lz4", "brotli"):
    version = "2.0" if codec in ("snappy", "gzip", "lz4") else "1.0"
    shared = dict(compression=codec, data_page_version=version, data_page_size=200)
    save(f"arrow-dictionary-{codec}", COMMON, row_group_size=40, **shared)
    for name, encoding in ENCODINGS.items():
        if name == "plain" or codec in ("gzip", "snappy"):
            columns = COMMON if name == "plain" else {c: COMMON[c] for c in encoding}
            save(f"arrow-{name}-{codec}", columns, use_dictionary=False, column_encoding=encoding, **shared)

nanos = column(pa.int64(), lambda: dice.randint(0, 4 * 10**18))
OTHERS = {
    "u8": column(pa.uint8(), whole(8, False)),
    "u16": column(pa.uint16(), whole(16, False)),
    "u32": column(pa.uint32(), whole(32, False)),
    "u64": column(pa.uint64(), whole(63, False)),
    "ms": column(pa.timestamp("ms", "UTC"), moment),
    "ns": nanos.cast(pa.timestamp("ns", "UTC")),
    "local": column(pa.timestamp("us"), moment),
    "local_ns": nanos.cast(pa.timestamp("ns")),
    "large": column(pa.large_string(), text),
    "fixed": column(pa.binary(5), lambda: dice.randbytes(5)),
    "half": column(pa.float16(), lambda: 1.5),
    "clock": column(pa.time64("us"), lambda: moment().time()),
    "span": column(pa.duration("us"), lambda: datetime.timedelta(seconds=dice.randint(0, 999))),
    "void": pa.nulls(ROWS),
    "list": column(pa.list_(pa.int32()), lambda: [1, None, dice.randint(0, 9)][: dice.randint(0, 3)]),
    "map": column(pa.map_(pa.string(), pa.int64()), lambda: [("k", 1), ("l", None)]),
    "struct": column(
        pa.struct([("x", pa.int32()), ("y", pa.list_(pa.string()))]), lambda: {"x": 1, "y": [text()]}
    ),
    "words": column(pa.string(), text).dictionary_encode(),
}
save("arrow-other-types", OTHERS)
save("arrow-old-lists", {"list": OTHERS["list"], "i": COMMON["i32"]}, use_compliant_nested_type=False)
save("arrow-int96", {"t": COMMON["us"], "ns": OTHERS["ns"]}, use_deprecated_int96_timestamps=True)

DECIMALS = {
    f"d{p}_{s}": column(pa.decimal128(p, s), dec(p, s)) for p, s in [(1, 0), (4, 2), (9, 9), (10, 3), (18, 0), (19, 4), (38, 10)]
}
save("arrow-decimals-fixed", DECIMALS)
save("arrow-decimals-integers", DECIMALS, store_decimal_as_integer=True)

save("arrow-page-index", COMMON, write_page_index=True, data_page_size=64, write_batch_size=8)
save("arrow-no-statistics", COMMON, write_statistics=False)
save("arrow-nan", {"d": pa.array([float("nan")] * 9 + [None, 1.0, -0.0])}, use_dictionary=False)
save("arrow-zero-rows", {name: values[:0] for name, values in COMMON.items()})
save("arrow-zero-columns", {})
with pq.ParquetWriter(HERE / "arrow-zero-row-groups.parquet", pa.table(COMMON).schema) as writer:
    pass

QUERY = f"""select i::tinyint as i8, (i * 300)::smallint as i16, i::utinyint as u8, i::uint64 as u64,
    i::hugeint as huge, (i / 4.0)::float as f, if(i % 9 = 0, 'nan'::double, i / 3.0) as d,
    (i * 1.0)::decimal(4, 2) as d4, (i * 1.25)::decimal(9, 3) as d9, (i * 7)::decimal(18, 5) as d18,
    (i * 7)::decimal(38, 9) as d38, if(i % 5 = 0, null, 'text ' || i % 4) as s,
    ('x' || i)::blob as bin, date '1970-01-01' + i::int * 400 as day,
    make_timestamp(i * 10000000000001) as us, make_timestamptz(1900 + i, 1, 1, 2, 3, 4.5) as tz,
    make_timestamp_ns(i * 1000000000000001) as ns, make_timestamp(i * 99)::timestamp_ms as ms,
    time '01:02:03' as clock, interval (i) day as span, uuid_blob as id, (i % 3 = 0) as b,
    [i, null, 2] as list, {{'x': i, 'y': 'z'}} as struct, map {{'k': i}} as map,
    ('w' || i % 2)::enum('w0', 'w1') as e
    from (select range as i, '00000000-0000-0000-0000-00000000000a'::uuid as uuid_blob from range(90))"""
db = duckdb.connect(config={"threads": 1})
db.execute("set timezone = 'UTC'")
for codec, version in (("uncompressed", "v1"), ("snappy", "v1"), ("zstd", "v2"), ("gzip", "v2"), ("lz4_raw", "v2")):
    path = HERE / f"duckdb-{codec}-{version}.parquet"
    db.execute(f"copy ({QUERY}) to '{path}' (format parquet, compression {codec}, parquet_version {version})")
