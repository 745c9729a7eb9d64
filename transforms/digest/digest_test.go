package digest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/digest"
)

// The sums of the empty input and of "abc" are from RFC 1321 and FIPS 180-4.
func TestParse(t *testing.T) {
	sum := sha256.Sum256([]byte("abc"))
	tests := []struct {
		name, label, algorithm, data string
	}{
		{"sha1 base32", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1", ""},
		{"sha1 base32 lower case", "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "sha1", ""},
		{"algorithm in capitals", "SHA1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1", ""},
		{"algorithm with hyphen", "SHA-1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1", ""},
		{"sha1 hex", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha1", ""},
		{"sha1 hex mixed case", "sha1:DA39a3ee5e6b4b0d3255bfef95601890AFD80709", "sha1", ""},
		{"sha1 base64", "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1", ""},
		{"sha1 base64 for URLs, no padding", "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk", "sha1", ""},
		{"white space around", " sha1: 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n", "sha1", ""},
		{"md5 hex", "md5:900150983cd24fb0d6963f7d28e17f72", "md5", "abc"},
		{"md5 base32, as long as its hex", "md5:SAAVBGB42JH3BVUWH56SRYL7OI======", "md5", "abc"},
		{"md5 base32, no padding", "md5:SAAVBGB42JH3BVUWH56SRYL7OI", "md5", "abc"},
		{"md5 base64", "md5:kAFQmDzST7DWlj99KOF/cg==", "md5", "abc"},
		{"sha256 hex", "sha256:" + hex.EncodeToString(sum[:]), "sha256", "abc"},
		{"sha256 base32", "sha256:" + base32.StdEncoding.EncodeToString(sum[:]), "sha256", "abc"},
		{"sha256 base64", "sha-256:" + base64.StdEncoding.EncodeToString(sum[:]), "sha256", "abc"},
		{"sha384 hex", "sha384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7", "sha384", "abc"},
		{"sha512 hex", "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f", "sha512", "abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := digest.Parse(tt.label)
			if err != nil {
				t.Fatalf("Parse(%q): %v", tt.label, err)
			}
			if got := d.Algorithm(); got != tt.algorithm {
				t.Errorf("Algorithm() = %q, want %q", got, tt.algorithm)
			}
			if !d.Matches([]byte(tt.data)) {
				t.Errorf("%v does not match %q", d, tt.data)
			}
			if d.Matches([]byte(tt.data), []byte("!")) {
				t.Errorf("%v matches other bytes", d)
			}
		})
	}
}

func TestParse_errors(t *testing.T) {
	tests := []struct {
		name, label string
		want        error
	}{
		{"empty", "", digest.ErrFormat},
		{"no label", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", digest.ErrFormat},
		{"no algorithm", ":3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", digest.ErrFormat},
		{"no value", "sha1:", digest.ErrFormat},
		{"padding only", "sha1:====", digest.ErrFormat},
		{"one digit short", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd8070", digest.ErrFormat},
		{"length of another algorithm", "md5:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", digest.ErrFormat},
		{"not base32", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1", digest.ErrFormat},
		{"not base64", "sha1:2jmj7l5rSw0yVb*vlWAYkK/YBwk=", digest.ErrFormat},
		{"line break hidden in base64", "sha1:2jmj7l5rSw0yVb\nvlWAYkK/YBwk", digest.ErrFormat},
		{"unknown algorithm", "blake3:af1349b9f5f9a1a6a0404dea36dcc949", digest.ErrAlgorithm},
		{"error text in place of a digest", "error", digest.ErrFormat},
		{"endless", "sha1:" + strings.Repeat("A", 1<<20), digest.ErrFormat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := digest.Parse(tt.label)
			if !errors.Is(err, tt.want) {
				t.Errorf("Parse(%.60q) error = %v, want %v", tt.label, err, tt.want)
			}
			if d.Matches(nil) || d.Equal(d) || d.String() != "" || d.Algorithm() != "" {
				t.Errorf("Parse(%.60q) = %v with an error, want the zero Digest", tt.label, d)
			}
		})
	}
}

func TestDigest_MatchesOverConcatenation(t *testing.T) {
	d, err := digest.Parse(digest.SHA1([]byte("head\r\n\r\nbody")))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Matches([]byte("head\r\n"), nil, []byte("\r\nbo"), []byte("dy")) {
		t.Error("the parts do not match the digest of the whole")
	}
	if d.Matches([]byte("body"), []byte("head\r\n\r\n")) {
		t.Error("the order of the parts does not matter, want that it does")
	}
	if d.Matches() {
		t.Error("no data matches")
	}
}

func TestDigest_Equal(t *testing.T) {
	parse := func(label string) digest.Digest {
		t.Helper()
		d, err := digest.Parse(label)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	base32 := parse("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
	if other := parse("sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"); !base32.Equal(other) {
		t.Errorf("%v and %v differ, want the same digest in two encodings", base32, other)
	}
	if other := parse(digest.SHA1([]byte("x"))); base32.Equal(other) {
		t.Errorf("%v equals %v", base32, other)
	}
	if other := parse("md5:d41d8cd98f00b204e9800998ecf8427e"); base32.Equal(other) {
		t.Errorf("%v equals %v, want that the algorithm counts", base32, other)
	}
}

func ExampleParse() {
	d, err := digest.Parse("SHA1:a9993e364706816aba3e25717850c26c9cd0d89d")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d, d.Matches([]byte("a"), []byte("bc")))
	// Output: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5 true
}

func ExampleSHA1() {
	fmt.Println(digest.SHA1(nil))
	// Output: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "md5:SAAVBGB42JH3BVUWH56SRYL7OI======", "sha-512:",
		"sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk",
		"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha1:=", ":", "blake3:00",
		"sha1:sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, label string) {
		d, err := digest.Parse(label)
		if err != nil {
			if !errors.Is(err, digest.ErrFormat) && !errors.Is(err, digest.ErrAlgorithm) {
				t.Errorf("Parse(%q): %v, which is of no kind", label, err)
			}
			return
		}
		again, err := digest.Parse(d.String())
		if err != nil || !again.Equal(d) {
			t.Errorf("Parse(%q) = %v, which parses as %v, %v", label, d, again, err)
		}
	})
}

func BenchmarkDigest_Matches(b *testing.B) {
	data := bytes.Repeat([]byte("archived "), 20_000)
	d, err := digest.Parse(digest.SHA1(data))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if !d.Matches(data) {
			b.Fatal("no match")
		}
	}
}
