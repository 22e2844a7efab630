"""Writes TPC-DS tables as Parquet, and the 99 queries, with DuckDB's generator.

    pip install duckdb==1.4.4 duckdb-ext-tpcds==1.4.4.20260205
    python generate.py SCALE FOLDER
    mvn test -Dtest=TpcdsTest -Dmooring.test.tpcds=FOLDER
"""

import pathlib
import sys

import duckdb
import duckdb_ext

scale, folder = float(sys.argv[1]), pathlib.Path(sys.argv[2])
(folder / "queries").mkdir(parents=True, exist_ok=True)
extensions = pathlib.Path(list(duckdb_ext.__path__)[0])
tpcds = next(extensions.rglob("tpcds.duckdb_extension"))

db = duckdb.connect(config={"threads": 2})
db.execute(f"load '{tpcds}'")
db.execute(f"call dsdgen(sf={scale})")
for (table,) in db.execute("select table_name from information_schema.tables").fetchall():
    db.execute(f"copy {table} to '{folder / table}.parquet' (format parquet)")
for number, query in db.execute("select query_nr, query from tpcds_queries()").fetchall():
    (folder / "queries" / f"q{number:02d}.sql").write_text(query)
