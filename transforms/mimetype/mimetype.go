// Package mimetype detects the type of a body, from its bytes first, and from its declaration and name if the bytes
// are not enough.
//
// Signatures come from github.com/gabriel-vasile/mimetype, which reads the first 3 KiB, and from our own table for
// further formats in archives. In addition it detects types without signatures. It finds feeds, sitemaps and other XML
// by their root element, XHTML, the kinds of JSON, and the members of zip and OLE containers. The declared type and
// the name only break ties. They may make a zip file an OpenDocument extension or a text a style sheet. But a page of
// HTML served as a PDF is HTML.
//
// Types are those of IANA's registry if there is one, in lower case and without parameters; see [Canonical]. Function
// [Conflicts] reports whether a declared type contradicts the detected one. The package reads the beginning of gzip
// content, but not other compressed bodies. Package charset decides on encodings. Nothing is validated: a type says
// which reader to try.
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

// Version changes when the same body has another result. It is part of each record, to distinguish results of
// different versions.
const Version = "9"

// Result is a media type and its evidence.
type Result struct {
	Type string // lower-case media type without parameters; "" for an empty body
	// Basis is the evidence. Value "magic" means signatures, or for text/plain and application/octet-stream the bytes
	// in general. Value "structure" means elements of XML and HTML, grammar and keys of JSON, fields of messages,
	// members of containers. The others are "name", "declared", and "empty" for an empty body.
	Basis string
	// Kind is the kind of a feed or of structured data: "rss" (0.91 to 2.0), "atom", "rdf" (RSS 0.90 and 1.0), "opml",
	// "sitemap" (or an index of sitemaps), "jsonfeed", "jsonld", "ndjson", or "".
	Kind string
	// Inside is the type of the content of an application/gzip body, by its first bytes. It is "" for other bodies,
	// and for damaged or unknown content.
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

// Types that the code itself uses.
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

// Options bound the work on one body; a zero field means its default.
type Options struct {
	MaxHead    int // bytes of text searched for a root element or a JSON key; 64 KiB
	MaxMembers int // members of a container that are read; 1,000
}

// withDefaults treats zero and negative values as "not set".
func (o Options) withDefaults() Options {
	o.MaxHead = cmp.Or(max(o.MaxHead, 0), 64<<10)
	o.MaxMembers = cmp.Or(max(o.MaxMembers, 0), 1000)
	return o
}

// Detect returns the type of body. Parameter declared is the HTTP Content-Type as archived and name is a URL or a file
// name; either may be "". It never fails and keeps nothing of body. Its time is linear in the length of body; only
// containers are read beyond the beginning. It is safe for concurrent use.
func Detect(body []byte, declared, name string, o Options) Result {
	if len(body) == 0 {
		// An empty body has no type, even if one was declared.
		return Result{Basis: basisEmpty}
	}
	o = o.withDefaults()
	// Both hints are in canonical form, for comparison with the tables.
	h := hints{declared: Canonical(Base(declared)), named: typeOfName(name), wide: wideName(body, declared)}
	h.ran = h.ranAt(name)
	r := detect(body, h, o)
	r.Type = Canonical(r.Type)
	// The content of gzip is detected here instead of in detect, since the type of the body does not depend on it.
	if r.Type == typeGzip {
		r.Inside = insideGzip(body)
	}
	return r
}

// detect is Detect for a non-empty body, with types under any of their names. It goes from certain to uncertain
// evidence: markup, signatures and containers, texts, hints.
func detect(body []byte, h hints, o Options) Result {
	// Text needs only head; body is for signatures at large offsets and for containers.
	head := headOf(body, h.wide, o.MaxHead)
	// PDF and ZIP files with server notices before them are the only signatures that win over markup.
	if isWrappedPDF(body) {
		return Result{Type: typePDF, Basis: basisMagic}
	}
	if z := zipAfterNotice(body); z != nil {
		if t := zipType(z, typeZip, o.MaxMembers); !isPageWithZip(body, t) {
			return h.choose(familyZip, refined(typeZip, t))
		}
	}
	// Markup comes before signatures: a page that mentions "%PDF-" in its first bytes is a page.
	if r, ok := markupOf(head, h); ok {
		return r
	}
	t := bytesType(body, signatureHead(body, head))
	if (t == typeBinary || IsText(t)) && isHeadlessPDF(body) {
		t = typePDF
	}
	switch container := familyOfType(t); {
	// Unknown bytes that are not text are tested by weak rules, and then by the hints.
	case t == typeBinary && !mostlyText(head):
		return h.choose(familyBinary, Result{Type: cmp.Or(weakType(body), typeBinary), Basis: basisMagic})
	// The members of a container show more than its signature.
	case container == familyZip:
		return h.choose(familyZip, refined(t, zipType(body, t, o.MaxMembers)))
	case container == familyOLE:
		return h.choose(familyOLE, refined(t, oleType(body, t, o.MaxMembers)))
	// Raw formats of cameras are TIFF inside, and only their name distinguishes them.
	case t == typeTIFF:
		return h.choose(familyTIFF, Result{Type: typeTIFF, Basis: basisMagic})
	// This is text without a signature, or with one that texts may have by chance.
	case t == typeBinary || IsText(t):
		return textOf(head, t, h)
	}
	return Result{Type: t, Basis: basisMagic}
}

// refined returns the type of a container by its members, or by its signature if they show no more. The basis says
// which of the two it was.
func refined(signature, members string) Result {
	if signature == members {
		return Result{Type: signature, Basis: basisMagic}
	}
	return Result{Type: members, Basis: basisStructure}
}

// signatureHead returns the bytes for signatures: the body, or its text if a byte order mark or UTF-16 would hide it.
func signatureHead(body, head []byte) []byte {
	// head is not a prefix of body if headOf removed a mark or narrowed it.
	if !bytes.HasPrefix(body, head) {
		body = head
	}
	return body
}

// wideName returns the encoding of a text in UTF-32, or in UTF-16 without a mark, or "".
func wideName(body []byte, declared string) string {
	return cmp.Or(charset.UTF32(body), charset.UTF16(body, declared))
}

// headOf returns the beginning of body as ASCII-compatible text without a byte order mark. Of UTF-16 it keeps only the
// characters below U+0100 and replaces others by "?". Nothing is lost by that, since markup, keys and fields are
// ASCII. Parameter wide is as of wideName.
func headOf(body []byte, wide string, limit int) []byte {
	switch {
	case wide == "utf-16le":
		return narrow(body, limit, 0)
	case wide == "utf-16be":
		return narrow(body, limit, 1)
	case wide != "": // UTF-32
		text, _, err := charset.Decode(body[:min(len(body), limit)], wide)
		if err != nil {
			return nil // the name comes from package charset
		}
		return text
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		body = body[3:]
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return narrow(body[2:], limit, 0)
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return narrow(body[2:], limit, 1)
	}
	return body[:min(len(body), limit)]
}

// narrow returns the low bytes, at offset low, of up to limit bytes of UTF-16. If the high byte of a unit is not zero,
// the character is not in Latin-1.
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

// mostlyText reports whether head is text despite a few control characters, as in pages assembled from several
// sources. Only control characters distinguish UTF-8 and legacy encodings from binary data. Bytes above 0x7F do not
// count against a text, as every legacy encoding has them.
func mostlyText(head []byte) bool {
	const enough = 4 << 10
	head = head[:min(len(head), enough)]
	controls := 0
	for _, c := range head {
		if isControl(c) {
			controls++
		}
	}
	// The limit is one in fifty, two per cent.
	return controls*50 <= len(head)
}

// isControl reports whether c is a control character that texts do not have. Escape (0x1B) is excluded: ISO-2022-JP is
// full of it.
func isControl(c byte) bool {
	return c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B || c == 0x7F
}
