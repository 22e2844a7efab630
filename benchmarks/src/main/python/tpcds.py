"""Writes the tables of TPC-DS as Parquet, a folder each, with DuckDB's generator.

    python3 tpcds.py SCALE FOLDER

needs duckdb and duckdb-ext-tpcds of versions that belong together. The same scale gives the same rows
in the same order.
"""

import pathlib
import sys

import duckdb
import duckdb_ext

ROWS_PER_FILE = 2_000_000
ROWS_PER_GROUP = 1_000_000

scale, folder = float(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
extension = next(pathlib.Path(list(duckdb_ext.__path__)[0]).rglob("tpcds.duckdb_extension"))
database = folder / "_tpcds.duckdb"
db = duckdb.connect(database, config={"memory_limit": "4GB"})
db.execute("set enable_progress_bar = false")
db.execute(f"load '{extension}'")
db.execute(f"call dsdgen(sf={scale})")
for (table,) in db.execute("select table_name from information_schema.tables order by 1").fetchall():
    (folder / table).mkdir()
    (rows,) = db.execute(f"select count(*) from {table}").fetchone()
    for part, first in enumerate(range(0, max(rows, 1), ROWS_PER_FILE)):
        last = first + ROWS_PER_FILE
        db.execute(
            f"copy (select * from {table} where rowid >= {first} and rowid < {last})"
            f" to '{folder}/{table}/{part:04d}.parquet'"
            f" (format parquet, compression snappy, row_group_size {ROWS_PER_GROUP})"
        )
db.close()
database.unlink()
