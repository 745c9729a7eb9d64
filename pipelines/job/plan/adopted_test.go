package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// TestMake_adoptedFile: a command that finds an adopted file refuses to replace its documents by nothing.
func TestMake_adoptedFile(t *testing.T) {
	for _, tt := range []struct {
		name   string
		inputs func(archives, adopted string) []string
		want   string // in the refusal; "" for none
	}{
		{"its folder", func(a, d string) []string { return []string{a, d} }, "documents-x.jsonl"},
		{"its file", func(a, d string) []string { return []string{a, filepath.Join(d, "documents-x.jsonl")} }, "adopted"},
		{"a pattern", func(a, d string) []string { return []string{a, filepath.Join(d, "*.jsonl")} }, "adopted"},
		{"the archives alone", func(a, _ string) []string { return []string{a} }, ""},
		{"another file there", func(a, d string) []string { return []string{a, filepath.Join(d, "notes.txt")} }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, from := newShelf(t), adoptable(t)
			if err := os.WriteFile(filepath.Join(from, "notes.txt"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			s.adopt(from)
			s.put("a", "a", 1)
			c := s.config(plan.Schedule{})
			c.Inputs, c.Keep.Add = tt.inputs(s.in, from), true
			// The second time the archive is in the folder.
			for range 2 {
				_, err := plan.Make(t.Context(), c)
				if (err == nil) != (tt.want == "") || err != nil && (!isUsage(err) || !strings.Contains(err.Error(), tt.want)) {
					t.Fatalf("%v, want %q", err, tt.want)
				}
				alone := c
				alone.Inputs = []string{s.in}
				if units := makeRun(t, alone).Units; len(units) != 2 || units[0].Documents+units[1].Documents != 2 {
					t.Errorf("units %+v, want 2 with a document each", units)
				}
			}
		})
	}
}
