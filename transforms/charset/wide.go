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
	// wideSample is the number of bytes read to recognise UTF-16.
	wideSample = 4 << 10
	// wideMarkup is the number of markup characters that are enough to recognise it, wideText that of plain text.
	wideMarkup = 4
	wideText   = 16
)

// UTF16 returns "utf-16le" or "utf-16be" for text in UTF-16 without a byte order mark, and "" for all other bodies.
// Parameter contentType is the value of the HTTP Content-Type field, or "". The bytes show the byte order, since
// servers declare only "utf-16".
//
// Without a declaration, the text must be nearly all plain ASCII or begin with markup (appendix F.1 of the XML
// recommendation). In a body served as text/* it may also be letters of one script. Binary files have zeros as well.
// With one it may be in any script, unless its single bytes are already text.
func UTF16(body []byte, contentType string) string {
	if markOf(body) != "" {
		return ""
	}
	sample := body[:min(len(body), wideSample)&^1]
	declared := saysUTF16(contentType)
	// Lines of East Asia have no ASCII character before their end.
	begin := sample
	if !saysText(contentType) {
		begin = sample[:min(len(sample), 2*wideText)]
	}
	if !declared && bytes.IndexByte(begin, 0) < 0 || isNarrow(sample) {
		return ""
	}
	little, big := look(sample, binary.LittleEndian), look(sample, binary.BigEndian)
	switch {
	case little.isPlain():
		return nameUTF16LE
	case big.isPlain():
		return nameUTF16BE
	case !declared && (!saysText(contentType) || !little.isScript() && !big.isScript()):
		return ""
	case little.isText() && (!big.isText() || !big.likelier(little)):
		return nameUTF16LE
	case big.isText():
		return nameUTF16BE
	}
	return ""
}

// saysUTF16 reports whether the first encoding in a Content-Type field is UTF-16, in either order.
func saysUTF16(contentType string) bool {
	// Most fields are in lower case already, so this needs no memory.
	lower := strings.ToLower(contentType)
	if !strings.Contains(lower, "16") && !strings.Contains(lower, "ucs") && !strings.Contains(lower, "unicode") {
		return false
	}
	names := headerNames(contentType)
	return len(names) > 0 && (names[0] == nameUTF16LE || names[0] == nameUTF16BE)
}

// saysText reports whether a Content-Type field has a type of text.
func saysText(contentType string) bool {
	contentType = strings.TrimSpace(contentType)
	return len(contentType) > len("text/") && strings.EqualFold(contentType[:len("text/")], "text/")
}

// isNarrow reports whether a sample is text in single bytes, which has hardly any controls. In UTF-16 ASCII characters
// have a NUL, and the lower bytes of others look like controls.
func isNarrow(sample []byte) bool {
	controls := 0
	for _, c := range sample {
		if c < ' ' && !isSpace(c) && c != 0x1B || c == 0x7F {
			controls++
		}
	}
	return controls*100 <= len(sample)
}

// units describes a sample read as UTF-16 with one byte order.
type units struct {
	all, plain, wrong int  // plain is ASCII; wrong are units that text does not have
	markup            bool // its first characters, after white space, are markup
	pages             int  // number of different upper bytes
	letters, east     int  // letters, marks and punctuation beyond ASCII; those of East Asia among them
}

// look counts the units of the sample in a byte order.
func look(sample []byte, order binary.ByteOrder) units {
	var u units
	var pages [256]bool
	first, begun := 0, false // plain characters from "<" on
	const eastern = 0x2E80   // the first character of East Asia
	for i := 0; i+1 < len(sample); i += 2 {
		c := order.Uint16(sample[i:])
		u.all++
		if page := c >> 8; !pages[page] {
			pages[page] = true
			u.pages++
		}
		if c >= utf8.RuneSelf && unicode.In(rune(c), unicode.L, unicode.M, unicode.P) {
			u.letters++
			if c >= eastern {
				u.east++
			}
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

// isText reports whether hardly any unit is wrong. In random bytes a tenth is.
func (u units) isText() bool { return u.all > 0 && u.wrong*50 <= u.all }

// isScript reports whether the text is nearly all letters of one script, which has few upper bytes, or of East Asia's.
func (u units) isScript() bool {
	const few = 6
	return u.all >= wideText && u.wrong == 0 && (u.letters+u.plain)*10 >= u.all*9 && u.letters > u.plain &&
		(u.pages <= few || u.east > u.plain && u.east*10 >= u.letters*9)
}

// likelier reports whether this byte order is more likely than the other: letters of a script have few different upper
// bytes, and all lower ones.
func (u units) likelier(other units) bool {
	if u.plain != other.plain {
		return u.plain > other.plain
	}
	return u.pages < other.pages
}

// isPlain reports whether c is an ASCII character found in texts.
func isPlain(c byte) bool {
	return c >= ' ' && c < 0x7F || c == '\n' || c == '\r' || c == '\t'
}
