package collection_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestEncodeManifest: a manifest is read as it was written, and a unit is a line, whatever else is called units.
func TestEncodeManifest(t *testing.T) {
	m := schemas.Manifest{
		SchemaVersion: "1",
		Options:       map[string]any{"units": []any{}, "select": map[string]any{"units": []any{}}},
		Versions:      map[string]string{"units": "<1>"},
	}
	for n := range 4 {
		text, err := collection.EncodeManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		var got schemas.Manifest
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%d units: %v\n%s", n, err, text)
		}
		if len(m.Units) == 0 {
			got.Units = nil
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%d units, -written +read:\n%s", n, diff)
		}
		if lines := strings.Count(string(text), "\n    {\"id\":"); lines != n {
			t.Errorf("%d units on %d lines:\n%s", n, lines, text)
		}
		m.Units = append(m.Units, schemas.UnitResult{
			Unit:   schemas.Unit{ID: n, Inputs: []schemas.Range{{File: "a&b.warc", End: 5, Format: "warc+plain"}}},
			Shards: []schemas.Shard{{Name: "documents", Bytes: 1, SHA256: "x"}},
			Counts: schemas.Counts{ByMIME: map[string]int64{"\n  \"units\": [": 3}},
		})
	}
}

// TestReadTotals: all is as in the manifest except for what the units are.
func TestReadTotals(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if _, err := holdings.ReadTotals(f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a manifest: %v, want %v", err, fs.ErrNotExist)
	}
	m := schemas.Manifest{
		SchemaVersion: "1", Options: map[string]any{"units": "4"}, Versions: map[string]string{"capture": "3"},
		Totals: schemas.Counts{Captures: 7, ByType: map[string]int64{"response": 7}},
		Files:  []schemas.Shard{{Name: "index.cdxj", Bytes: 9, SHA256: "x"}},
		Units: []schemas.UnitResult{
			{Unit: schemas.Unit{ID: 0}},
			{Unit: schemas.Unit{ID: 1}, Shards: []schemas.Shard{{Name: "documents"}}},
		},
	}
	text, err := collection.EncodeManifest(m)
	if err == nil {
		err = f.Write(holdings.ManifestFile, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := holdings.ReadTotals(f)
	m.Units = make([]schemas.UnitResult, 2)
	if diff := cmp.Diff(m, got); diff != "" || err != nil {
		t.Errorf("%v; -want +got:\n%s", err, diff)
	}
}
