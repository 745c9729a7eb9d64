package charset

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// wideSample is how many bytes UTF-16 is told by.
	wideSample = 4 << 10
	// wideMarkup is how many characters of markup are enough to know it, and wideText how many of plain text.
	wideMarkup = 4
	wideText   = 16
)

// UTF16 returns "utf-16le" or "utf-16be" for text in UTF-16 that has no byte order mark, and "" for everything else.
// contentType is the value of the HTTP Content-Type field, or "". Which bytes come first is recognised by the bytes,
// since servers know no more of it than "utf-16".
//
// Without a declaration, the text must be plain ASCII nearly throughout or begin with markup (appendix F.1 of the XML
// recommendation), as binary files have zeros as well. With one it may be in any script, unless its bytes are text as
// they stand.
func UTF16(body []byte, contentType string) string {
	if markOf(body) != "" {
		return ""
	}
	sample := body[:min(len(body), wideSample)&^1]
	declared := saysUTF16(contentType)
	if !declared && bytes.IndexByte(sample[:min(len(sample), 2*wideText)], 0) < 0 || isNarrow(sample) {
		return ""
	}
	little, big := look(sample, binary.LittleEndian), look(sample, binary.BigEndian)
	switch {
	case little.isPlain():
		return nameUTF16LE
	case big.isPlain():
		return nameUTF16BE
	case !declared:
		return ""
	case little.isText() && (!big.isText() || !big.likelier(little)):
		return nameUTF16LE
	case big.isText():
		return nameUTF16BE
	}
	return ""
}

// saysUTF16 reports whether the first encoding that a Content-Type field names is UTF-16, in either order.
func saysUTF16(contentType string) bool {
	// Most fields are in lower case, so that this costs no memory.
	lower := strings.ToLower(contentType)
	if !strings.Contains(lower, "16") && !strings.Contains(lower, "ucs") && !strings.Contains(lower, "unicode") {
		return false
	}
	names := headerNames(contentType)
	return len(names) > 0 && (names[0] == nameUTF16LE || names[0] == nameUTF16BE)
}

// isNarrow reports whether a sample is text in single bytes, which have hardly any controls: in UTF-16 characters of
// ASCII have a NUL, and others get controls from their lower bytes.
func isNarrow(sample []byte) bool {
	controls := 0
	for _, c := range sample {
		if c < ' ' && !isSpace(c) && c != 0x1B || c == 0x7F {
			controls++
		}
	}
	return controls*100 <= len(sample)
}

// units is what a sample looks like in UTF-16 of one byte order.
type units struct {
	all, plain, wrong int  // plain is ASCII; wrong is what text does not have
	markup            bool // its first characters, after white space, are those of markup
	pages             int  // how many different upper bytes there are
}

// look counts what the sample has in a byte order.
func look(sample []byte, order binary.ByteOrder) units {
	var u units
	var pages [256]bool
	first, begun := 0, false // plain characters from "<" on
	for i := 0; i+1 < len(sample); i += 2 {
		c := order.Uint16(sample[i:])
		u.all++
		if page := c >> 8; !pages[page] {
			pages[page] = true
			u.pages++
		}
		switch {
		case c < utf8.RuneSelf && isPlain(byte(c)):
			u.plain++
			begun = begun || c == '<' && u.plain == u.all
			if begun && u.plain == u.all {
				first++
			}
		case utf16.IsSurrogate(rune(c)):
			next := rune(utf8.RuneError)
			if i+3 < len(sample) {
				next = rune(order.Uint16(sample[i+2:]))
			}
			if utf16.DecodeRune(rune(c), next) != utf8.RuneError {
				i += 2
			} else if i+3 < len(sample) {
				u.wrong++
			}
		case !unicode.IsPrint(rune(c)) && !unicode.IsSpace(rune(c)) && !unicode.Is(unicode.Cf, rune(c)):
			u.wrong++
		}
	}
	u.markup = first >= wideMarkup
	return u
}

// isPlain reports whether the text is nearly all ASCII, or begins with markup.
func (u units) isPlain() bool {
	return u.markup || u.all >= wideText && u.plain*10 >= u.all*9
}

// isText reports whether hardly anything is not text, as of random bytes a tenth is.
func (u units) isText() bool { return u.all > 0 && u.wrong*50 <= u.all }

// likelier reports whether this order is rather the text's than the other: letters of a script have few upper bytes,
// and all the lower ones.
func (u units) likelier(other units) bool {
	if u.plain != other.plain {
		return u.plain > other.plain
	}
	return u.pages < other.pages
}

// isPlain reports whether c is an ASCII character that texts have.
func isPlain(c byte) bool {
	return c >= ' ' && c < 0x7F || c == '\n' || c == '\r' || c == '\t'
}
