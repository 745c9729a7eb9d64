"""Runs statements, a JSON list on standard input, in DuckDB over the shards of a collection."""

import datetime
import json
import sys

import duckdb


def value(v):
    """Returns a value as gleaner prints it: times in UTC, with six decimals."""
    if isinstance(v, datetime.datetime):
        return v.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return v


duck = duckdb.connect()
duck.execute("SET TimeZone = 'UTC'")
duck.execute("SET default_null_order = 'nulls_first'")
# One thread is enough: the test compares results, not speed.
duck.execute("SET threads = 1")
duck.execute(f"CREATE TABLE documents AS SELECT * FROM read_parquet('{sys.argv[1]}/documents-*.parquet')")
if sys.argv[2:] == ["sql"]:
    # The tables of `query --sql`, made from the shards. Missing values are NULL.
    duck.execute("""
        CREATE SCHEMA tables;
        CREATE VIEW tables.documents AS SELECT
            url, nullif(surt, '') AS surt, nullif(host, '') AS host, nullif(domain, '') AS domain, timestamp,
            nullif(language, '') AS language, nullif(mime_detected, '') AS mime_detected, nullif(title, '') AS title,
            nullif(page_type, '') AS page_type, filename, record_type, nullif(publisher, '') AS publisher,
            nullif(digest, '') AS digest, nullif(description, '') AS description, nullif(status, 0) AS status, "offset",
            length, coalesce(sequence, 0) AS sequence, body_bytes, nullif(pages, 0) AS pages,
            coalesce(damaged, false)::INT AS damaged, links_internal, coalesce(template_blocks, 0) AS template_blocks
        FROM main.documents;
        CREATE VIEW tables.entities AS SELECT url, nullif(surt, '') AS surt, nullif(host, '') AS host, timestamp, filename,
            "offset", coalesce(sequence, 0) AS sequence, e.type, e.text, nullif(e.count, 0) AS count, e.source,
            nullif(e.id, '') AS id, nullif(e.confidence, 0) AS confidence
        FROM (SELECT *, unnest(entities) AS e FROM main.documents);
        CREATE VIEW tables.custom AS SELECT url, nullif(host, '') AS host, timestamp, filename, "offset",
            coalesce(sequence, 0) AS sequence, 'stars' AS name, 'integer' AS type, unnest(map_from_entries(custom_integers)['stars']) AS value
        FROM main.documents;
        CREATE VIEW tables.hosts AS SELECT host, min(domain) AS domain, count(*) AS captures, count(DISTINCT surt) AS pages,
            sum(length) AS bytes, min(timestamp) AS first, max(timestamp) AS last
        FROM tables.documents WHERE host IS NOT NULL GROUP BY host""")
    duck.execute(f"""
        CREATE VIEW tables.links AS SELECT url, nullif(surt, '') AS surt, nullif(host, '') AS host, timestamp, target,
            nullif(text, '') AS text
        FROM read_parquet('{sys.argv[1]}/links-*.parquet')""")
    duck.execute("USE tables")
answers = []
for statement in json.load(sys.stdin):
    try:
        answers.append([[value(v) for v in row] for row in duck.execute(statement).fetchall()])
    except duckdb.Error as error:
        sys.exit(f"{statement}: {error}")
json.dump(answers, sys.stdout)
