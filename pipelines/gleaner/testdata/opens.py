"""Opens a collection (as Parquet, and as JSON lines), a corpus and a divided corpus with the libraries of others.

    python opens.py COLLECTION LINES CORPUS DIVIDED
"""

import glob
import json
import sys

import datasets
import duckdb
import mlcroissant
import pandas
import polars
import pyarrow.dataset

datasets.disable_progress_bars()
collection, lines, corpus, divided = sys.argv[1:]
with open(collection + "/manifest.json") as f:
    want = json.load(f)["totals"]["documents"]
shards = collection + "/documents-*.parquet"

loaded = datasets.load_dataset(collection, split="train")  # by its card
assert len(loaded) == want, (len(loaded), want)
assert len(datasets.load_dataset("parquet", data_files=shards, split="train")) == want
rows = datasets.load_dataset(lines, split="train")
assert len(rows) == want and set(rows.column_names) >= {"url", "custom_times", "language"}, rows
assert any(page["custom"] == {"first": [page["custom"]["first"][0]]} for page in rows if page["custom"]), "no custom values"
assert sorted(filter(None, rows["title"])) == sorted(filter(None, loaded["title"]))

assert polars.read_parquet(shards, missing_columns="insert").height == want
priced = "map_from_entries(custom)['first'][1] is not null"
found = duckdb.sql(f"select count(*) from read_parquet('{shards}') where {priced}").fetchall()[0][0]
assert found > 0 and found == sum(1 for page in rows if page["custom"]), found
files = sorted(glob.glob(shards))
assert pyarrow.dataset.dataset(files).count_rows() == want
assert len(pandas.concat(map(pandas.read_parquet, files))) == want

for folder in corpus, divided:
    texts = datasets.load_dataset(folder, split="train")
    assert len(texts) > 0 and texts.column_names[:3] == ["text", "id", "url"], texts
    described = mlcroissant.Dataset(folder + "/croissant.json")
    records = list(described.records("documents"))
    assert {r["documents/id"].decode() for r in records} == set(texts["id"]), folder
    assert polars.read_parquet(folder + "/data/**/*.parquet", hive_partitioning=False).height == len(texts)
    assert pyarrow.dataset.dataset(folder + "/data", exclude_invalid_files=True).count_rows() == len(texts)
assert len(pandas.read_parquet(divided + "/data", partitioning=None)) == len(texts)
print("opened", want)
