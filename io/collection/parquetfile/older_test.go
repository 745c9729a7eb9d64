package parquetfile_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestRead_form7 reads a file of form 7, with maps of all types, by both readers.
func TestRead_form7(t *testing.T) {
	lines, err := os.ReadFile("testdata/form7.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("testdata/form7.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var want []*schemas.Document
	for line := range bytes.Lines(lines) {
		d := &schemas.Document{}
		if err := json.Unmarshal(line, d); err != nil {
			t.Fatal(err)
		}
		want = append(want, d)
	}
	var scanned []*schemas.Document
	read, err := documents(file)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range opened(t, file).Rows(t.Context(), nil, nil) {
		if err != nil {
			t.Fatal(err)
		}
		scanned = append(scanned, row.Document)
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("Read: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(want, scanned); diff != "" {
		t.Errorf("parquetscan: -want +got:\n%s", diff)
	}
}
