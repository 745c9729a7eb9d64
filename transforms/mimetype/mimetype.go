// Package mimetype says what a body is, by its bytes first and by its declaration and name where bytes leave it open.
//
// Signatures come from github.com/gabriel-vasile/mimetype, which looks at the first 3 KiB, and from a table of our own
// for formats that archives hold and it does not know. On top of them stands what web archives need and signatures
// cannot give: feeds, sitemaps and other XML by their root element, XHTML from HTML, the kinds of JSON, the members of
// zip and OLE containers. The declared type and the name only break ties: they may make a zip file an OpenDocument
// extension or a text a style sheet, but a page of HTML that was served as a PDF is HTML.
//
// Types are those of IANA's registry where there is one, in lower case and without parameters; see [Canonical]. Whether
// what a server declared is another type than what was detected is said by [Conflicts]. The package looks inside of
// gzip, at the beginning, but not of other compressed bodies; it does not decide on encodings (package charset), and
// validates nothing: a type says what a reader should try.
//
//	r := mimetype.Detect(body, "text/xml; charset=utf-8", "https://example.org/feed", mimetype.Options{})
//	if r.Kind == "rss" {
//		// read a feed
//	}
package mimetype

import (
	"bytes"
	"cmp"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// Version changes when the same body gets another result. It is part of each record, so that answers of different
// versions can be told apart.
const Version = "4"

// Result is a media type and how it is known.
type Result struct {
	Type string // lower-case media type without parameters; "" for an empty body
	// Basis is the evidence: "magic" (signatures, and for text/plain and application/octet-stream the bytes as such),
	// "structure" (elements of XML and HTML, the grammar and keys of JSON, fields of messages, members of containers),
	// "name", "declared", or "empty" for an empty body.
	Basis string
	// Kind tells apart what readers of feeds and of structured data ask for: "rss" (0.91 to 2.0), "atom", "rdf"
	// (RSS 0.90 and 1.0), "opml", "sitemap" (a sitemap or an index of such), "jsonfeed", "jsonld", "ndjson", or "".
	Kind string
	// Inside is the type of what a body of type application/gzip holds, by its first bytes; "" of other bodies, and of
	// what is damaged or of a type that nobody knows.
	Inside string
}

// Values of Result.Basis.
const (
	basisMagic     = "magic"
	basisStructure = "structure"
	basisName      = "name"
	basisDeclared  = "declared"
	basisEmpty     = "empty"
)

// Types that the code itself needs.
const (
	typeBinary = "application/octet-stream"
	typeText   = "text/plain"
	typeXML    = "application/xml"
	typeHTML   = "text/html"
	typeXHTML  = "application/xhtml+xml"
	typeJSON   = "application/json"
	typeRSS    = "application/rss+xml"
	typeAtom   = "application/atom+xml"
	typePDF    = "application/pdf"
	typeZip    = "application/zip"
	typeGzip   = "application/gzip"
	typeOLE    = "application/x-ole-storage"
	typeTIFF   = "image/tiff"
)

// Options bound the work on one body; the zero value takes the defaults.
type Options struct {
	MaxHead    int // bytes of text in which a root element or a JSON key is looked for; 64 KiB
	MaxMembers int // members of a container that are looked at; 1,000
}

// withDefaults takes zero and negative values for "not set".
func (o Options) withDefaults() Options {
	o.MaxHead = cmp.Or(max(o.MaxHead, 0), 64<<10)
	o.MaxMembers = cmp.Or(max(o.MaxMembers, 0), 1000)
	return o
}

// Detect returns the type of body. declared is the HTTP Content-Type as archived and name is a URL or a file name;
// either may be "". It never fails, keeps nothing of body, and its time is linear in the length of body, which it reads
// beyond its beginning only in containers. Safe for concurrent use.
func Detect(body []byte, declared, name string, o Options) Result {
	if len(body) == 0 {
		// An empty body is of no type, whatever was declared.
		return Result{Basis: basisEmpty}
	}
	o = o.withDefaults()
	// Both hints in canonical form, so that they compare with the tables.
	h := hints{declared: Canonical(Base(declared)), named: typeOfName(name), wide: charset.UTF16(body, declared)}
	r := detect(body, h, o)
	r.Type = Canonical(r.Type)
	// gzip is looked into here and not in detect: its type does not depend on what is inside.
	if r.Type == typeGzip {
		r.Inside = insideGzip(body)
	}
	return r
}

// detect is Detect of a body that is not empty, with types under any of their names. The order is from what is
// certain to what is not: markup, signatures and containers, texts, hints.
func detect(body []byte, h hints, o Options) Result {
	// Text is judged by head alone; body is for signatures at large offsets and for containers.
	head := headOf(body, h.wide, o.MaxHead)
	// A PDF with notices of the server before it is the only signature that counts more than markup.
	if isWrappedPDF(body) {
		return Result{Type: typePDF, Basis: basisMagic}
	}
	// Markup before signatures: a page that mentions "%PDF-" in its first bytes is a page.
	if r, ok := markupOf(head, h); ok {
		return r
	}
	t := bytesType(body, signatureHead(body, head))
	if (t == typeBinary || IsText(t)) && isHeadlessPDF(body) {
		t = typePDF
	}
	switch container := familyOfType(t); {
	// Bytes that no table knows and that are not text: weak rules, and then the hints.
	case t == typeBinary && !mostlyText(head):
		return h.choose(familyBinary, Result{Type: cmp.Or(weakType(body), typeBinary), Basis: basisMagic})
	// A container's signature says little; its members say what it is.
	case container == familyZip:
		return h.choose(familyZip, refined(t, zipType(body, t, o.MaxMembers)))
	case container == familyOLE:
		return h.choose(familyOLE, refined(t, oleType(body, t, o.MaxMembers)))
	// Raw formats of cameras are TIFF inside, and have no other sign than their name.
	case t == typeTIFF:
		return h.choose(familyTIFF, Result{Type: typeTIFF, Basis: basisMagic})
	// Text without a signature, or with one that texts may have by chance.
	case t == typeBinary || IsText(t):
		return textOf(head, t, h)
	}
	return Result{Type: t, Basis: basisMagic}
}

// refined returns the type of a container by its members, or by its signature if they tell no more. The basis tells
// which of both it was.
func refined(signature, members string) Result {
	if signature == members {
		return Result{Type: signature, Basis: basisMagic}
	}
	return Result{Type: members, Basis: basisStructure}
}

// signatureHead returns what signatures are matched against: the body, or its text where a byte order mark or UTF-16
// would hide it from them.
func signatureHead(body, head []byte) []byte {
	// head is not a prefix of body when headOf took a mark away or narrowed it.
	if !bytes.HasPrefix(body, head) {
		body = head
	}
	return body
}

// headOf returns the beginning of body as ASCII-compatible text: without a byte order mark and, of UTF-16, only the
// characters below U+0100, which are all that matter here. Markup, keys and fields are ASCII, so what is above U+00FF
// becomes "?" without loss.
// wide is the encoding of UTF-16 without a mark, or "".
func headOf(body []byte, wide string, limit int) []byte {
	switch {
	case wide == "utf-16le":
		return narrow(body, limit, 0)
	case wide == "utf-16be":
		return narrow(body, limit, 1)
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		// UTF-32 is not looked for: its mark begins like that of UTF-16, and nobody serves it.
		body = body[3:]
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return narrow(body[2:], limit, 0)
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return narrow(body[2:], limit, 1)
	}
	return body[:min(len(body), limit)]
}

// narrow returns every second byte of up to limit bytes of UTF-16, the low ones, which are at offset low. The high
// bytes decide: a unit with one that is not zero is not a character of Latin-1.
func narrow(wide []byte, limit, low int) []byte {
	wide = wide[:min(len(wide), limit)]
	head := make([]byte, 0, len(wide)/2)
	for i := 0; i+1 < len(wide); i += 2 {
		// low is 0 or 1, so the high byte is at 1-low.
		if wide[i+1-low] == 0 {
			head = append(head, wide[i+low])
		} else {
			head = append(head, '?')
		}
	}
	return head
}

// mostlyText reports whether head is text in spite of a few control characters, as pages have that were cut together
// from several sources. UTF-8 and legacy encodings are distinguished from binary data by the controls alone. Bytes
// above 0x7F do not count against a text, as every legacy encoding has them.
func mostlyText(head []byte) bool {
	const enough = 4 << 10
	head = head[:min(len(head), enough)]
	controls := 0
	for _, c := range head {
		// Escape (0x1B) is left out: ISO-2022-JP is full of it.
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B || c == 0x7F {
			controls++
		}
	}
	// One in fifty, two per cent.
	return controls*50 <= len(head)
}
