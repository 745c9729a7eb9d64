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

// signatures are the first bytes of encodings that are not supersets of ASCII. They are a byte order mark, or "<" or
// "<?xm" in the encoding (appendix F of XML 1.0). Longer ones come before their prefixes. They win over any
// declaration.
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

// decode returns the body as UTF-8 from its first tag or brace on, without an XML declaration. It replaces wrong
// bytes, so any body gives a text.
func decode(body []byte, mimeType string) string {
	// An error means that the pattern was chance, and other ways are tried.
	if enc := signature(body); enc != nil {
		if out, err := enc.NewDecoder().Bytes(body); err == nil {
			return withoutDeclaration(string(trimHead(out)))
		}
	}
	hasBOM := bytes.HasPrefix(body, bom)
	body = trimHead(body)
	// UTF-8 by its mark, or by its bytes even against its declarations, as for pages.
	if hasBOM || charset.Detect(body, "", charset.Options{}).Basis == "utf8" {
		return withoutDeclaration(lossless(body))
	}
	for _, label := range labels(declared(body), charsetOf(mimeType)) {
		enc := lookup(label)
		// guessed reads UTF-8, with wrong bytes.
		if enc == nil || enc == unicode.UTF8 {
			continue
		}
		if text := hebrew(body, enc); text != "" {
			return withoutDeclaration(text)
		}
		// The first known encoding counts, since decoders replace wrong bytes.
		if out, err := enc.NewDecoder().Bytes(body); err == nil {
			return withoutDeclaration(string(out))
		}
	}
	return withoutDeclaration(guessed(body))
}

// hebrew returns the text of XML in ISO-8859-8 in logical order, and with the signs of Windows. For other encodings it
// returns "".
func hebrew(body []byte, enc encoding.Encoding) string {
	name, err := htmlindex.Name(enc)
	if err != nil || !strings.HasPrefix(name, "iso-8859-8") || !bytes.HasPrefix(body, []byte("<")) {
		return ""
	}
	text, _, err := charset.Decode(body, name)
	if err != nil {
		return ""
	}
	return string(text)
}

// labels are the declared encodings in the order of trial. The media type's comes first (section 3 of RFC 7303),
// unless servers add it to everything, like ISO-8859-1 and UTF-8.
func labels(declaration, header string) []string {
	switch strings.ToLower(header) {
	case "", "iso-8859-1", "us-ascii", "utf-8":
		return []string{declaration, header}
	}
	return []string{header, declaration}
}

// guessed reads a body without a true declaration: as UTF-8 with some wrong bytes, which is XML's default, or by the
// letters of its text. Package charset guesses by letters only without a declaration, hence withoutLabel.
func guessed(body []byte) string {
	if utf8.Valid(body) {
		return string(body)
	}
	r := charset.Detect(withoutLabel(body), "text/xml; charset=utf-8", charset.Options{})
	if r.Name == "utf-8" || r.Basis == "guess" {
		if text, _, err := charset.Decode(body, r.Name); err == nil {
			return string(text)
		}
	}
	return lossless(body)
}

// withoutLabel is the body without its wrong XML declaration, which the prescan of charset would believe.
func withoutLabel(body []byte) []byte {
	return body[len(declaration(string(body[:min(len(body), 512)]))):]
}

// signature is the encoding that the body's first bytes show, or nil.
func signature(body []byte) encoding.Encoding {
	for _, s := range signatures {
		if bytes.HasPrefix(body, []byte(s.head)) {
			return s.enc
		}
	}
	return nil
}

// lossless reads b as UTF-8, and invalid bytes as windows-1252. That has a letter for most bytes, so a title with one
// wrong byte is still readable.
func lossless(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	// A wrong byte becomes two or three; one in eight is room enough for most texts.
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		// size 1 tells a wrong byte from a U+FFFD in the text.
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(b[0])
		}
		out = utf8.AppendRune(out, r)
		b = b[size:]
	}
	return string(out)
}

// declaration is the XML declaration at the head of text, with its end, or "". It must end within 512 bytes.
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

// declared is the encoding in the XML declaration. The search for "encoding" tolerates other mistakes in it.
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

// charsetOf is the charset of a media type, or "".
func charsetOf(mimeType string) string {
	_, params, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ""
	}
	return params["charset"]
}

// otherNames are names of encodings in feeds that no registry has, after lookup has replaced underscores.
var otherNames = map[string]string{
	"iso2022-jp": "iso-2022-jp", "mac-roman": "macintosh", "mac-cyrillic": "x-mac-cyrillic", "eucjp": "euc-jp",
	"euckr": "euc-kr",
}

// lookup finds an encoding by its name in the Encoding Standard, or else in IANA's register, which has names that only
// old programs write. UTF-16 and UTF-32 are not found: without a signature the declaration is wrong.
func lookup(label string) encoding.Encoding {
	label = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(label)), "_", "-")
	if label == "" || strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf-32") {
		return nil
	}
	label = cmp.Or(otherNames[label], label)
	// Replacement stands for encodings that are dangerous to read, such as ISO-2022-KR.
	if enc, err := htmlindex.Get(label); err == nil && enc != encoding.Replacement {
		return wide(enc)
	}
	enc, err := ianaindex.IANA.Encoding(label)
	if err != nil {
		return nil
	}
	return wide(enc)
}

// wide returns nil for encodings that are not supersets of ASCII: their declaration would not be readable.
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
