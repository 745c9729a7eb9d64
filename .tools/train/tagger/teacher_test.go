package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Judged pages and pages of other languages are left out. The others are cut at words.
func TestReadPages(t *testing.T) {
	dir := t.TempDir()
	judged := filepath.Join(dir, "names.tsv")
	files := map[string]string{
		judged:                               "page\ttype\n2\tperson\n",
		filepath.Join(dir, "ground-truth/1"): "The end of a day",
		filepath.Join(dir, "ground-truth/2"): "The judged one",
		filepath.Join(dir, "ground-truth/3"): "Das Ende eines Tages",
		filepath.Join(dir, "ground-truth/4"): strings.Repeat("the word ", 1200),
	}
	if err := os.Mkdir(filepath.Join(dir, "ground-truth"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if name != judged {
			name, text = name+".json", `{"ground_truth":{"main_content":"`+text+`"}}`
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readPages(dir, judged)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"The end of a day", strings.TrimSpace(strings.Repeat("the word ", 1000))[:8999]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestBeginning(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{"one two\nthree four", "one two"},
		{"a\nb cdefghijklm", "a\nb"},
		{"Gr\u00fc\u00dfe\u00fc\u00fc\u00fc\u00fc", "Gr\u00fc\u00dfe\u00fc"},
	} {
		if got := beginning(test.text, 10); got != test.want {
			t.Errorf("beginning(%q, 10) = %q, want %q", test.text, got, test.want)
		}
	}
}
