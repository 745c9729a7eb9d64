package mimetype

import (
	"strings"
	"testing"
)

// TestTables_useOneName checks that every table uses the names under which types are reported.
func TestTables_useOneName(t *testing.T) {
	check := func(table, mediaType string) {
		t.Helper()
		if Base(mediaType) != mediaType || Canonical(mediaType) != mediaType {
			t.Errorf("%s has %q, want %q", table, mediaType, Canonical(Base(mediaType)))
		}
	}
	for line := range strings.Lines(textExtensions + binaryExtensions) {
		check("extensions", strings.Fields(line)[1])
	}
	for line := range strings.Lines(kinds) {
		check("kinds", strings.Fields(line)[0])
	}
	for line := range strings.Lines(aliases) {
		if line[0] != '\t' {
			check("aliases", strings.Fields(line)[0])
		}
	}
	for mediaType := range generic {
		check("generic", mediaType)
	}
	for mediaType := range unmistakable {
		check("unmistakable", mediaType)
	}
}

// TestTables_nameOnce checks that each alias and extension belongs to one type.
func TestTables_nameOnce(t *testing.T) {
	for name, table := range map[string]struct {
		text string
		from int
	}{"aliases": {aliases, 0}, "extensions": {textExtensions + binaryExtensions, 1}, "kinds": {kinds, 1}} {
		seen := map[string]bool{}
		for line := range strings.Lines(table.text) {
			for _, word := range strings.Fields(line)[table.from:] {
				if seen[word] {
					t.Errorf("%s: %s is there twice", name, word)
				}
				seen[word] = true
			}
		}
	}
}

// TestKinds_end checks that no type is a kind of itself, at any distance.
func TestKinds_end(t *testing.T) {
	for kind := range parents() {
		steps := 0
		for p := kind; p != ""; p = parent(p) {
			if steps++; steps > 5 {
				t.Fatalf("%s has no end of parents", kind)
			}
		}
	}
}

// TestSignatures_matchThemselves makes a body of each signature, and checks that this signature or an earlier one is
// found.
func TestSignatures_matchThemselves(t *testing.T) {
	for _, list := range [][]signature{pairedSignatures, mediaSignatures, dataSignatures} {
		for _, s := range list {
			body := make([]byte, max(s.offset+len(s.bytes), s.beside.offset+len(s.beside.bytes))+64)
			for i := range body {
				body[i] = 1
			}
			copy(body[s.offset:], s.bytes)
			copy(body[s.beside.offset:], s.beside.bytes)
			if got := signatures().typeOf(body); got != s.mediaType {
				t.Errorf("signature %q at %d: typeOf = %q, want %q", s.bytes, s.offset, got, s.mediaType)
			}
		}
	}
}
