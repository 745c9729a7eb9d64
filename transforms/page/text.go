package page

import (
	"unicode"
	"unicode/utf8"
)

// The class of a byte: single bits on top, and below them counts that are summed over a run of bytes, each in a field.
// One addition per byte sums four counts at once. A field has 12 bits and a run at most 2,047 bytes, so no field
// overflows. The sum destroys the single bits, which are read before.
const (
	stopByte   uint64 = 1 << 63 // neither visible ASCII nor a space
	spaceByte  uint64 = 1 << 62
	letterByte uint64 = 1 << 59 // or a digit: part of a word

	// Shifts the bit of a space to that of a letter, so that a space clears the letter bit.
	spaceToLetter = 3 // bits

	maxRun = 1<<11 - 1 // bytes of a run, so that no field overflows; the last has 11 bits below letterByte
	field  = 12        // bits
	spaces = 0 * field
	upper  = 1 * field
	digits = 2 * field
	puncts = 3 * field
	signs  = 4 * field // that formulae begin with
)

var classes = byteClasses()

func byteClasses() (c [256]uint64) {
	for i := range c {
		switch b := byte(i); {
		case b == ' ':
			// Spaces are counted, to be subtracted from the characters.
			c[i] = spaceByte | 1<<spaces
		// References, bytes beyond ASCII, controls and other white space need a closer look.
		case b == '&' || b >= 0x80 || b < ' ' || b == 0x7F:
			c[i] = stopByte
		case b >= 'a' && b <= 'z':
			c[i] = letterByte
		case b >= 'A' && b <= 'Z':
			c[i] = letterByte | 1<<upper
		case b >= '0' && b <= '9':
			c[i] = letterByte | 1<<digits
		case b == '.' || b == ',' || b == ';' || b == ':' || b == '!' || b == '?':
			c[i] = 1 << puncts
		case b == '\\' || b == '$':
			c[i] = 1 << signs
		}
	}
	return c
}

// writer gathers the visible text of a page in blocks, in a second pass over the nodes. Only then the order of nodes
// and the flags of elements that ended early are settled.
type writer struct {
	p        *Page
	block    Block
	stack    []opened
	space    gap    // white space due before the next character
	kept     []byte // the same in preformatted text
	lines    int    // line breaks due
	word     bool   // the last character was part of a word
	dense    int    // characters of scripts without spaces, in twelfths of a word
	last     rune
	drawn    drawn // omitted part of the drawn formula that ends at drawnEnd
	drawnEnd int32
	unsure   bool // the point, which a gap rules out
	point    rune // due before the next character: the point before cents
	signs    bool // a run had a sign that formulae begin with
}

// gap is white space between two characters.
type gap uint8

// In rising order of precedence.
const (
	noGap     gap = iota
	aBlank        // spaces of the source
	endOfLine     // line end of the source, which may be dropped
	aSpace        // a space in any case
)

// opened is an element around the writer's position. The stack holds only elements with content, so MaxDepth bounds
// it.
type opened struct {
	node, end int32
	owner     int32 // the nearest block: itself or around it
	block     bool
	sign      bool // may be an icon
}

// write fills the page's text and blocks, and sets TextStart and TextEnd of every element, so that the text of any
// node is a range.
func (w *writer) write(p *Page) {
	// Reset everything but the memory.
	*w = writer{p: p, block: Block{Node: -1}, stack: w.stack[:0], kept: again(w.kept, keptText)}
	// Templates hold no findings, as their content is not part of the page.
	var inert int32 // end of a template
	for i := range p.Nodes {
		w.leave(i)
		n := &p.Nodes[i]
		e := elements[n.Tag].traits
		switch {
		case int32(i) < inert:
		case n.Tag == TagTemplate:
			inert = n.End
		case e&finding != 0:
			p.named = append(p.named, int32(i))
		}
		if int32(i) >= w.drawnEnd {
			w.drawn = notDrawn
		}
		var s stated
		if n.marks&mayState != 0 && n.Tag != TagScript && n.Tag != TagMath && w.drawn == notDrawn {
			s = w.drawing(i)
		}
		// A cell by its role in ARIA may be any element.
		if n.Own&InCell != 0 {
			e |= block
		}
		// A block begins on a line of its own.
		if e&block != 0 {
			w.flush()
		}
		n.TextStart = int32(len(p.Text))
		switch {
		case n.Tag == TagText:
			w.text(i)
		case n.Tag == TagBr:
			w.lineBreak(n)
		case n.Tag == TagImg:
			w.picture(i)
		case n.Tag == TagMath && n.marks&foreign != 0 && w.drawn != drawnAll:
			w.formula(i)
			w.enter(i, n, false)
		case n.Tag == TagScript && n.marks&mayState != 0:
			w.script(i)
			w.enter(i, n, false)
		case n.Tag == TagSup || n.Tag == TagSub:
			w.raise(i)
			w.enter(i, n, false)
		case w.last >= '0' && w.last <= '9' && e&block == 0 && int(n.End) > i+1:
			w.cents(i)
			w.enter(i, n, false)
		// Elements without content are not entered. Blocks are, so that they end the block at their own end.
		case int(n.End) > i+1 || e&block != 0:
			w.enter(i, n, e&block != 0)
		}
		w.state(i, s)
		n.TextEnd = int32(len(p.Text))
	}
	w.leave(len(p.Nodes))
}

// enter enters element i. An inline element belongs to the block around it.
func (w *writer) enter(i int, n *Node, block bool) {
	owner := int32(i)
	if !block {
		owner = w.stack[len(w.stack)-1].owner
	}
	w.stack = append(w.stack, opened{})
	o := &w.stack[len(w.stack)-1]
	o.node, o.end, o.owner, o.block = int32(i), n.End, owner, block
	o.sign = n.Own&LikeSign != 0 || n.Tag == TagOther
}

// leave leaves the elements that end before node i.
func (w *writer) leave(i int) {
	for k := len(w.stack) - 1; k >= 0 && int(w.stack[k].end) <= i; k-- {
		o := &w.stack[k]
		if o.block {
			w.flush()
		}
		// Again, since the text of its content came after TextEnd was first set.
		w.p.Nodes[o.node].TextEnd = int32(len(w.p.Text))
		w.stack = w.stack[:k]
	}
}

// text writes text node i if it is visible. The block belongs to the element around its first text.
func (w *writer) text(i int) {
	n := &w.p.Nodes[i]
	src := w.p.Source[n.srcStart:n.srcEnd]
	if w.omits(i, n, src) {
		w.point = 0
		return
	}
	// Code has the same signs with another meaning.
	if n.Flags&(InPre|InCode) != 0 {
		w.shown(i, src, n.marks&literal)
		return
	}
	// Signs are noticed while the text is written. Most texts have none, and a search before took a thirtieth of a
	// page's time. A text with a formula is written again.
	before, end := *w, len(w.p.Text)
	w.signs = false
	if w.shown(i, src, n.marks&literal); w.signs {
		f := newFormulae(src)
		if f.next(); f.end > 0 {
			w.p.Text = w.p.Text[:end]
			*w = before
			w.delimited(i, f, w.p.Nodes[i].marks&literal)
		}
	}
}

// omits reports whether browsers show nothing, or something else, for text node n. Cheap tests
// come first, since calls for each text would cost more.
func (w *writer) omits(i int, n *Node, src []byte) bool {
	// InSkipped is inherited, so one test covers scripts within hidden parts.
	return n.Flags&InSkipped != 0 || w.drawn != notDrawn || n.Flags&InHidden != 0 && w.isConcealed(i) ||
		w.stack[len(w.stack)-1].sign && w.p.isIcon(i) ||
		n.Flags&(InPre|InCode|InCell) != 0 && w.p.isLineNumbers(i) ||
		len(src) <= maxGlyph && n.Flags&(InPre|InCode) == 0 && isGlyph(src) && !w.withinWide(i)
}

// shown writes s as the text of node i.
func (w *writer) shown(i int, s []byte, m marks) {
	n := &w.p.Nodes[i]
	if w.block.Node < 0 {
		w.block.Node, w.block.First = w.stack[len(w.stack)-1].owner, int32(i)
	} else if n.Tag == TagText && (w.point == 0 || w.unsure) && int(w.block.Last) <= i && w.apart(i) {
		w.space, w.word, w.point = aSpace, false, 0
	}
	w.block.Last = int32(i + 1)
	if w.point != 0 {
		w.mark(w.point)
		w.point = 0
	}
	// This node adds the difference.
	before := w.block.Chars
	w.visible(s, n.Flags&InPre != 0, m != 0)
	if n.Flags&InLink != 0 {
		w.block.LinkChars += w.block.Chars - before
	}
	if n.Flags&InBold != 0 {
		w.block.BoldChars += w.block.Chars - before
	}
}

// lineBreak handles <br>: one is a line end in the block, two end the block.
func (w *writer) lineBreak(n *Node) {
	switch {
	// In preformatted text it is a line feed like any other.
	case n.Flags&InPre != 0:
		w.verbatim('\n', nil, 0)
	case w.lines > 0:
		w.flush()
	default:
		w.lines++
	}
	w.word = false
}

// visible writes text as it is shown: white space collapsed, unless keep is set for preformatted text. The limit
// maxRun bounds the runs, so that the sums do not overflow.
func (w *writer) visible(s []byte, keep, literal bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isSpace(c):
			w.word = false
			if keep {
				w.verbatim(c, s, i)
			} else {
				w.space = max(w.space, gapOf(rune(c)))
			}
			i++
		case classes[c]&stopByte != 0:
			i += w.special(s[i:], literal)
		// Preformatted text keeps each space, so runs end at them.
		case keep:
			i += w.run(s[i:min(len(s), i+maxRun)], stopByte|spaceByte)
		default:
			i += w.run(s[i:min(len(s), i+maxRun)], stopByte)
		}
	}
}

// verbatim notes the white space s[i] = c of preformatted text, with CR LF as one. It is written only if a character
// follows, so a block does not end in white space.
func (w *writer) verbatim(c byte, s []byte, i int) {
	// The line feed that comes next stands for both.
	if c == '\r' {
		if i+1 < len(s) && s[i+1] == '\n' {
			return
		}
		c = '\n'
	}
	if c != '\n' || !w.empty() || len(w.kept) > 0 { // the first line is often empty
		w.kept = append(w.kept, c)
	}
}

func (w *writer) empty() bool { return int(w.block.Start) == len(w.p.Text) }

// run writes the ASCII characters at the start of s, with single spaces between, and returns their number. It stops at
// a byte of the classes stop. Most text goes through here, so its loop has no branch except for its end.
func (w *writer) run(s []byte, stop uint64) int {
	// White space before them.
	w.due()
	var sum, last, word, words uint64
	// The state of the last run: an element can begin within a word.
	if w.word {
		word = letterByte
	}
	n := 0
	for ; n < len(s); n++ {
		k := classes[s[n]]
		// The bit of a space, if the last byte was also a space, shifts into stopByte's place.
		if (k|(k&last)<<1)&stop != 0 { // two spaces in a row are a stopByte
			break
		}
		last = k
		sum += k
		// One more word if a letter follows a byte outside a word.
		words += (k &^ word & letterByte) / letterByte
		// A word lasts from a letter to a space. Signs do not end it: "don't" and "e-mail" are one word.
		word = (word | k) &^ (k >> spaceToLetter) & letterByte
	}
	w.word = word != 0
	w.count(sum)
	// sum's lowest field is the number of spaces.
	w.block.Chars += int32(n) - int32(sum&maxRun)
	w.block.Words += int32(words)
	seen := s[:n]
	// A space at the end is held back, as more white space may follow.
	if last == spaceByte|1<<spaces {
		seen, w.space = s[:n-1], aBlank
	}
	w.last = rune(seen[len(seen)-1])
	w.p.Text = append(w.p.Text, seen...)
	return n
}

// count adds the counts of a run.
func (w *writer) count(sum uint64) {
	w.block.Upper += int32(sum >> upper & maxRun)
	w.block.Digits += int32(sum >> digits & maxRun)
	w.block.Punct += int32(sum >> puncts & maxRun)
	if sum>>signs&maxRun != 0 {
		w.signs = true
	}
}

// due writes the white space before the next character. A line break replaces a space.
func (w *writer) due() {
	switch {
	case len(w.kept) > 0:
		w.p.Text = append(w.p.Text, w.kept...)
		w.kept = w.kept[:0]
	// No white space before the first character of a block.
	case w.empty():
	case w.lines > 0:
		w.p.Text = append(w.p.Text, '\n')
	case w.space != noGap:
		w.p.Text = append(w.p.Text, ' ')
	}
	w.space, w.lines = noGap, 0
}

// special writes the character at the start of s, which is a reference or not ASCII, and returns its length. It takes
// at least one byte.
func (w *writer) special(s []byte, literal bool) int {
	switch c := s[0]; {
	case c == '&' && literal:
		w.char('&')
		return 1
	case c == '&':
		r, r2, n := charRef(s, false)
		if n == 0 {
			w.char('&')
			return 1
		}
		w.char(r)
		if r2 != 0 {
			w.char(r2)
		}
		return n
	case c < utf8.RuneSelf:
		return 1 // a control character
	}
	r, n := utf8.DecodeRune(s)
	w.char(r)
	return n
}

// char writes one character and counts it like run.
func (w *writer) char(r rune) {
	// These are invisible, and would divide words.
	if r == '\u00AD' || r == '\uFEFF' || r < ' ' && !isSpace(byte(r)) {
		return // a soft hyphen, a byte order mark
	}
	// White space beyond ASCII, with the no-break space, collapses with the rest.
	if unicode.IsSpace(r) {
		w.space, w.word = aSpace, false
		return
	}
	if w.space == endOfLine && wide(w.last) && wide(r) {
		w.space = noGap
	}
	w.due()
	w.p.Text = utf8.AppendRune(w.p.Text, r)
	w.last = r
	w.block.Chars++
	// A character from a reference, such as &amp; or &#65;.
	if r < utf8.RuneSelf {
		k := classes[r]
		w.count(k)
		if k&letterByte != 0 && !w.word {
			w.word = true
			w.block.Words++
		}
		return
	}
	// Scripts without spaces count parts of words.
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
	// CJK punctuation, full-width forms, Arabic and Devanagari signs, the ellipsis.
	case r >= 0x3000 && r < 0x3040 || r >= 0xFF01 && r < 0xFF10 || r == '؟' || r == '،' || r == '।' || r == '…':
		w.block.Punct++
	// Typographic signs, arrows, symbols: neither punctuation of sentences nor words.
	case r >= 0x2000 && r < 0x2C00 || r >= 0xA0 && r < 0xC0:
	case !w.word:
		w.word = true
		w.block.Words++
	}
}

// density is how many twelfths of a word a character counts in scripts without spaces between words, or 0 in others.
// Four characters of Thai make a word, two of Chinese.
func density(r rune) int {
	switch {
	case r < 0x0E00:
		return 0
	// r < 0x10A0 covers Thai to Myanmar; Georgian, after it, has spaces.
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

// flush ends the block. Without text it only resets the state.
func (w *writer) flush() {
	if !w.empty() {
		w.block.End = int32(len(w.p.Text))
		// InCode comes from the first text, as <code> is inline and not the block's own element.
		w.block.Flags = w.p.Nodes[w.block.Node].Flags | w.p.Nodes[w.block.First].Flags&InCode
		w.block.EndsPunct = endsSentence(w.last)
		w.block.Hash = hashText(w.p.Text[w.block.Start:])
		w.p.Blocks = append(w.p.Blocks, w.block)
		w.p.Text = append(w.p.Text, '\n')
	}
	w.block = Block{Start: int32(len(w.p.Text)), Node: -1}
	w.kept = w.kept[:0]
	w.space, w.lines, w.word, w.dense, w.last, w.point = noGap, 0, false, 0, 0, 0
}

// endsSentence reports whether a sentence may end with r. Closing quotes and brackets count, since a full stop may
// precede them.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ':', '"', '”', '。', '！', '？', '؟', '।', '…', '»', ')':
		return true
	}
	return false
}
