"""Compares every cell of Parquet files, as DuckDB and Polars read them, with the same rows as JSON lines.

    python columns.py rows.jsonl FILE.parquet ... [-- rows.jsonl FILE.parquet ...]

Both sides are sorted, and then compared row by row. A field that the JSON leaves out has to be null. Prints how many
cells were compared, by each reader, and the first cells that differ; then the exit code is 1.
"""
import datetime, itertools, json, sys
import duckdb, polars as pl


def moment(text):
    # Whole microseconds: finer fractions are cut.
    head, _, fraction = text.rstrip("Z").partition(".")
    t = datetime.datetime.strptime(head, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return t + datetime.timedelta(microseconds=int((fraction + "000000")[:6]))


def plain(v, t):
    """The value of a cell in JSON's terms; t is DuckDB's type."""
    if v is None:
        return None
    kind = t.id
    if kind == "list":
        inner = t.children[0][1]
        if inner.id == "struct" and [name for name, _ in inner.children] == ["key", "value"]:  # a map
            return {e["key"]: plain(e["value"], inner.children[1][1]) for e in v}
        return [plain(e, t.children[0][1]) for e in v]
    if kind == "struct":
        fields = {name: plain(v[name], inner) for name, inner in t.children}
        return {k: e for k, e in fields.items() if e is not None}
    return v


def stated(d, name):
    """The two columns of a date that a page states, joined as JSON has it."""
    t, text = d.pop(name, None), d.pop(name + "_text", None)
    if text is None and t is not None:
        text = t.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".") + "Z"
    d[name] = text


def key(d):
    return json.dumps(d, sort_keys=True, default=str)


def lines(rows):
    want = []
    with open(rows) as f:
        for line in f:
            d = json.loads(line)
            if "timestamp" in d:
                d["timestamp"] = moment(d["timestamp"])
            want.append(d)
    want.sort(key=key)
    return want


def cells(row, names, types):
    d = {n: plain(v, t) for n, v, t in zip(names, row, types)}
    for n in "published", "modified":
        if n in names:
            stated(d, n)
    if d.get("timestamp") is not None:
        d["timestamp"] = d["timestamp"].astimezone(datetime.timezone.utc)
    return d


def compare(rows, files):
    want = lines(rows)
    listed = "[" + ", ".join("'" + f.replace("'", "''") + "'" for f in files) + "]"
    table = con.sql(f"SELECT * FROM read_parquet({listed}, union_by_name = true)")
    names, types = table.columns, table.types
    readers = {
        "DuckDB": table.fetchall(),
        "Polars": pl.concat([pl.read_parquet(f) for f in files], how="diagonal").select(names).rows(),
    }
    same = True
    for reader, got in readers.items():
        found = [cells(row, names, types) for row in got]
        columns = list(found[0]) if found else []
        found.sort(key=lambda d: key({k: v for k, v in d.items() if v is not None}))
        wrong = [] if len(found) == len(want) else [f"{len(found)} rows, want {len(want)}"]
        for have, should in zip(found, want):
            for n in set(columns) | set(should):
                # Of a column that the file lacks nothing may be there; true and 1 are two values.
                h, s = have.get(n), should.get(n)
                if h != s or isinstance(h, bool) != isinstance(s, bool):
                    wrong.append(f"{should.get('url')}: {n} is {h!r:.90}, want {s!r:.90}")
        print(f"{rows}: {reader}: {len(found) * len(columns)} cells compared, {len(wrong)} differ")
        for w in wrong[:10]:
            print("  " + w)
        same = same and not wrong
    return same


con = duckdb.connect()
con.execute("SET TimeZone = 'UTC'")
groups = [list(g) for other, g in itertools.groupby(sys.argv[1:], lambda a: a == "--") if not other]
sys.exit(not all([compare(g[0], g[1:]) for g in groups]))
