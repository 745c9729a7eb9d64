"""Runs the queries of scanbench in DuckDB on one thread. Prints the CPU time and the keys of the rows as JSON.

usage: duck.py FILES ROUNDS < queries.json
needs: duckdb, pytz
"""
import json, resource, statistics, sys
import duckdb


def used():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime


files, rounds = sys.argv[1], int(sys.argv[2])
c = duckdb.connect()
c.execute("set threads=1")
c.execute("set timezone='UTC'")
c.execute("set parquet_metadata_cache=true")  # footers are cached, like ours
for query in json.load(sys.stdin):
    sql = query["sql"].replace("FROM documents", f"FROM read_parquet('{files}')")
    times = []
    for _ in range(rounds):
        before = used()
        rows = c.execute(sql).fetchall()
        times.append(used() - before)
    keys = sorted(f"{name} {offset}" for name, offset in (row[:2] for row in rows))
    print(json.dumps({"name": query["name"], "seconds": statistics.median(times), "rows": keys}), flush=True)
