"""Prints the typed values of all rows of a collection as JSON lines, with the program that has read them in front."""

import datetime
import json
import sys

import duckdb
import polars
from pyiceberg.table import StaticTable

folder = sys.argv[1]
names = ["custom", "custom_integers", "custom_floats", "custom_booleans", "custom_times"]
manifest = json.load(open(folder + "/manifest.json"))
shards = [folder + "/" + s["name"] for u in manifest["units"] for s in u["shards"] if s["name"].startswith("documents-")]


def by_duckdb():
    duckdb.execute("SET TimeZone = 'UTC'")
    columns = ["filename", "offset"] + names
    asked = f'SELECT filename, "offset", {", ".join(names)} FROM read_parquet(?, union_by_name = true)'
    # A column is asked by its key. Its values have their type, so that no text is compared with a number.
    some = "SELECT count(*) FROM read_parquet(?) WHERE list_max(map_from_entries(custom_integers)['stars']) > "
    assert duckdb.execute(some + "9", [shards]).fetchone()[0] > 0
    try:
        duckdb.execute(some + "'many'", [shards])
    except duckdb.ConversionException:
        pass
    else:
        raise AssertionError("a text was compared with a number")
    return [dict(zip(columns, row)) for row in duckdb.execute(asked, [shards]).fetchall()]


def by_polars():
    tables = [polars.read_parquet(s, columns=["filename", "offset"] + names) for s in shards]
    return polars.concat(tables, how="diagonal").to_dicts()


def by_pyiceberg():
    metadata = folder + "/metadata/v" + open(folder + "/metadata/version-hint.text").read().strip() + ".metadata.json"
    return StaticTable.from_metadata(metadata).scan().select("filename", "offset", *names).to_arrow().to_pylist()


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def pairs(value):
    """A map, which is a list of keys and values."""
    return {p["key"]: plain(p["value"]) for p in value or []}


for program in by_duckdb, by_polars, by_pyiceberg:
    for row in program():
        print(program.__name__[3:], json.dumps([row["filename"], row["offset"]] + [pairs(row[name]) for name in names]))
