"""Answers statements, a list of JSON on standard input, by DuckDB over the shards of a collection."""

import datetime
import json
import sys

import duckdb


def value(v):
    """A value as gleaner prints it: times in UTC, with six decimals."""
    if isinstance(v, datetime.datetime):
        return v.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return v


duck = duckdb.connect()
duck.execute("SET TimeZone = 'UTC'")
duck.execute("SET default_null_order = 'nulls_first'")
# How the optimizer of another program answers is not what is compared.
duck.execute("SET threads = 1")
duck.execute(f"CREATE TABLE documents AS SELECT * FROM read_parquet('{sys.argv[1]}/documents-*.parquet')")
answers = []
for statement in json.load(sys.stdin):
    try:
        answers.append([[value(v) for v in row] for row in duck.execute(statement).fetchall()])
    except duckdb.Error as error:
        sys.exit(f"{statement}: {error}")
json.dump(answers, sys.stdout)
