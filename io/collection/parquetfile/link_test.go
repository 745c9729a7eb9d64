package parquetfile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// linkPages are the links of some pages, in the order in which they are to be read.
func linkPages(n int) (pages [][]schemas.Link) {
	for i := range n {
		var links []schemas.Link
		for k := range i % 4 {
			links = append(links, schemas.Link{
				SURT: fmt.Sprintf("com,a)/%04d", i), URL: fmt.Sprintf("http://a.com/%04d", i), Host: "a.com", Domain: "a.com",
				Timestamp: "2026-11-24T00:00:00.123456Z", Target: fmt.Sprintf("http://b.org/%d", k), TargetSURT: "org,b)/",
				TargetHost: "b.org", TargetDomain: "b.org", Text: fmt.Sprint(9 - k), Rel: "nofollow", Place: schemas.PlaceMain,
			})
		}
		pages = append(pages, links)
	}
	// A page of which little is known comes first.
	return slices.Insert(pages, 0, []schemas.Link{{URL: "x", Target: "mailto:a", Place: schemas.PlaceOther}})
}

func writeLinks(tb testing.TB, o Options, pages [][]schemas.Link) []byte {
	tb.Helper()
	var b bytes.Buffer
	o.TempDir = tb.TempDir()
	w := NewLinkWriter(&b, o)
	defer func() { _ = w.Abort() }() // after Close it does nothing
	for _, links := range pages {
		if err := w.Write(links); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestLinkWriter_order: links are read as written, by page, whatever the order of pages and the memory. The bytes are
// the same.
func TestLinkWriter_order(t *testing.T) {
	pages := linkPages(500)
	want := slices.Concat(pages...)
	data := writeLinks(t, Options{}, pages)
	turned := slices.Clone(pages)
	slices.Reverse(turned)
	if other := writeLinks(t, Options{MemoryBytes: 4 << 10}, turned); !bytes.Equal(data, other) {
		t.Error("other bytes with little memory and in another order")
	}
	small := writeLinks(t, Options{RowGroupRows: 7}, pages)
	for name, data := range map[string][]byte{"one group": data, "many groups": small} {
		var got []schemas.Link
		for l, err := range ReadLinks(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, l)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLinkWriter_refuses(t *testing.T) {
	w := NewLinkWriter(&bytes.Buffer{}, Options{})
	if err := w.Write([]schemas.Link{{URL: "x", Timestamp: "yesterday"}}); err == nil {
		t.Error("a timestamp that is none was taken")
	}
	if err := w.Write([]schemas.Link{{URL: "x\xff", Target: "\xff", Place: "other"}}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzReadLinks(f *testing.F) {
	f.Add(writeLinks(f, Options{}, linkPages(3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		for _, err := range ReadLinks(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				return
			}
		}
	})
}

const otherLinkReaders = `
import sys
import duckdb, pyarrow.parquet as pq
from pyiceberg.io.pyarrow import pyarrow_to_schema

schema = pyarrow_to_schema(pq.read_schema(sys.argv[1]))  # an error where a column has no id
assert [(f.field_id, f.name) for f in schema.fields] == list(enumerate("surt url host domain timestamp target target_surt"
    " target_host target_domain text rel place".split(), 1)), schema
got = duckdb.sql(f"SELECT count(*), count(target_surt), max(epoch_us(timestamp)) FROM '{sys.argv[1]}'").fetchall()
assert got[0][:2] == (13, 12) and got[0][2] % 1000000 == 123456, got
`

// TestLinkWriter_tablesOfOthers: Iceberg takes the columns by their ids, and DuckDB has the microseconds.
func TestLinkWriter_tablesOfOthers(t *testing.T) {
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, duckdb", "pyiceberg[pyarrow]==0.12.0",
		"duckdb==2.0.0", "pytz")
	path := filepath.Join(t.TempDir(), "links.parquet")
	if err := os.WriteFile(path, writeLinks(t, Options{}, linkPages(8)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", otherLinkReaders, path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
