// Package charset says in which character encoding a page is written and turns it into UTF-8.
//
// The sources of evidence are asked in the order which serves archives best, the surest first: a byte order mark;
// bytes that are valid UTF-8 (of 1,497 real pages 7 were UTF-8 and declared something else); the charset of the HTTP
// Content-Type; the declaration inside the page, looked for in 64 KiB and not in the usual 1,024 bytes (on one page in
// ten it stands later); a guess from the text's own bytes; and windows-1252, with which browsers end too. Names are
// those of the WHATWG Encoding Standard, whose table of labels and whose decoders are golang.org/x/text's.
//
// What is lenient, beyond the standards:
//
//	a few bytes that are not UTF-8 in a page that is otherwise, a rune cut at the end of the body
//	several charsets in one header: the first that is known and fits the bytes
//	quotes, equals signs with white space, a colon in place of the equals sign
//	IANA's and Java's names for code pages 932, 936, 949 and 950
//	"utf-8" or "utf-16" declared on bytes that cannot be that: the next source is asked
//	declarations inside of scripts, styles and titles do not count
//
// It does not tell text from other content (see package mimetype) and knows nothing of UTF-7, UTF-32 and HZ.
//
//	r := charset.Detect(body, "text/html; charset=ISO-8859-1", charset.Options{})
//	text, replaced, err := charset.Decode(body, r.Name)
package charset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// Version changes when the same bytes get another result. It is part of records, so that a page that was read by an
// older version can be read again.
const Version = "2"

// ErrName is returned, wrapped, by Decode for a name that is not a label of the Encoding Standard.
var ErrName = errors.New("unknown encoding")

// Result is an encoding and how it is known.
type Result struct {
	Name string // lower-case name of the Encoding Standard, such as "utf-8", "windows-1252", "gb18030", "shift_jis"
	// Basis is the evidence: "bom", "utf8" (the bytes are UTF-8), "header" (Content-Type), "meta" (<meta> or the XML
	// declaration), "guess" (the text's bytes) or "default" (nothing, or nothing but ASCII).
	Basis string
}

// Values of Result.Basis.
const (
	basisBOM     = "bom"
	basisUTF8    = "utf8"
	basisHeader  = "header"
	basisMeta    = "meta"
	basisGuess   = "guess"
	basisDefault = "default"
)

// Names that the code itself needs.
const (
	nameUTF8      = "utf-8"
	nameUTF16LE   = "utf-16le"
	nameUTF16BE   = "utf-16be"
	nameWestern   = "windows-1252"
	nameISO2022JP = "iso-2022-jp"
)

// Options bound the work on one body; the zero value takes the defaults.
type Options struct {
	MaxPrescan int // bytes in which a declaration is looked for; 64 KiB
	MaxSample  int // bytes of words with high bytes that the guess is made from; 8 KiB, no more than 1 MiB
}

// withDefaults bounds the sample, since all models read it.
func (o Options) withDefaults() Options {
	o.MaxPrescan = cmp.Or(max(o.MaxPrescan, 0), 64<<10)
	o.MaxSample = min(cmp.Or(max(o.MaxSample, 0), 8<<10), 1<<20)
	return o
}

// Detect returns the encoding of body. contentType is the value of the HTTP Content-Type field as archived, or "".
// It never fails: without any evidence the result is UTF-8 for ASCII and windows-1252 for other bytes, on the basis
// "default". Its time is linear in the length of body. The order is that of the package comment. Every step but the
// last costs at most one pass over body.
func Detect(body []byte, contentType string, o Options) Result {
	o = o.withDefaults()
	if name := markOf(body); name != "" {
		return Result{name, basisBOM}
	}
	// UTF-16 without a mark is not valid UTF-8, and no declaration can be read in it as ASCII.
	if name := wideMarkup(body); name != "" {
		return Result{name, basisGuess}
	}
	m := measure(body)
	// Before any declaration: valid UTF-8 with letters beyond ASCII does not happen by chance.
	if m.isUTF8() {
		return Result{nameUTF8, basisUTF8}
	}
	// A declaration counts only if body can be in that encoding.
	fits := func(name string) bool { return canBe(name, body, m) }
	for _, name := range headerNames(contentType) {
		if fits(name) {
			return Result{name, basisHeader}
		}
	}
	if name := declared(body[:min(len(body), o.MaxPrescan)], fits); name != "" {
		return Result{name, basisMeta}
	}
	return undeclared(body, m, o)
}

// undeclared decides without any declaration that can be believed. ISO-2022-JP is ASCII to the eye, and known by its
// escapes.
func undeclared(body []byte, m mixture, o Options) Result {
	switch {
	case m.ascii() && hasJapaneseEscape(body):
		return Result{nameISO2022JP, basisGuess}
	case m.ascii():
		return Result{nameUTF8, basisDefault}
	case m.mostlyUTF8():
		// A few wrong bytes do not make it another encoding.
		return Result{nameUTF8, basisGuess}
	}
	return guess(body, o.MaxSample)
}

// markOf returns the encoding whose byte order mark begins body, or "".
func markOf(body []byte) string {
	for _, name := range [...]string{nameUTF8, nameUTF16LE, nameUTF16BE} {
		if bytes.HasPrefix(body, byteOrderMark(name)) {
			return name
		}
	}
	return ""
}

// byteOrderMark returns the mark which texts in the encoding may begin with, nil if there is none. GB18030's is
// U+FEFF as that encoding writes it.
func byteOrderMark(name string) []byte {
	switch name {
	case nameUTF8:
		return []byte("\xEF\xBB\xBF")
	case nameUTF16LE:
		return []byte("\xFF\xFE")
	case nameUTF16BE:
		return []byte("\xFE\xFF")
	case "gb18030":
		return []byte("\x84\x31\x95\x33")
	}
	return nil
}

// canBe says whether body, whose mixture is m, can be in the encoding that is declared. Only what is impossible is
// refused; most encodings can have any bytes.
func canBe(name string, body []byte, m mixture) bool {
	switch name {
	case nameUTF8:
		// UTF-8 with wrong bytes is still UTF-8 where that is declared, up to a tenth.
		return m.ascii() || m.mostlyUTF8()
	case nameUTF16LE, nameUTF16BE:
		// Every markup has characters below U+0100, and these have a NUL in UTF-16.
		return bytes.IndexByte(body, 0) >= 0
	}
	return true
}

// Decode returns body as UTF-8 without a byte order mark. What is not valid in the encoding becomes U+FFFD, and
// replaced is then true (as it is for the rare body in another encoding than UTF-8 that holds U+FFFD itself). The text
// is body's own memory when no byte needs to change; otherwise it is at most three times as long. The only error is
// ErrName. The caller must not change body as long as it uses text.
func Decode(body []byte, name string) (text []byte, replaced bool, err error) {
	canonical := canonicalName(name)
	if canonical == "" {
		return nil, false, fmt.Errorf("charset: %.40q: %w", name, ErrName)
	}
	body = bytes.TrimPrefix(body, byteOrderMark(canonical))
	switch canonical {
	// Valid text is returned as it is, without a copy.
	case nameUTF8:
		if utf8.Valid(body) {
			return body, false, nil
		}
		text = repair(body)
		return text, true, nil
	// In these three, ASCII bytes may be other characters, so body is always decoded.
	case nameUTF16LE, nameUTF16BE, nameISO2022JP:
		text, err = decodeAll(body, canonical)
	default:
		// All other encodings agree with ASCII.
		if firstHigh(body) < 0 {
			return body, false, nil
		}
		text, err = decodeAll(body, canonical)
	}
	// Decoders replace what they cannot decode; that is seen from the result.
	return text, bytes.Contains(text, []byte("\uFFFD")), err
}

// decodeAll decodes body, which has no byte order mark.
func decodeAll(body []byte, name string) ([]byte, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("charset: %q: %w", name, ErrName)
	}
	if set, ok := e.(*charmap.Charmap); ok {
		return decodeBytes(body, set), nil
	}
	text := make([]byte, 0, len(body)+countHigh(body)/2+utf8.UTFMax) // two bytes become three; grows where it must
	text, _, err = transform.Append(e.NewDecoder(), text, body)
	if err != nil {
		return nil, fmt.Errorf("charset: decode %s: %w", name, err)
	}
	return text, nil
}

// decodeBytes decodes an encoding with one byte a character, of which the lower half is ASCII. It is several times as
// fast as the decoder of the library, which looks at each byte of ASCII and grows its memory while it goes. Two
// passes: the first finds the size, so that the second never grows.
func decodeBytes(body []byte, set *charmap.Charmap) []byte {
	size := len(body)
	for _, c := range body {
		if c >= utf8.RuneSelf {
			size += utf8.RuneLen(set.DecodeByte(c)) - 1
		}
	}
	text := make([]byte, 0, size)
	for len(body) > 0 {
		// Stretches of ASCII are copied at once.
		n := firstHigh(body)
		if n < 0 {
			return append(text, body...)
		}
		text = append(text, body[:n]...)
		for ; n < len(body) && body[n] >= utf8.RuneSelf; n++ {
			text = utf8.AppendRune(text, set.DecodeByte(body[n]))
		}
		body = body[n:]
	}
	return text
}
