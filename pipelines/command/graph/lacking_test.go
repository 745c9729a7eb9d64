package graph

import (
	"encoding/json"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestLacking: units with documents that were made without links are counted, by their own options or the manifest's.
func TestLacking(t *testing.T) {
	for text, want := range map[string]int{
		`{"options": {"formats": ["jsonl", "links"]}, "units": [{"documents": 1}, {"documents": 2}]}`: 0,
		`{"options": {"formats": ["jsonl"]}, "units": [{"documents": 1}, {"documents": 2}]}`:          2,
		`{"options": {"formats": ["jsonl", "links"]}, "units": [{"documents": 1},
			{"documents": 1, "made_with": {"formats": ["jsonl"]}}]}`: 1,
		`{"options": {"formats": ["jsonl"]}, "units": [{"documents": 1},
			{"documents": 1, "made_with": {"formats": ["jsonl", "links"]}}]}`: 1,
		`{"options": {"formats": ["jsonl"]}, "units": [{}]}`: 0,
		`{"units": [{"documents": 1}]}`:                      0,
	} {
		var m schemas.Manifest
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if got := lacking(m); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
