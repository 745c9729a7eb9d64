package arrowstream

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/gleaner-web/gleaner/internal/schematest"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

func write(t testing.TB, names []string, docs ...*schemas.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// same compares a stream with a Parquet file of the same documents in the same order.
const same = `
import re, sys
import pyarrow as pa, pyarrow.parquet as pq

stream, file = pa.ipc.open_stream(sys.argv[1]).read_all(), pq.read_table(sys.argv[2])
assert stream.schema.names == file.schema.names, set(stream.schema.names) ^ set(file.schema.names)
def plain(t):  # Parquet names the items of lists otherwise, and marks fewer columns as without nulls
    return re.sub(r" not null| \('\w+'\)", "", str(t)).replace("<element:", "<item:")

for name in file.schema.names:
    a, b = stream.column(name), file.column(name)
    assert plain(a.type) == plain(b.type), (name, a.type, b.type)
    assert a.to_pylist() == b.to_pylist(), (name, a.to_pylist(), b.to_pylist())
print(stream.num_rows, len(file.schema.names))
`

// TestWriter_asParquet: pyarrow has the same columns, types, nulls and values from both formats.
func TestWriter_asParquet(t *testing.T) {
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, duckdb", "pyiceberg[pyarrow]==0.12.0",
		"duckdb==2.0.0", "pytz")
	zero := 0
	docs := []*schemas.Document{
		{URL: "http://only.example/"},
		schematest.Full(t),
		{
			Text: "a\xffb", Title: "\xe9", Timestamp: "2024-05-17T12:00:00.9999999+02:00", Published: "2026-11-23",
			Modified: "23 November", LinksInternal: &zero, Quality: &schemas.Quality{},
			Authors: []string{}, Tags: []string{"", "x"},
			Custom: map[string][]string{"none": {}}, CustomTimes: map[string][]string{"t": {"no time", "2024-05-17"}},
		},
		{Published: "1066-10-14", Timestamp: "1970-01-01T00:00:00Z", Feed: &schemas.FeedInfo{}},
	}
	dir := t.TempDir()
	stream, file := filepath.Join(dir, "s.arrow"), filepath.Join(dir, "f.parquet")
	if err := os.WriteFile(stream, write(t, nil, docs...), 0o644); err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	w, err := parquetfile.NewOrderedWriter(&table, parquetfile.OrderNone, parquetfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		record, err := parquetfile.AppendRecord(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, table.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", same, stream, file).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "4 ") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWriter_batches(t *testing.T) {
	long := strings.Repeat("x", batchBytes/2)
	for _, tt := range []struct {
		name string
		docs []*schemas.Document
		want string // rows of the batches
	}{
		{"none", nil, "[]"},
		{"one", make([]*schemas.Document, 1), "[1]"},
		{"many", make([]*schemas.Document, batchRows*2+5), "[1024 1024 5]"},
		{"long", []*schemas.Document{{Text: long}, {MainHTML: long}, {Text: "x"}}, "[2 1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i, d := range tt.docs {
				if d == nil {
					tt.docs[i] = &schemas.Document{Status: i}
				}
			}
			r, err := ipc.NewReader(bytes.NewReader(write(t, []string{"status", "text", "main_html"}, tt.docs...)))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Release()
			rows := []int64{}
			for r.Next() {
				rows = append(rows, r.RecordBatch().NumRows())
			}
			if got := fmt.Sprint(rows); got != tt.want || r.Err() != nil {
				t.Error(got, r.Err())
			}
		})
	}
}

func TestNewWriter_columns(t *testing.T) {
	r, err := ipc.NewReader(bytes.NewReader(write(t, []string{"published", "url"})))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var names []string
	for _, f := range r.Schema().Fields() {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "published published_text url" {
		t.Error(got)
	}
	_, err = NewWriter(&bytes.Buffer{}, []string{"url", "uri"})
	if err == nil || !strings.Contains(err.Error(), `"uri"`) {
		t.Error(err)
	}
}

// TestWriter_keepsDocuments: the caller's document stays as it was.
func TestWriter_keepsDocuments(t *testing.T) {
	d := &schemas.Document{
		Custom: map[string][]string{"a": {"b"}}, CustomTimes: map[string][]string{"t": {"no time"}},
	}
	write(t, nil, d)
	if len(d.Custom) != 1 || d.CustomTimes["t"][0] != "no time" {
		t.Error(d.Custom, d.CustomTimes)
	}
}

func BenchmarkWriter(b *testing.B) {
	d := schematest.Full(b)
	w, err := NewWriter(&bytes.Buffer{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := w.Write(d); err != nil {
			b.Fatal(err)
		}
	}
}
