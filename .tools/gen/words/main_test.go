package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRun: words are counted without markup and case. Those that occur three times or more are frequent. The list
// does not depend on the order of maps.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for code, name := range texts {
		text := "<p class='og'>x</p>"
		if code == "nb" || code == "nn" {
			text = "<h1>Og OG og, og</h1><p>rett &aring; " +
				map[string]string{"nb": "ikke ikke ikke", "nn": "ikkje ikkje ikkje"}[code] + "</p>"
		}
		if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "words.tsv")
	if err := run(dir, out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := "ikke\tnb=6.0\nikkje\tnn=6.0\nog\tnb=6.0 nn=6.0\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := run(t.TempDir(), out); err == nil {
		t.Error("no texts and no error")
	}
}
