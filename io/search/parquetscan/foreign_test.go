package parquetscan

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// rewrite writes a file again with pyarrow and DuckDB, in as many of their forms as differ here.
const rewrite = `
import sys
import duckdb, pyarrow.parquet as pq

source, out = sys.argv[1], sys.argv[2]
table = pq.read_table(source)

def arrow(name, **how):
    pq.write_table(table, f"{out}/{name}.parquet", **how)

arrow("pages-v1", data_page_version="1.0")
arrow("rows-over-pages", data_page_version="1.0", data_page_size=300, write_batch_size=7)
arrow("pages-v2", data_page_version="2.0", data_page_size=300, compression="zstd", write_batch_size=7)
arrow("page-index", write_page_index=True, data_page_size=300, compression="gzip",
    write_batch_size=5, row_group_size=150)
arrow("no-dictionary", use_dictionary=False, compression="none")
arrow("dictionary-overflow", dictionary_pagesize_limit=300, data_page_size=500)
arrow("nanoseconds", version="2.6", row_group_size=100, use_deprecated_int96_timestamps=True)
arrow("deltas", use_dictionary=False, compression="zstd", column_encoding={
    "url": "DELTA_BYTE_ARRAY", "surt": "DELTA_BYTE_ARRAY", "title": "DELTA_LENGTH_BYTE_ARRAY",
    "offset": "DELTA_BINARY_PACKED",
    "quality.mean_word_length": "BYTE_STREAM_SPLIT", "timestamp": "DELTA_BINARY_PACKED",
    "status": "DELTA_BINARY_PACKED"})

duck = duckdb.connect()
duck.execute("SET threads = 1; SET TimeZone = 'UTC'")
duck.execute(f"COPY (FROM '{source}') TO '{out}/duckdb-v1.parquet' (FORMAT parquet)")
duck.execute(
    f"COPY (FROM '{source}') TO '{out}/duckdb-v2.parquet' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)")
`

// TestFile_rewritten reads files of ours that other programs wrote again: all columns, and every filter.
func TestFile_rewritten(t *testing.T) {
	python := pythontest.Interpreter(
		t, "import pyarrow, duckdb, pytz", "pyiceberg[pyarrow]==0.12.0", "duckdb==2.0.0", "pytz")
	file, docs := written(t, made(250), parquetfile.Options{})
	dir := t.TempDir()
	source := filepath.Join(t.TempDir(), "source.parquet")
	if err := os.WriteFile(source, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", rewrite, source, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil || len(names) != 10 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := opened(t, file)
			n := 0
			for r, err := range f.Rows(t.Context(), nil, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(r.Document, docs[r.Number]) {
					t.Fatalf("row %d: %s", r.Number, cmp.Diff(docs[r.Number], r.Document))
				}
				n++
			}
			if n != len(docs) {
				t.Errorf("%d rows, want %d", n, len(docs))
			}
			sameRows(t, f, docs)
		})
	}
}
