package schemas_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"shelf/a.warc.gz":        "shelf/a.warc.gz",
		"café/日本/a b.warc":       "café/日本/a b.warc",
		"caf\xe9.warc.gz":        `caf\xE9.warc.gz`,
		`caf\xE9.warc.gz`:        `caf\x5CxE9.warc.gz`,
		`a\x5CxE9`:               `a\x5Cx5CxE9`,
		`a\b\x2f\xe9\`:           `a\b\x2f\xe9\`,
		"a\nb\x1b[31m\a\r\x7f":   `a\x0Ab\x1B[31m\x07\x0D\x7F`,
		"\u202ecod.exe\u0085":    `\xE2\x80\xAEcod.exe\xC2\x85`,
		"http%3A%2F%2Fa.example": "http%3A%2F%2Fa.example",
		"\ufffd":                 "\ufffd",
	} {
		if got := schemas.NameOf(path); got != want {
			t.Errorf("NameOf(%q) = %q, want %q", path, got, want)
		}
		if got := schemas.PathOf(want); got != path {
			t.Errorf("PathOf(%q) = %q, want %q", want, got, path)
		}
	}
	if got := schemas.PathOf(`..\x2F\x2E\x00`); got != `..\x2F\x2E\x00` {
		t.Errorf("an escape hides a slash, a dot or a zero byte: %q", got)
	}
}

// FuzzNameOf: every path has a name of its own, which gives it back, through JSON too, and which no terminal obeys.
func FuzzNameOf(f *testing.F) {
	for _, s := range []string{"a", "caf\xe9", `caf\xE9`, `\x5C`, "\n\x1b", "\u202e", `\\x80\x8`, "\xe2\x80", `\x5CxE9`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		path = strings.ReplaceAll(path, "\x00", "") // no system's paths have zero bytes
		name := schemas.NameOf(path)
		if got := schemas.PathOf(name); got != path {
			t.Errorf("PathOf(NameOf(%q)) = %q by way of %q", path, got, name)
		}
		b, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(b, &back); err != nil || back != name {
			t.Errorf("JSON makes %q of the name %q: %v", back, name, err)
		}
		if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool {
			return r < ' ' || r >= 0x7f &&
				r < 0xa0
		}) {
			t.Errorf("NameOf(%q) = %q is not fit to print", path, name)
		}
	})
}
