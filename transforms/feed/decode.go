package feed

import (
	"bytes"
	"cmp"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// signatures are how bodies in encodings that are not ASCII's superset begin: with a byte order mark, or with the
// pattern of "<" or "<?xm" in them (appendix F of XML 1.0). Longer ones come first where one begins another.
var signatures = []struct {
	head string
	enc  encoding.Encoding
}{
	{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.UseBOM)},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)},
	{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
	{"\x00\x00\x00<", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"<\x00\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00<", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"<\x00", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\x4c\x6f\xa7\x94", charmap.CodePage037}, // EBCDIC
}

// decode returns the body as UTF-8 from its first tag or brace on, without an XML declaration.
func decode(body []byte, mimeType string) string {
	if enc := signature(body); enc != nil {
		if out, err := enc.NewDecoder().Bytes(body); err == nil {
			return withoutDeclaration(string(trimHead(out)))
		}
	}
	hasBOM := bytes.HasPrefix(body, bom)
	body = trimHead(body)
	if hasBOM {
		return withoutDeclaration(lossless(body))
	}
	isUTF8 := utf8.Valid(body) && !ascii(body)
	for _, label := range labels(declared(body), charsetOf(mimeType)) {
		enc := lookup(label)
		if enc == nil || enc == unicode.UTF8 {
			continue
		}
		if _, oneByte := enc.(*charmap.Charmap); oneByte && isUTF8 {
			continue // text in such an encoding is hardly ever UTF-8 by accident
		}
		if out, err := enc.NewDecoder().Bytes(body); err == nil {
			return withoutDeclaration(string(out))
		}
	}
	return withoutDeclaration(guessed(body))
}

// labels are the encodings that are declared, in the order in which they are tried. The media type's goes first
// (section 3 of RFC 7303), unless it is one that servers add to everything.
func labels(declaration, header string) []string {
	switch strings.ToLower(header) {
	case "", "iso-8859-1", "us-ascii", "utf-8":
		return []string{declaration, header}
	}
	return []string{header, declaration}
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// guessed reads a body of which nothing true is declared: as UTF-8 with a few wrong bytes, or by the letters of its
// text.
func guessed(body []byte) string {
	if utf8.Valid(body) {
		return string(body)
	}
	if r := charset.Detect(withoutLabel(body), "", charset.Options{}); r.Basis == "guess" {
		if text, _, err := charset.Decode(body, r.Name); err == nil {
			return string(text)
		}
	}
	return lossless(body)
}

// withoutLabel is the body without its XML declaration, which was found wrong.
func withoutLabel(body []byte) []byte {
	return body[len(declaration(string(body[:min(len(body), 512)]))):]
}

func signature(body []byte) encoding.Encoding {
	for _, s := range signatures {
		if bytes.HasPrefix(body, []byte(s.head)) {
			return s.enc
		}
	}
	return nil
}

// lossless reads b as UTF-8 and every byte that UTF-8 does not allow as windows-1252.
func lossless(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(b[0])
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return string(out)
}

// declaration is the XML declaration at the head of text, with its end; "" when there is none.
func declaration(text string) string {
	if !strings.HasPrefix(text, "<?xml") {
		return ""
	}
	i := strings.Index(text[:min(len(text), 512)], "?>")
	if i < 0 {
		return ""
	}
	return text[:i+2]
}

func withoutDeclaration(text string) string {
	return strings.TrimLeft(text[len(declaration(text)):], " \t\r\n\ufeff")
}

// declared is the encoding that the XML declaration names.
func declared(body []byte) string {
	decl := declaration(string(body[:min(len(body), 512)]))
	_, rest, ok := strings.Cut(decl, "encoding")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t\r\n=")
	if rest == "" || (rest[0] != '"' && rest[0] != '\'') {
		return ""
	}
	label, _, _ := strings.Cut(rest[1:], rest[:1])
	return label
}

func charsetOf(mimeType string) string {
	_, params, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ""
	}
	return params["charset"]
}

// otherNames are names that feeds give encodings and no registry has.
var otherNames = map[string]string{
	"iso2022-jp": "iso-2022-jp", "mac-roman": "macintosh", "mac-cyrillic": "x-mac-cyrillic", "eucjp": "euc-jp",
	"euckr": "euc-kr",
}

// lookup finds an encoding by the names of the Encoding Standard, and then those of IANA. The UTF-16 and UTF-32 family
// is not found: whoever declares it has a signature, or is wrong.
func lookup(label string) encoding.Encoding {
	label = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(label)), "_", "-")
	if label == "" || strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf-32") {
		return nil
	}
	label = cmp.Or(otherNames[label], label)
	if enc, err := htmlindex.Get(label); err == nil && enc != encoding.Replacement {
		return wide(enc)
	}
	enc, err := ianaindex.IANA.Encoding(label)
	if err != nil {
		return nil
	}
	return wide(enc)
}

// wide leaves out encodings in which a declaration that could be read as ASCII cannot have been written.
func wide(enc encoding.Encoding) encoding.Encoding {
	if enc == nil {
		return nil
	}
	out, err := enc.NewDecoder().Bytes([]byte("<?xml"))
	if err != nil || string(out) != "<?xml" {
		return nil
	}
	return enc
}
