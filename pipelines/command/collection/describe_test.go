package collection

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

func TestDescribe(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, month(t, root, 0))
	f := folder.Open(t.Context(), out, nil)
	for _, args := range [][]string{{"Häfen", "Alle Seiten"}, {"Harbours"}, {""}} {
		must(t, "collection", append([]string{"describe", "--collection=" + out}, args...)...)
		want := holdings.About{Title: args[0]}
		if len(args) > 1 {
			want.Description = args[1]
		}
		if got, err := holdings.ReadAbout(f); err != nil || got != want {
			t.Errorf("%q: %+v, %v", args, got, err)
		}
	}
	for _, args := range [][]string{{"a", "b", "c"}, {strings.Repeat("x", 201)}, {"x", strings.Repeat("x", 2001)}} {
		j := &job{config: config{args: args}, f: f}
		if _, err := describe(t.Context(), j); err == nil {
			t.Errorf("%d arguments of %d letters are accepted", len(args), len(args[0]))
		}
	}
	nothing := &job{config: config{args: []string{"x"}}, f: folder.Open(t.Context(), filepath.Join(root, "no"), nil)}
	if _, err := describe(t.Context(), nothing); err == nil {
		t.Error("a folder without a collection is described")
	}
}
