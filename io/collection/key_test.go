package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestKey(t *testing.T) {
	u := func(file string, start, end int64) schemas.Unit {
		return schemas.Unit{Inputs: []schemas.Range{{File: file, Start: start, End: end}}}
	}
	base := Key(u("a", 1, 2), "o", "v")
	numbered := u("a", 1, 2)
	numbered.ID = 7
	numbered.Inputs[0].Fingerprint = "sha256:1"
	if got := Key(numbered, "o", "v"); got != base || !validKey(got) {
		t.Errorf("Key depends on the unit's number or fingerprint, or is none: %s, %s", got, base)
	}
	different := map[string]bool{base: true}
	for _, k := range []string{
		Key(u("b", 1, 2), "o", "v"), Key(u("a", 0, 2), "o", "v"), Key(u("a", 1, 3), "o", "v"), Key(u("a", 1, 2), "p", "v"),
		Key(u("a", 1, 2), "o", "w"), Key(u("a 1", 2, 2), "o", "v"), Key(u("\xff", 1, 2), "o", "v"),
		Key(u("\xfe", 1, 2), "o", "v"),
		Key(u("a", 1, 2), map[string]int{"x": 1}, "v"),
		Key(schemas.Unit{Inputs: append(u("a", 1, 2).Inputs, u("a", 2, 3).Inputs...)}, "o", "v"),
	} {
		if different[k] {
			t.Errorf("two different units have the key %s", k)
		}
		different[k] = true
	}
	if got := Key(schemas.Unit{}, func() {}, "v"); got != "" {
		t.Errorf("Key of options without JSON = %q, want none", got)
	}
}

func TestFingerprint(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	sum := sha256.Sum256([]byte(text[3:999_999]))
	got, err := Fingerprint(strings.NewReader(text), 3, 999_999)
	if want := "sha256:" + hex.EncodeToString(sum[:]); got != want || err != nil {
		t.Errorf("Fingerprint = %q, %v, want %q", got, err, want)
	}
	if _, err := Fingerprint(strings.NewReader(text), 3, 1_000_001); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Fingerprint beyond the end = %v, want %v", err, io.ErrUnexpectedEOF)
	}
	for _, r := range [][2]int64{{-1, 3}, {4, 3}} {
		if _, err := Fingerprint(strings.NewReader(text), r[0], r[1]); err == nil {
			t.Errorf("Fingerprint of %v took it", r)
		}
	}
}

func TestShardName_roundTrip(t *testing.T) {
	for _, n := range []holdings.Name{
		holdings.FileType{Kind: holdings.KindDocuments, Ext: ".jsonl.zst"}.Name("0123456789abcdef0123"),
		holdings.FileType{Kind: holdings.KindCaptures, Ext: holdings.ExtCDXJ}.Name("ffffffffffffffffffff"),
		holdings.FileType{Kind: holdings.KindRejects, Ext: ".jsonl"}.Name("00000000000000000000"),
	} {
		got, ok := holdings.ParseName(n.String())
		if !ok || got != n {
			t.Errorf("parseShard(%q) = %v, %v, want %v", n, got, ok, n)
		}
	}
	for _, name := range []string{
		"documents-0123456789abcdef012.jsonl", "documents-0123456789abcdef01234.jsonl",
		"documents-0123456789ABCDEF0123.jsonl",
		"documents-0123456789abcdef0123", "notes-0123456789abcdef0123.jsonl", "documents-00000-of-00001.jsonl",
		"documents-0123456789abcdef0123.jsonl\n",
	} {
		if n, ok := holdings.ParseName(name); ok {
			t.Errorf("parseShard(%q) = %v, want it refused", name, n)
		}
	}
}

// TestResume_refusesUnitsThatAreNamedAlike: no two units, of a plan or of the folder, may have shards of the same
// names.
func TestResume_refusesUnitsThatAreNamedAlike(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a")
	units, keys := unitsOf("a", "b")
	alike := func(key string) string {
		return key[:holdings.NameDigits] + strings.Repeat("0", len(key)-holdings.NameDigits)
	}
	c := open(t, dir, OpenOptions{})
	for _, plan := range [][]string{{keys[1], alike(keys[1])}, {keys[1], alike(keys[0])}} {
		if _, _, err := c.Resume(units, plan, nil); err == nil || !strings.Contains(err.Error(), "two units") {
			t.Errorf("Resume of units that are named alike = %v, want an error", err)
		}
	}
}
