package corpora

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/neardup"
	"github.com/gleaner-web/gleaner/transforms/quality"
)

// signature is what the steps between know about a document. Missing values have hash 0.
type signature struct {
	url     [idBytes]byte // of its SURT
	payload [idBytes]byte // of its body's digest
	text    [idBytes]byte // of its text, except for white space
	simhash uint64        // its fingerprint, if needed
	facts   cluster.Facts
	whole   uint32 // bytes of its text with all shared paragraphs, or 0 if none are removed
	near    bool   // it has bands
	bands   minhash.Bands
	lang    string
}

const signatureBytes = 3*idBytes + 8 + 4 + 8 + 2 + 1 + 8*minhash.NumBands

// sign makes the signature of a row. plain is its text before conversion to Markdown.
func (w *signer) sign(d *schemas.Document, r *Row, plain string) (s signature) {
	s = *describe(d, len(r.Text))
	if w.s.Options.Paragraphs > 0 {
		s.whole = wholeOf(d)
	}
	s.text, w.words = hashOfText(w.words, plain)
	s.lang = r.Language
	if slices.Contains(w.s.Options.Dedup, BySimhash) {
		s.simhash, _ = neardup.Simhash(plain) // 0 for a text without words
	}
	s.bands, s.near = w.maker.Bands(plain, quality.Unspaced(r.Language))
	return s
}

// describe makes the part of a signature that a text of this size does not change.
func describe(d *schemas.Document, size int) *signature {
	s := &signature{url: hashOf([]byte(d.SURT)), payload: hashOf([]byte(d.Digest))}
	if d.BodyBytes == 0 {
		s.payload = [idBytes]byte{}
	}
	s.facts = cluster.Facts{Bytes: uint32(min(size, math.MaxUint32)), Quality: score(d)}
	if t, err := time.Parse(time.RFC3339, d.Timestamp); err == nil {
		s.facts.Time = t.Unix()
	}
	return s
}

func wholeOf(d *schemas.Document) uint32 { return uint32(min(len(d.Text), math.MaxUint32)) }

// original returns what decides between documents before shared paragraphs are removed, and a hash of it. The hash
// decides between equal documents. It does not depend on their numbers, which differ in the steps common and exact.
func (s *signature) original() (f cluster.Facts, tie uint64) {
	if f = s.facts; s.whole == 0 {
		return f, 0
	}
	f.Bytes = s.whole
	b := append(append([]byte(nil), s.url[:]...), s.payload[:]...)
	b = binary.BigEndian.AppendUint32(b, f.Bytes)
	b = binary.BigEndian.AppendUint64(b, uint64(f.Time))
	b = binary.BigEndian.AppendUint16(b, f.Quality)
	h := hashOf(b)
	return f, binary.BigEndian.Uint64(h[:])
}

// score rates a document, 0 to 65535: by the confidence of its language and the share of lines that do not repeat.
func score(d *schemas.Document) uint16 {
	p := filter.Page{Doc: d}
	v := p.Score()
	if q := d.Quality; q != nil {
		v = (v + float64(q.AlphabeticWords) + 1 - float64(q.DuplicateChars)) / 3
	}
	return uint16(math.Round(max(0, min(1, v)) * math.MaxUint16))
}

func hashOf(s []byte) (h [idBytes]byte) {
	if len(s) > 0 {
		sum := sha256.Sum256(s)
		copy(h[:], sum[:])
	}
	return h
}

// hashOfText hashes the words of a text, with one space between them. It writes them to room, which it returns for
// reuse.
func hashOfText(room []byte, text string) (h [idBytes]byte, words []byte) {
	words = slices.Grow(room[:0], len(text)+1)[:len(text)+1]
	n, spaced := 0, byte(1) // spaced is 1 after white space, and at the beginning
	for i := 0; i < len(text); {
		c := text[i]
		width, white := 1, spaces[c]&1
		if spaces[c] == mayBeSpace {
			r, size := utf8.DecodeRuneInString(text[i:])
			if width = size; unicode.IsSpace(r) {
				white, c = 1, ' '
			} else {
				n += copy(words[n:], text[i:i+size-1])
				c = text[i+size-1]
			}
		}
		// Without branches, because ends of words are unpredictable. The next byte overwrites repeated white space.
		words[n] = c&(white-1) | ' '*white
		n += 1 - int(white&spaced)
		spaced = white
		i += width
	}
	if n > 0 && spaced == 1 {
		n--
	}
	return hashOf(words[:n]), words
}

// mayBeSpace marks bytes with which white space beyond ASCII may begin.
const mayBeSpace = 2

// spaces has 1 for white space.
var spaces = func() (t [256]byte) {
	for r := range rune(0x3001) { // U+3000 is the last one
		switch {
		case unicode.IsSpace(r) && r < utf8.RuneSelf:
			t[r] = 1
		case unicode.IsSpace(r):
			t[string(r)[0]] = mayBeSpace
		}
	}
	return t
}()

func (s *signature) append(b []byte) []byte {
	b = append(append(append(b, s.url[:]...), s.payload[:]...), s.text[:]...)
	b = binary.BigEndian.AppendUint64(b, s.simhash)
	b = binary.BigEndian.AppendUint32(b, s.facts.Bytes)
	b = binary.BigEndian.AppendUint64(b, uint64(s.facts.Time))
	b = binary.BigEndian.AppendUint16(b, s.facts.Quality)
	flags := byte(0)
	if s.near {
		flags |= hasBands
	}
	if s.whole > 0 {
		flags |= hasWhole
	}
	b = append(b, flags)
	for _, h := range s.bands {
		b = binary.BigEndian.AppendUint64(b, h)
	}
	if s.whole > 0 {
		b = binary.BigEndian.AppendUint32(b, s.whole)
	}
	return append(b, s.lang...)
}

// Flags of a written signature.
const (
	hasBands = 1 << iota
	hasWhole
)

func parseSignature(b []byte) (s signature, err error) {
	if len(b) < signatureBytes {
		return s, errRecords
	}
	copy(s.url[:], b)
	copy(s.payload[:], b[idBytes:])
	copy(s.text[:], b[2*idBytes:])
	s.simhash = binary.BigEndian.Uint64(b[3*idBytes:])
	b = b[3*idBytes+8:]
	s.facts.Bytes = binary.BigEndian.Uint32(b)
	s.facts.Time = int64(binary.BigEndian.Uint64(b[4:]))
	s.facts.Quality = binary.BigEndian.Uint16(b[12:])
	flags := b[14]
	s.near = flags&hasBands != 0
	b = b[15:]
	for i := range s.bands {
		s.bands[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	if b = b[8*len(s.bands):]; flags&hasWhole != 0 {
		if len(b) < 4 {
			return s, errRecords
		}
		s.whole, b = binary.BigEndian.Uint32(b), b[4:]
	}
	s.lang = string(b)
	return s, nil
}
