"""Writes the tables of TPC-DS as Parquet, a folder each, with DuckDB's generator.

    python3 tpcds.py SCALE FOLDER

needs duckdb and duckdb-ext-tpcds of versions that belong together. The same scale gives the same rows
in the same order.
"""

import concurrent.futures
import os
import pathlib
import sys

import duckdb
import duckdb_ext

ROWS_PER_FILE = 2_000_000
ROWS_PER_GROUP = 1_000_000
MOST_WRITERS = 16


def files(db):
    """Table, number of the file and its first row, for each file; large tables first."""
    tables = db.execute("select table_name from information_schema.tables").fetchall()
    rows = {table: db.execute(f"select count(*) from {table}").fetchone()[0] for (table,) in tables}
    for table in sorted(rows, key=rows.get, reverse=True):
        for part, first in enumerate(range(0, max(rows[table], 1), ROWS_PER_FILE)):
            yield table, part, first


def write(db, folder, table, part, first):
    """Writes one file; a cursor of its own lets a thread work beside others."""
    db.cursor().execute(
        f"copy (select * from {table} where rowid >= {first} and rowid < {first + ROWS_PER_FILE})"
        f" to '{folder}/{table}/{part:04d}.parquet'"
        f" (format parquet, compression snappy, row_group_size {ROWS_PER_GROUP})"
    )


scale, folder = float(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
extension = next(pathlib.Path(list(duckdb_ext.__path__)[0]).rglob("tpcds.duckdb_extension"))
database = folder / "_tpcds.duckdb"
writers = min(os.cpu_count(), MOST_WRITERS)
db = duckdb.connect(database, config={"memory_limit": f"{4 + writers // 2}GB"})
db.execute("set enable_progress_bar = false")
db.execute(f"load '{extension}'")
db.execute(f"call dsdgen(sf={scale})")
with concurrent.futures.ThreadPoolExecutor(writers) as threads:
    written = []
    for table, part, first in files(db):
        (folder / table).mkdir(exist_ok=True)
        written.append(threads.submit(write, db, folder, table, part, first))
    for file in written:
        file.result()
db.close()
database.unlink()
