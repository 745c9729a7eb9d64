package parquetfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// otherReaders checks a file, whose columns and their ids are in a list, with the programs that tables are read by.
const otherReaders = `
import sys
import duckdb, pyarrow.parquet as pq, pyarrow as pa
from pyiceberg.io.pyarrow import pyarrow_to_schema

path, ids = sys.argv[1], dict(reversed(line.split()) for line in open(sys.argv[2]))
ids.pop("-", None)

schema = pyarrow_to_schema(pq.read_schema(path))  # an error where a column has no id
for name, id in ids.items():
    assert schema.find_field(int(id)).name == name.split(".")[-1], (name, id)
for name in "timestamp", "published", "modified":
    assert str(schema.find_field(name).field_type) == "timestamptz", schema.find_field(name)
    assert pq.read_schema(path).field(name).type == pa.timestamp("us", tz="UTC")

rows = pq.read_table(path).select(["url", "timestamp"]).to_pylist()
assert rows[0]["timestamp"].microsecond == 123456, rows[0]

got = duckdb.sql(f"SELECT name, field_id FROM parquet_schema('{path}') WHERE field_id IS NOT NULL").fetchall()
assert len(schema.field_ids) == len(got) >= len(ids), (len(schema.field_ids), len(got))
assert ("url", int(ids["url"])) in got, got
found = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE timestamp >= TIMESTAMPTZ '2026-11-23 08:00:00.123456+00'").fetchall()
assert found == [(2,)], found
probe = duckdb.sql(f"SELECT bloom_filter_excludes FROM parquet_bloom_probe('{path}', 'url', 'http://not-there/')").fetchall()
assert probe == [(True,)], probe
probe = duckdb.sql(f"SELECT bloom_filter_excludes FROM parquet_bloom_probe('{path}', 'url', 'http://a/')").fetchall()
assert probe == [(False,)], probe
`

// TestWriter_tablesOfOthers: Iceberg takes the columns by their ids, and DuckDB has the same microseconds and asks the
// bloom filter.
func TestWriter_tablesOfOthers(t *testing.T) {
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, duckdb", "pyiceberg[pyarrow]==0.12.0",
		"duckdb==2.0.0", "pytz")
	var docs []*schemas.Document
	for i, name := range []string{"a", "b"} {
		docs = append(docs, &schemas.Document{
			URL: "http://" + name + "/", SURT: name + ")/", Timestamp: fmt.Sprintf("2026-11-23T08:00:0%d.123456Z", i),
			RecordType: schemas.TypeResponse, Filename: "a.warc", Published: "2026-11-23", Modified: "2026-11-23",
			Custom: map[string][]string{"price": {"1", "2"}},
		})
	}
	path := filepath.Join(t.TempDir(), "documents.parquet")
	if err := os.WriteFile(path, write(t, Options{}, docs), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", otherReaders, path, "testdata/ids.txt").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
