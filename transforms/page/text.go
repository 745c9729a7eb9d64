package page

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
	unsure   bool // a gap before the cents cancels the point
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

// omits reports whether text node n is left out: browsers show nothing for it, or something else. Hidden text stays,
// apart from keys. Cheap tests come first, since calls for each text would cost more.
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

func (w *writer) empty() bool { return int(w.block.Start) == len(w.p.Text) }

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
