// Package digest reads the labelled digests of web archives and checks bytes against them.
//
// A labelled digest is `algorithm ":" value` (section 5.8 of WARC/1.1, ISO 28500:2017). The specification prescribes
// no algorithm or encoding. Archives mostly have SHA-1 in base32. They also have MD5, SHA-1, SHA-256, SHA-384 and
// SHA-512 in base16, base32 and base64 (RFC 4648), in either case and with or without padding. For each algorithm the
// three encodings differ in length, which identifies them.
//
// The package does not know which bytes a digest covers; callers do.
//
//	d, err := digest.Parse("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
//	if err != nil {
//		return err
//	}
//	fmt.Println(d.Matches(head, body))
package digest

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
)

// Version changes when the same label is read differently.
const Version = "1"

// Kinds of errors that Parse returns, wrapped.
var (
	ErrFormat    = errors.New("not a labelled digest")
	ErrAlgorithm = errors.New("unknown digest algorithm")
)

// maxLabel is above the length of the longest label: "sha-512:" and 128 hexadecimal digits.
const maxLabel = 160

// algorithm is one hash function. A Digest keeps its index in algorithms, from 1.
type algorithm struct {
	name string // as canonical labels write it
	size int    // bytes of a sum
	new  func() hash.Hash
}

var algorithms = [...]algorithm{
	{"md5", md5.Size, md5.New},
	{"sha1", sha1.Size, sha1.New},
	{"sha256", sha256.Size, sha256.New},
	{"sha384", sha512.Size384, sha512.New384},
	{"sha512", sha512.Size, sha512.New},
}

// Digest is a parsed digest. It is a value: copies are independent and comparable with ==. That equals Equal except
// for the zero Digest, which matches nothing.
type Digest struct {
	algorithm int8 // index in algorithms, plus one
	sum       [sha512.Size]byte
}

// Parse parses a label such as "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ". It accepts white space around the label, any
// case of the algorithm, base16 and base32, and a hyphen in the algorithm ("SHA-256"). The error is ErrAlgorithm for
// an unknown algorithm and ErrFormat for all other invalid labels.
func Parse(s string) (Digest, error) {
	s = strings.TrimSpace(s)
	label, value, found := strings.Cut(s, ":")
	if !found || label == "" || value == "" || len(s) > maxLabel {
		return Digest{}, fmt.Errorf("digest: %.40q: %w", s, ErrFormat)
	}
	i := indexOf(label)
	if i < 0 {
		return Digest{}, fmt.Errorf("digest: %.40q: %w", label, ErrAlgorithm)
	}
	d := Digest{algorithm: int8(i + 1)}
	sum, ok := decode(strings.TrimSpace(value), algorithms[i].size)
	if !ok {
		return Digest{}, fmt.Errorf("digest: value of %.40q: %w", s, ErrFormat)
	}
	copy(d.sum[:], sum)
	return d, nil
}

// indexOf returns the index of the algorithm named by label, or -1.
func indexOf(label string) int {
	name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(label)), "-", "")
	for i := range algorithms {
		if algorithms[i].name == name {
			return i
		}
	}
	return -1
}

// decode decodes value as a sum of size bytes, in the encoding whose length fits.
func decode(value string, size int) ([]byte, bool) {
	value = strings.TrimRight(value, "=")
	var sum []byte
	var err error
	switch len(value) {
	case hex.EncodedLen(size):
		sum, err = hex.DecodeString(value)
	case base32.StdEncoding.WithPadding(base32.NoPadding).EncodedLen(size):
		sum, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(value))
	case base64.RawStdEncoding.EncodedLen(size):
		sum, err = base64.RawStdEncoding.DecodeString(standard(value))
	default:
		return nil, false
	}
	return sum, err == nil && len(sum) == size
}

// standard converts the URL-safe alphabet of base64 to the usual one.
func standard(value string) string {
	return strings.NewReplacer("-", "+", "_", "/").Replace(value)
}

// Algorithm returns the algorithm's name in lower case without a hyphen, "" for the zero Digest.
func (d Digest) Algorithm() string {
	if d.algorithm == 0 {
		return ""
	}
	return algorithms[d.algorithm-1].name
}

// String returns the canonical label: the algorithm in lower case and the sum in base32 without padding, as in most
// archives. It returns "" for the zero Digest.
func (d Digest) String() string {
	if d.algorithm == 0 {
		return ""
	}
	a := algorithms[d.algorithm-1]
	return a.name + ":" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(d.sum[:a.size])
}

// Matches reports whether d is the digest of the concatenation of data.
func (d Digest) Matches(data ...[]byte) bool {
	if d.algorithm == 0 {
		return false
	}
	a := algorithms[d.algorithm-1]
	h := a.new()
	for _, b := range data {
		h.Write(b)
	}
	var sum [sha512.Size]byte
	h.Sum(sum[:0])
	return sum == d.sum
}

// Equal reports whether both digests have the same algorithm and sum. The zero Digest equals nothing, not even itself:
// two unknown digests do not prove that bytes are equal.
func (d Digest) Equal(other Digest) bool {
	return d.algorithm != 0 && d == other
}

// SHA1 returns the label "sha1:BASE32" of data, the form of most archives and indexes.
func SHA1(data []byte) string {
	sum := sha1.Sum(data)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// Compare reports whether two labels, in any spelling that Parse accepts, belong to the same bytes. Result known is
// false for different algorithms, and for labels that Parse rejects unless they are equal as texts.
func Compare(a, b string) (same, known bool) {
	if a == "" || b == "" {
		return false, false
	}
	if a == b {
		return true, true
	}
	x, errX := Parse(a)
	y, errY := Parse(b)
	if errX != nil || errY != nil || x.algorithm != y.algorithm {
		return false, false
	}
	return x == y, true
}

// Canonical returns the canonical form of a label, see Digest.String. A SHA-1 in base32 without a label, as in
// indexes, gets its label. Other texts stay unchanged.
func Canonical(label string) string {
	for _, s := range [...]string{label, "sha1:" + label} {
		if d, err := Parse(s); err == nil {
			return d.String()
		}
	}
	return label
}

// Spellings returns common spellings of d in archives, for queries that compare texts. They are fewer than those that
// Parse accepts. It returns nil for the zero Digest.
func (d Digest) Spellings() (list []string) {
	if d.algorithm == 0 {
		return nil
	}
	a := algorithms[d.algorithm-1]
	sum := d.sum[:a.size]
	b32, hexa := base32.StdEncoding.EncodeToString(sum), hex.EncodeToString(sum)
	values := []string{
		strings.TrimRight(b32, "="), b32, strings.ToLower(strings.TrimRight(b32, "=")), hexa, strings.ToUpper(hexa),
		base64.StdEncoding.EncodeToString(sum), base64.RawURLEncoding.EncodeToString(sum),
	}
	labels := []string{a.name, strings.ToUpper(a.name)}
	if size, is := strings.CutPrefix(a.name, "sha"); is {
		labels = append(labels, "sha-"+size, "SHA-"+size)
	}
	for _, label := range labels {
		for _, value := range values {
			if s := label + ":" + value; !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}
