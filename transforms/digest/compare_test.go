package digest_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/digest"
)

func TestCompare(t *testing.T) {
	const b32, hexa = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "da39a3ee5e6b4b0d3255bfef95601890afd80709"
	for _, test := range []struct {
		name, a, b  string
		same, known bool
	}{
		{"base32 and hex", "sha1:" + b32, "sha1:" + hexa, true, true},
		{"labels", "SHA-1:" + b32, "sha1:" + b32, true, true},
		{"base64 and hex", "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:" + hexa, true, true},
		{"others", "sha1:" + b32, "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P", false, true},
		{"two algorithms", "sha1:" + b32, "md5:900150983cd24fb0d6963f7d28e17f72", false, false},
		{"no digests, equal", "xyz:1", "xyz:1", true, true},
		{"no digests", "xyz:1", "xyz:2", false, false},
		{"none", "", "", false, false},
		{"one", "sha1:" + b32, "", false, false},
	} {
		if same, known := digest.Compare(test.a, test.b); same != test.same || known != test.known {
			t.Errorf("%s: Compare(%q, %q) = %t, %t, want %t, %t", test.name, test.a, test.b, same, known, test.same, test.known)
		}
	}
	for _, s := range []string{b32, hexa, "sha1:" + hexa, "SHA-1:" + b32} {
		if got := digest.Canonical(s); got != "sha1:"+b32 {
			t.Errorf("Canonical(%q) = %q", s, got)
		}
	}
	if got := digest.Canonical("error"); got != "error" {
		t.Errorf("Canonical(error) = %q", got)
	}
}

// TestSpellings: all spellings are the same digest, and the common ones are included.
func TestSpellings(t *testing.T) {
	for _, label := range []string{
		"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "md5:900150983cd24fb0d6963f7d28e17f72",
		"SHA-256:9d5dbd86e199542ae5b5e181363e0925073eb37492b39bc41d3cdb8aa94ecdd8",
	} {
		d, err := digest.Parse(label)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, s := range d.Spellings() {
			found = found || s == label
			if other, err := digest.Parse(s); err != nil || other != d {
				t.Errorf("%s: spelling %q is %v, %v", label, s, other, err)
			}
		}
		if !found {
			t.Errorf("%s is not among its spellings", label)
		}
	}
	if list := (digest.Digest{}).Spellings(); list != nil {
		t.Errorf("spellings of nothing: %q", list)
	}
}
