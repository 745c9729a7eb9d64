package ledger

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/google/go-cmp/cmp"
)

// TestEncodeManifest: a manifest is read as it was written, and a unit is a line, whatever else is called units.
func TestEncodeManifest(t *testing.T) {
	m := schemas.Manifest{
		SchemaVersion: "1",
		Options:       map[string]any{"units": []any{}, "select": map[string]any{"units": []any{}}},
		Versions:      map[string]string{"units": "<1>"},
	}
	for n := range 4 {
		text, err := EncodeManifest(m)
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
