package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestIngest_data: structured data is listed if --extract names it, the same with any number of workers, and counted as
// documents have it.
func TestIngest_data(t *testing.T) {
	const archive = "testdata/archives/site.warc.gz"
	var first []byte
	for _, workers := range []string{"1", "4"} {
		out := t.TempDir()
		r := mustRun(t, "--output="+out, "--extract=data", "--workers="+workers, archive)
		names, _ := filepath.Glob(filepath.Join(out, "data-*.parquet"))
		if len(names) != 1 || !strings.Contains(r.stdout, "\nData  ") {
			t.Fatalf("files %q, and the summary says\n%s", names, r.stdout)
		}
		data, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Errorf("%s workers: other bytes", workers)
		}
		all, m, err := holdings.Whole(folder.Open(t.Context(), out, blob.New(blob.Options{})))
		if err != nil {
			t.Fatal(err)
		}
		rows, items, counted := int64(0), 0, 0
		last := ""
		for d, err := range all.Data(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			rows++
			if key := d.URL + d.Timestamp + string(rune(d.Item)); key != last {
				items, last = items+1, key
			}
		}
		for d, err := range all.Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range d.Data {
				counted += kind.Items
			}
		}
		if rows == 0 || rows != m.Totals.Data || items != counted {
			t.Errorf("%d rows of %d items; the manifest has %d, documents %d", rows, items, m.Totals.Data, counted)
		}
	}
	if r := runCommand(t, "--output="+t.TempDir(), "--format=data", "--extract=text", archive); r.code != 2 ||
		!strings.Contains(r.stderr, "add data to it") {
		t.Errorf("--format=data without the extractor: exit code %d\n%s", r.code, r.stderr)
	}
}
