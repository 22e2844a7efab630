"""Runs the SQL statements of standard input, one a line as JSON, and answers each with a line of JSON.

Its argument is the address of a Spark Connect server; without one it starts a Spark of its own. A statement
that begins with "@N " runs in session N, another one for each N.
"""

import json
import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession


def new_session():
    if len(sys.argv) > 1:
        return SparkSession.builder.remote(sys.argv[1]).create()
    return SparkSession.builder.getOrCreate().newSession()


def answer(statement):
    number, sql = statement.split(" ", 1)
    if number not in sessions:
        sessions[number] = new_session()
    try:
        rows = sessions[number].sql(sql).collect()
        return {"rows": ["\t".join(str(value) for value in row) for row in rows]}
    except PySparkException as e:
        return {"error": f"[{e.getCondition()}] {e.getMessageParameters()}", "text": str(e)}


sessions = {}
print(json.dumps({"rows": ["ready"]}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
