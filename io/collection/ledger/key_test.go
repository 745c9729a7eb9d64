package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

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
	if got := Key(numbered, "o", "v"); got != base || !ValidKey(got) {
		t.Errorf("Key depends on the unit's number or fingerprint, or is none: %s, %s", got, base)
	}
	different := map[string]bool{base: true}
	for _, k := range []string{
		Key(u("b", 1, 2), "o", "v"), Key(u("a", 0, 2), "o", "v"), Key(u("a", 1, 3), "o", "v"),
		Key(u("a", 1, 2), "p", "v"),
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
