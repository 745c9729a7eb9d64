package page

import (
	"unicode"
	"unicode/utf8"
)

// Classes of bytes in text.
const (
	spaceByte = 1 << iota
	letterByte
	upperByte
	digitByte
	punctByte
	otherByte  // any other ASCII character
	specialKey // a character reference, NUL, or a part of a character that is not ASCII
)

var classes = byteClasses()

func byteClasses() (c [256]uint8) {
	for i := range c {
		b := byte(i)
		switch {
		case isSpace(b):
			c[i] = spaceByte
		case b >= 'a' && b <= 'z':
			c[i] = letterByte
		case b >= 'A' && b <= 'Z':
			c[i] = letterByte | upperByte
		case b >= '0' && b <= '9':
			c[i] = letterByte | digitByte
		case b == '.' || b == ',' || b == ';' || b == ':' || b == '!' || b == '?':
			c[i] = punctByte
		case b == '&' || b >= 0x80 || b < ' ' || b == 0x7F:
			c[i] = specialKey
		default:
			c[i] = otherByte
		}
	}
	return c
}

// writer gathers the visible text in blocks.
type writer struct {
	block  Block
	space  bool // white space is due before the next character
	breaks int  // line breaks are due
	word   bool // the last character was part of a word
	dense  int  // characters of scripts without spaces, counted in twelfths of a word
	last   rune
}

// text adds the source range from start to end, which stands in the top element.
func (b *builder) text(start, end int) {
	top := b.top()
	n := &b.p.Nodes[top.node]
	i := b.append(Node{
		Parent: top.node, Tag: TagText, Flags: n.Flags, Depth: n.Depth + 1,
		srcStart: int32(start), srcEnd: int32(end),
	})
	if i < 0 || n.Flags&(InSkipped) != 0 {
		return
	}
	w := &b.w
	if w.block.Node < 0 {
		w.block.Node, w.block.First = top.owner, i
	}
	w.block.Last = i + 1
	before := w.block
	b.visible(b.src[start:end], n.Flags&InPre != 0)
	if n.Flags&InLink != 0 {
		w.block.LinkChars += w.block.Chars - before.Chars
	}
	if n.Flags&InBold != 0 {
		w.block.BoldChars += w.block.Chars - before.Chars
	}
	b.p.Nodes[i].TextEnd = int32(len(b.p.Text))
}

// visible writes text as it is shown: white space collapsed, unless keep says that it is preformatted.
func (b *builder) visible(s []byte, keep bool) {
	w := &b.w
	for i := 0; i < len(s); {
		c := s[i]
		k := classes[c]
		switch {
		case k&spaceByte != 0:
			w.word = false
			if keep {
				b.verbatim(c, s, i)
			} else {
				w.space = true
			}
			i++
		case k&specialKey != 0:
			i += b.special(s[i:])
		default:
			i += b.plain(s[i:])
		}
	}
}

// verbatim writes the white space s[i] = c of preformatted text; of a carriage return with a line feed one is left.
func (b *builder) verbatim(c byte, s []byte, i int) {
	if c == '\r' {
		if i+1 < len(s) && s[i+1] == '\n' {
			return
		}
		c = '\n'
	}
	if int(b.w.block.Start) == len(b.p.Text) && c == '\n' {
		return // the first line is often empty
	}
	b.p.Text = append(b.p.Text, c)
}

// plain writes the ASCII characters at the start of s and returns how many.
func (b *builder) plain(s []byte) int {
	b.due()
	w := &b.w
	n, upper, digits, punct, words := 0, 0, 0, 0, 0
	for ; n < len(s); n++ {
		k := classes[s[n]]
		if k&(spaceByte|specialKey) != 0 {
			break
		}
		if k&letterByte != 0 && !w.word {
			w.word = true
			words++
		}
		upper += int(k>>2) & 1
		digits += int(k>>3) & 1
		punct += int(k>>4) & 1
	}
	w.last = rune(s[n-1])
	w.block.Chars += int32(n)
	w.block.Words += int32(words)
	w.block.Punct += int32(punct)
	w.block.Digits += int32(digits)
	w.block.Upper += int32(upper)
	b.p.Text = append(b.p.Text, s[:n]...)
	return n
}

// due writes the white space that has to come before the next character.
func (b *builder) due() {
	w := &b.w
	if int(w.block.Start) < len(b.p.Text) {
		if w.breaks > 0 {
			b.p.Text = append(b.p.Text, '\n')
		} else if w.space {
			b.p.Text = append(b.p.Text, ' ')
		}
	}
	w.space, w.breaks = false, 0
}

// special writes the character at the start of s, which is a reference or not ASCII, and returns how long it is.
func (b *builder) special(s []byte) int {
	switch c := s[0]; {
	case c == '&':
		r, r2, n := charRef(s, false)
		if n == 0 {
			b.char('&')
			return 1
		}
		b.char(r)
		if r2 != 0 {
			b.char(r2)
		}
		return n
	case c < utf8.RuneSelf:
		return 1 // a control character
	}
	r, n := utf8.DecodeRune(s)
	b.char(r)
	return n
}

// char writes one character.
func (b *builder) char(r rune) {
	w := &b.w
	if r == '\u00AD' || r == '\uFEFF' || r < ' ' && !isSpace(byte(r)) {
		return // a soft hyphen, a byte order mark
	}
	if unicode.IsSpace(r) {
		w.space, w.word = true, false
		return
	}
	b.due()
	b.p.Text = utf8.AppendRune(b.p.Text, r)
	w.last = r
	w.block.Chars++
	if r < utf8.RuneSelf {
		b.count(classes[r])
		return
	}
	if d := density(r); d > 0 {
		w.dense += d
		w.word = false
		if w.dense >= 12 {
			w.block.Words++
			w.dense -= 12
		}
		return
	}
	switch {
	case r >= 0x3000 && r < 0x3040 || r >= 0xFF01 && r < 0xFF10 || r == '؟' || r == '،' || r == '।' || r == '…':
		w.block.Punct++
	case r >= 0x2000 && r < 0x2C00 || r >= 0xA0 && r < 0xC0:
	case !w.word:
		w.word = true
		w.block.Words++
	}
}

// count counts an ASCII character of class k.
func (b *builder) count(k uint8) {
	w := &b.w
	if k&letterByte != 0 && !w.word {
		w.word = true
		w.block.Words++
	}
	if k&digitByte != 0 {
		w.block.Digits++
	}
	if k&upperByte != 0 {
		w.block.Upper++
	}
	if k&punctByte != 0 {
		w.block.Punct++
	}
}

// density is how many twelfths of a word a character is in scripts that put no spaces between words; 0 in others.
func density(r rune) int {
	switch {
	case r < 0x0E00:
		return 0
	case r < 0x1100: // Thai, Lao, Tibetan, Myanmar
		if r < 0x1000 || r < 0x10A0 {
			return 3
		}
		return 0
	case r >= 0x1780 && r < 0x1800: // Khmer
		return 3
	case r >= 0x3040 && r < 0xA000, r >= 0xF900 && r < 0xFB00, r >= 0x20000 && r < 0x32000: // Kana and Han
		return 6
	}
	return 0
}

// flush ends the block.
func (b *builder) flush() {
	w := &b.w
	text := b.p.Text
	end := len(text)
	for end > int(w.block.Start) && isSpace(text[end-1]) {
		end--
	}
	text = text[:end]
	if end > int(w.block.Start) && w.block.Chars > 0 {
		w.block.End = int32(end)
		w.block.Flags = b.p.Nodes[w.block.Node].Flags | b.p.Nodes[w.block.First].Flags&InCode
		w.block.EndsPunct = endsSentence(w.last)
		w.block.Hash = hashText(text[w.block.Start:])
		b.p.Blocks = append(b.p.Blocks, w.block)
		text = append(text, '\n')
	}
	b.p.Text = text
	*w = writer{block: Block{Start: int32(len(text)), Node: -1}}
}

func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ':', '"', '”', '。', '！', '？', '؟', '।', '…', '»', ')':
		return true
	}
	return false
}

// hashText is a hash of text without its white space, with letters in lower case and digits made equal (FNV-1a).
func hashText(text []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range text {
		if k := classes[c]; k&(spaceByte|digitByte|upperByte) != 0 {
			switch {
			case k&spaceByte != 0:
				continue
			case k&digitByte != 0:
				c = '0'
			default:
				c |= 0x20
			}
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
