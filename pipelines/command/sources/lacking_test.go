package sources

import (
	"encoding/json"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestLacking: units with documents that were made without feeds are counted, by their own options or the manifest's.
func TestLacking(t *testing.T) {
	for text, want := range map[string]int{
		`{"options": {"extract": ["text", "feeds"]}, "units": [{"documents": 1}, {"documents": 2}]}`: 0,
		`{"options": {"extract": ["text"]}, "units": [{"documents": 1}, {"documents": 2}]}`:          2,
		`{"options": {"extract": ["text", "feeds"]}, "units": [{"documents": 1},
			{"documents": 1, "made_with": {"extract": ["text"]}}]}`: 1,
		`{"options": {"extract": ["text"]}, "units": [{"documents": 1},
			{"documents": 1, "made_with": {"extract": ["feeds"]}}]}`: 1,
		`{"options": {"extract": ["text"]}, "units": [{}]}`: 0,
		`{"units": [{"documents": 1}]}`:                     0,
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
