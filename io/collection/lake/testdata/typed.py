"""Prints the typed values of all rows as JSON lines, by another program: typed.py PROGRAM COLLECTION."""

import datetime
import json
import sys

program, folder = sys.argv[1:]
names = ["custom", "custom_integers", "custom_floats", "custom_booleans", "custom_times"]
manifest = json.load(open(folder + "/manifest.json"))
shards = [folder + "/" + s["name"] for u in manifest["units"] for s in u["shards"] if s["name"].startswith("documents-")]

if program == "duckdb":
    import duckdb

    duckdb.execute("SET TimeZone = 'UTC'")
    cursor = duckdb.execute(f'SELECT filename, "offset", {", ".join(names)} FROM read_parquet(?, union_by_name = true)', [shards])
    rows = [dict(zip(["filename", "offset"] + names, row)) for row in cursor.fetchall()]
    # A map is asked by its key. Its values have their type, so that no text is compared with a number.
    asked = "SELECT count(*) FROM read_parquet(?) WHERE list_max(custom_integers['stars']) > "
    assert duckdb.execute(asked + "9", [shards]).fetchone()[0] > 0
    try:
        duckdb.execute(asked + "'many'", [shards])
    except duckdb.ConversionException:
        pass
    else:
        raise AssertionError("a text was compared with a number")
elif program == "polars":
    import polars

    table = polars.concat([polars.read_parquet(s, columns=["filename", "offset"] + names) for s in shards], how="diagonal")
    rows = table.to_dicts()
else:
    from pyiceberg.table import StaticTable

    metadata = folder + "/metadata/v" + open(folder + "/metadata/version-hint.text").read().strip() + ".metadata.json"
    rows = StaticTable.from_metadata(metadata).scan().select("filename", "offset", *names).to_arrow().to_pylist()


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, dict) and set(value) == {"time"}:
        return plain(value["time"])
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def pairs(value):
    if isinstance(value, list):
        value = {p["key"]: p["value"] for p in value} if value and isinstance(value[0], dict) else dict(value)
    return {k: plain(v) for k, v in (value or {}).items()}


for row in rows:
    print(json.dumps([row["filename"], row["offset"]] + [pairs(row[name]) for name in names]))
