package recipe

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// TestDiffering: options are compared by value, not by how they were set.
func TestDiffering(t *testing.T) {
	o := Recipe{Formats: []string{"jsonl"}, Extract: []string{"mime"}, MaxBody: 1 << 20, Where: "status = 200"}
	var read map[string]any
	b, err := json.Marshal(o.Note())
	if err == nil {
		err = json.Unmarshal(b, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 1000)
	for _, tt := range []struct {
		name        string
		change      map[string]any
		want        string
		lengthBelow int
	}{
		{"nothing", nil, "", 1},
		{"a number", map[string]any{"max_body": 10}, "--max_body: 10 there, 1048576 here", 100},
		{"a name", map[string]any{"max_head": 10}, "--max_header: 10 there, 0 here", 100},
		{"a filter", map[string]any{"where": "lang = fr"}, "--where: lang = fr there, status = 200 here", 100},
		{"a long filter", map[string]any{"where": long}, "--where: xxx", 300},
		{"terminal codes", map[string]any{"where": "\x1b[31m"}, `--where: \x1B[31m there`, 100},
		{"lists", map[string]any{"extract": []string{"text"}}, "--extract: text there, mime here", 100},
		{"the index", map[string]any{"formats": []string{"cdxj", "jsonl"}, "limit": 3}, "", 1},
		{"a sink", map[string]any{"kafka": map[string]any{"topic": "t"}}, "--kafka: topic=t there, not here", 100},
	} {
		there := maps.Clone(read)
		maps.Copy(there, tt.change)
		got := strings.Join(Differing(there, o.Note()), "; ")
		if !strings.Contains(got, tt.want) || len(got) >= tt.lengthBelow {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := Differing(nil, o.Note()); got != nil {
		t.Errorf("of options that nobody knows: %q", got)
	}
}
