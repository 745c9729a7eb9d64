package department_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/department"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"Política": "politics", "Middle East": "world", "Aus aller Welt": "society", "sport": "sport", "SPORTS": "sport",
		"Österreich": "nation", "world": "world", "": "", "recipes": "", strings.Repeat("sport", 9): "",
	} {
		got := ""
		if d, ok := department.Of(name); ok {
			got = d.String()
		}
		if got != want {
			t.Errorf("Of(%q) = %q, want %q", name, got, want)
		}
	}
	// The English name of each is one of its names: documents have these.
	for d := range department.Count {
		if got, ok := department.Of(d.String()); !ok || got != d {
			t.Errorf("Of(%q) = %v, %v", d, got, ok)
		}
	}
}
