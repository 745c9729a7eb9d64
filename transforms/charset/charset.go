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
//	a few bytes that are not UTF-8 in a page that is otherwise, a rune cut at the end of the body; where UTF-8 is
//	declared, up to as many as there are letters in UTF-8. Decode mends them one by one
//	UTF-16 without a byte order mark, in either order
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
	"cmp"
	"errors"
)

// Version changes when the same bytes get another result. It is part of records, so that a page that was read by an
// older version can be read again.
const Version = "3"

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
	// UTF-16 without a mark is valid UTF-8 where it is ASCII, and no declaration can be read in it as ASCII.
	if name := UTF16(body, contentType); name != "" {
		return Result{name, wideBasis(contentType)}
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

// wideBasis is the evidence for UTF-16 without a mark.
func wideBasis(contentType string) string {
	if !saysUTF16(contentType) {
		return basisGuess
	}
	return basisHeader
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
