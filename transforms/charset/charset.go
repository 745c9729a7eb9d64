// Package charset detects the character encoding of a page and converts it to UTF-8.
//
// Sources of evidence are tried in the order that suits archives best, the most reliable first:
//
//   - a byte order mark;
//   - bytes that are valid UTF-8 (of 1,497 real pages 7 were UTF-8 with another declaration);
//   - the charset of the HTTP Content-Type;
//   - the declaration inside the page, in the first 64 KiB instead of the usual 1,024 bytes, since on one page in
//     ten it comes later;
//   - a guess from the text's own bytes;
//   - windows-1252, the default of browsers.
//
// Names are those of the WHATWG Encoding Standard; its labels and decoders come from golang.org/x/text.
//
// It is more lenient than the standards in some ways:
//
//	a few bytes that are not UTF-8 in a page that is otherwise, a rune cut at the end of the body; where UTF-8 is
//	declared, up to as many as there are letters in UTF-8. Decode mends them one by one
//	UTF-16 without a byte order mark, in either order
//	several charsets in one header: the first that is known and fits the bytes
//	quotes, equals signs with white space, a colon in place of the equals sign
//	IANA's and Java's names for code pages 932, 936, 949 and 950
//	"utf-8" or "utf-16" declared on bytes that cannot be that: the next source is asked
//	declarations inside of scripts, styles and titles do not count
//
// It does not distinguish text from other content (see package mimetype) and does not know UTF-7 and HZ.
//
//	r := charset.Detect(body, "text/html; charset=ISO-8859-1", charset.Options{})
//	text, replaced, err := charset.Decode(body, r.Name)
package charset

import (
	"bytes"
	"cmp"
	"errors"
)

// Version changes when the same bytes have another result. It is part of records, so that pages read by an older
// version can be read again.
const Version = "7"

// ErrName is returned, wrapped, by Decode for a name that is not a label of the Encoding Standard.
var ErrName = errors.New("unknown encoding")

// Result is an encoding and its evidence.
type Result struct {
	Name string // lower-case name of the Encoding Standard, such as "utf-8", "windows-1252", "gb18030", "shift_jis"
	// Basis is the evidence: "bom", "utf8" (the bytes are UTF-8), "header" (Content-Type) or "meta" (<meta> or the XML
	// declaration). It may also be "guess" (the text's bytes) or "default" (none, or only ASCII).
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

// Names that the code itself uses.
const (
	nameUTF8      = "utf-8"
	nameUTF16LE   = "utf-16le"
	nameUTF16BE   = "utf-16be"
	nameWestern   = "windows-1252"
	nameISO2022JP = "iso-2022-jp"
)

// Options bound the work on one body; a zero field means its default.
type Options struct {
	MaxPrescan int // bytes searched for a declaration; 64 KiB
	MaxSample  int // bytes of words with high bytes used for the guess; 8 KiB, at most 1 MiB
}

// withDefaults also bounds the sample, since all models read it.
func (o Options) withDefaults() Options {
	o.MaxPrescan = cmp.Or(max(o.MaxPrescan, 0), 64<<10)
	o.MaxSample = min(cmp.Or(max(o.MaxSample, 0), 8<<10), 1<<20)
	return o
}

// Detect returns the encoding of body. Parameter contentType is the value of the HTTP Content-Type field as archived,
// or "". It never fails: without evidence the result is UTF-8 for ASCII and windows-1252 for other bytes, with basis
// "default". Its time is linear in the length of body. The order is that of the package comment. Every step but the
// last needs at most one pass over body.
func Detect(body []byte, contentType string, o Options) Result {
	r, _ := detect(body, contentType, o)
	return r
}

// Read returns the result of Detect, and the text that Decode returns for it.
func Read(body []byte, contentType string, o Options) (text []byte, r Result, err error) {
	r, m := detect(body, contentType, o)
	switch {
	// Decode would look at all bytes again.
	case r.Name == nameUTF8 && m.all && m.ascii():
		return body, r, nil
	case r.Name == nameUTF8 && m.all:
		return once(body), r, nil
	}
	text, _, err = Decode(body, r.Name)
	return text, r, err
}

// detect also returns the bytes of body, if it looked at them.
func detect(body []byte, contentType string, o Options) (Result, mixture) {
	o = o.withDefaults()
	// The mark of UTF-32 begins like that of UTF-16.
	if name := UTF32(body); name != "" {
		if bytes.HasPrefix(body, byteOrderMark(name)) {
			return Result{name, basisBOM}, mixture{}
		}
		return Result{name, basisGuess}, mixture{}
	}
	if name := markOf(body); name != "" {
		return Result{name, basisBOM}, mixture{}
	}
	// UTF-16 of ASCII text without a mark is also valid UTF-8, and no declaration in it can be read as ASCII.
	if name := UTF16(body, contentType); name != "" {
		return Result{name, wideBasis(contentType)}, mixture{}
	}
	m := measure(body)
	// This comes before any declaration: valid UTF-8 with non-ASCII letters does not occur by chance.
	if m.isUTF8() {
		return Result{nameUTF8, basisUTF8}, m
	}
	// A declaration counts only if body can be in that encoding.
	fits := func(name string) bool { return canBe(name, body, m) }
	for _, name := range headerNames(contentType) {
		if fits(name) {
			return Result{name, basisHeader}, m
		}
	}
	if name := declared(body[:min(len(body), o.MaxPrescan)], fits); name != "" {
		return Result{name, basisMeta}, m
	}
	return undeclared(body, m, o), m
}

// wideBasis returns the evidence for UTF-16 without a mark.
func wideBasis(contentType string) string {
	if !saysUTF16(contentType) {
		return basisGuess
	}
	return basisHeader
}

// undeclared decides without a credible declaration. ISO-2022-JP looks like ASCII, and is recognised by its escapes.
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
	r := guess(body, o.MaxSample)
	// Both are decoded alike. The order of these pages was not declared before browsers turned lines.
	if r.Name == "windows-1255" && turned(body) {
		r.Name = nameVisual
	}
	return r
}
