package setting

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func fileOf(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "some.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadFile(t *testing.T) {
	list, err := ReadFile(fileOf(t, "# comment\nout: /data\nformat: [jsonl, cdxj]\ningest:\n  limit: 5\n  fresh: true\n"), "a: b")
	if err != nil || len(list) != 3 {
		t.Fatalf("ReadFile = %+v, %v", list, err)
	}
	out, format, section := list[0], list[1], list[2]
	if out.Name != "out" || out.Line != 2 || !slices.Equal(out.Values, []string{"/data"}) {
		t.Errorf("out: %+v", out)
	}
	if !slices.Equal(format.Values, []string{"jsonl", "cdxj"}) {
		t.Errorf("format: %+v", format)
	}
	if len(section.Section) != 2 || section.Section[1].Name != "fresh" || section.Section[1].Line != 6 ||
		section.Section[1].Values[0] != "true" {
		t.Errorf("ingest: %+v", section)
	}
}

func TestReadFile_wrong(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a list", "- a\n", "some.yml:1: want lines such as a: b"},
		{"a section in a section", "a:\n  b:\n    c: 1\n", "some.yml:3: want lines such as a: b"},
		{"a list in a list", "a:\n- - 1\n", "some.yml:2: want lines such as a: b"},
		{"twice", "a: 1\nb: 2\na: 3\n", "some.yml:3: a is there twice"},
		{"twice in a section", "a:\n  b: 1\n  b: 2\n", "some.yml:3: b is there twice"},
		{"no YAML", "a: [", "some.yml"},
		{"a reference to itself", "a: &a [*a]\n", "some.yml"},
		{"too long", strings.Repeat("#\n", maxFile), "more than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ReadFile(fileOf(t, tt.text), "a: b"); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := ReadFile(fileOf(t, "# nothing\n"), "a: b"); !errors.Is(err, io.EOF) {
		t.Errorf("an empty file: %v, want io.EOF", err)
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.yml"), "a: b"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
