package pdf

import (
	"fmt"
	"math"
	"reflect"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/font"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

const (
	// maxForms bounds the nesting of forms: real files have three or four levels.
	maxForms = 8
	// maxStates bounds saved graphics states, maxMarks the nesting of marked content.
	maxStates = 512
	maxMarks  = 512
	// maxGlyphs bounds the glyphs of a page. Each takes some 300 bytes until its text is written. A dense page has
	// 20,000.
	maxGlyphs = 1 << 18
	// streamCost is the cost of a stream besides its bytes, counted in bytes.
	streamCost = 256
	// baseWork plus workFactor times the file's length bounds the bytes of content executed. Streams are deflated, and
	// some forms are on each page. Shown strings are bounded by that divided by showFactor: a byte of content takes
	// some 15 ns, a shown byte 200.
	baseWork   = 2 << 20
	workFactor = 64
	showFactor = 16
	// maxTextless bounds the forms recorded as having no text.
	maxTextless = 1 << 16
	// maxFonts bounds the fonts of a document, which take 12 kB or more.
	maxFonts = 4096
)

// fillsAndStrokes is a rendering mode (table 104), by which programs make letters bold.
const fillsAndStrokes = 2

// canvas collects the glyphs of a page. Fields width and height are those of the page as shown; glyphs outside it are
// left out. Field buffer holds the glyphs of one string and is used again.
type canvas struct {
	*reader
	width, height float64
	drawn         drawn
	glyphs        []glyph
	buffer        []font.Glyph
	structure     *pageTags // of a tagged page
	tag           uint16    // of the content that is being shown
}

// glyph is a glyph at its place on the page. Lengths are in points of the page as it is shown. The origin is the upper
// left corner and y grows downwards, whatever the page's rotation.
type glyph struct {
	text      string
	x, y      float64 // its origin
	dx, dy    float64 // the advance to the next glyph by its width
	size      float64 // the height of an em
	direction direction
	bold      bool
	tag       uint16  // its content in the structure
	turn      float32 // its angle from that direction, in radians; 0 if small
}

// state is the part of the graphics state that concerns text (tables 51 and 103). Operator q saves and Q restores all
// of it. Field ctm maps user space to the page as shown; the rest is the text state.
type state struct {
	ctm       matrix
	font      *font.Font
	size      float64
	charSpace float64
	wordSpace float64
	scale     float64 // horizontal
	leading   float64
	rise      float64
	mode      int // rendering mode
}

// stream executes one content stream: a page, a form in it, or an annotation's appearance. Field text is the text
// matrix, line the matrix of the line's beginning (section 9.4.1). Operators move them, and BT resets them.
type stream struct {
	*canvas
	state
	saved     []state
	resources object.Dict
	fonts     map[object.Name]*font.Font // of these resources
	text      matrix                     // Tm
	line      matrix                     // Tlm
	path      outline
	marks     []mark
	off       int // number of open marks that hide their content
	depth     int
}

// spend counts bytes of content streams, and reports whether more are allowed. Every stream and annotation counts. So
// work is bounded for the whole document, however its parts refer to each other.
func (r *reader) spend(n int) bool {
	r.content -= int64(n)
	return r.content > 0
}

// run executes a content stream.
func (c *canvas) run(content []byte, resources object.Dict, ctm matrix, depth int) {
	if !c.spend(streamCost) {
		return
	}
	// The rest of the budget is used, and then the document ends.
	content = content[:min(int64(len(content)), c.content)]
	c.spend(len(content))
	s := &stream{
		canvas: c, resources: resources, fonts: map[object.Name]*font.Font{}, depth: depth, text: identity,
		line: identity,
	}
	// Every stream begins with a state of its own and leaves its caller's unchanged.
	s.state = state{ctm: ctm, scale: 1}
	scanner := object.NewScanner(content)
	var args operands
	for {
		t := scanner.Next()
		if t.Kind == object.EOF {
			return
		}
		if t.Kind != object.Keyword {
			args.add(t)
			continue
		}
		op := string(t.Bytes)
		if args.array {
			if op = s.within(op, args.list); op == "" {
				continue
			}
		}
		// After ID comes the data of a picture, which may have any bytes. The entries of its dictionary are operands,
		// and dropped.
		if op == "ID" {
			scanner.SkipInlineImage()
			s.picture(true)
		} else {
			s.operator(op, args.list)
		}
		args.list, args.array = args.list[:0], false
		// Tokens of the operands may be in the scanner's memory, which is reused from here on.
		scanner.Release()
	}
}

// operator executes an operator (annex A). It ignores those for pictures and lines.
func (s *stream) operator(op string, args []object.Token) {
	switch op {
	case "q":
		// Above maxStates, Q restores an outer state. Positions may then be wrong, but the work is bounded.
		if len(s.saved) == maxStates {
			s.doc.Add(doctext.KindLimit, fmt.Sprintf("saved states deeper than %d are left out", maxStates))
			break
		}
		s.saved = append(s.saved, s.state)
	case "Q":
		if n := len(s.saved); n > 0 {
			s.state = s.saved[n-1]
			s.saved = s.saved[:n-1]
		}
	case "cm":
		// The new matrix applies first, the old one after it (section 8.3.4).
		s.ctm = matrixOf(args).then(s.ctm)
	case "Do":
		// Method xobject distinguishes pictures from forms.
		s.xobject(lastName(args))
	case "BMC", "BDC":
		s.begin(args)
	case "EMC":
		s.end()
	// A graphics state dictionary may set the font as well (table 57).
	case "gs":
		d := s.file.Dict(s.resource("ExtGState", lastName(args)))
		if a := s.file.Array(d["Font"]); len(a) == 2 {
			s.font, s.size = s.load(s.file.Dict(a[0])), s.file.Number(a[1], 0)
		}
	default:
		s.textOperator(op, args)
	}
}

// textOperator executes a text operator (section 9.4).
func (s *stream) textOperator(op string, args []object.Token) {
	switch op {
	case "BT":
		s.text, s.line = identity, identity
	case "Tf":
		// Operands count from the end: extra ones before them come from a broken operator.
		s.font, s.size = s.fontNamed(lastName(args)), last(args)
	case "Tc":
		s.charSpace = last(args)
	case "Tw":
		s.wordSpace = last(args)
	case "Tz":
		s.scale = last(args) / 100
	case "TL":
		s.leading = last(args)
	case "Ts":
		s.rise = last(args)
	case "Tr":
		s.mode = int(last(args))
	// Operands are in the order written, so the first of two is one from the end.
	case "Td":
		s.move(number(args, 1), number(args, 0))
	case "TD":
		s.leading = -number(args, 0)
		s.move(number(args, 1), number(args, 0))
	// Tm replaces both matrices; it does not multiply them.
	case "Tm":
		s.line = matrixOf(args)
		s.text = s.line
	case "T*":
		s.move(0, -s.leading)
	case "Tj":
		s.showLast(args)
	case "'":
		s.move(0, -s.leading)
		s.showLast(args)
	// Word spacing, character spacing, string.
	case `"`:
		s.wordSpace, s.charSpace = number(args, 2), number(args, 1)
		s.move(0, -s.leading)
		s.showLast(args)
	case "TJ":
		s.showArray(args)
	default:
		s.pathOperator(op, args)
	}
}

// move goes to the next line.
func (s *stream) move(x, y float64) {
	s.line = matrix{1, 0, 0, 1, x, y}.then(s.line)
	s.text = s.line
}

// showLast shows the last operand. If it is a number, the file is wrong, and nothing is shown. An array is one for TJ.
func (s *stream) showLast(args []object.Token) {
	n := len(args)
	switch {
	case n == 0:
	case args[n-1].Kind == object.Text:
		s.show(args[n-1].Bytes)
	case args[n-1].Kind == object.ArrayClose:
		s.showArray(args)
	}
}

// showArray shows strings and moves by the numbers between them, in thousandths of an em. A positive number moves
// back: it is subtracted (section 9.4.3).
func (s *stream) showArray(args []object.Token) {
	for _, t := range args {
		switch t.Kind {
		case object.Text:
			s.show(t.Bytes)
		case object.Integer, object.Real:
			s.advance(-t.Num / 1000 * s.size)
		}
	}
}

// advance moves along the line, by unscaled text space units. In vertical writing lines run against the axis, so the
// sign is the opposite of horizontal writing (section 9.4.4). Horizontal scaling does not apply there (section 9.3.4).
func (s *stream) advance(by float64) {
	if s.font != nil && s.font.Vertical {
		s.text[4], s.text[5] = s.text[4]+by*s.text[2], s.text[5]+by*s.text[3]
		return
	}
	by *= s.scale
	s.text[4], s.text[5] = s.text[4]+by*s.text[0], s.text[5]+by*s.text[1]
}

// show shows a string. Each glyph advances by its width in the font's size and by the character spacing. The
// single-byte code 32 also advances by the word spacing.
func (s *stream) show(b []byte) {
	// Text without a font is an error. A guessed font shows it, as in viewers.
	if s.font == nil {
		s.font = s.load(nil)
	}
	// Invisible strings count too: form uses the count to find forms that show no text at all.
	s.placed++
	// Strings have a budget of their own, since a shown byte costs more than ten times a read one.
	if len(b) > s.toShow {
		b, s.content = b[:s.toShow], 0
	}
	s.toShow -= len(b)
	s.buffer = s.font.Append(s.buffer[:0], b)
	for _, g := range s.buffer {
		by := g.Width*s.size + s.charSpace
		if s.font.Vertical {
			by = s.charSpace - g.Width*s.size
		}
		if g.Space {
			by += s.wordSpace
		}
		s.place(g)
		s.advance(by)
	}
}

// place notes a glyph at the current position. The matrix is that of section 9.4.4: size, scale and rise, then the
// text matrix, then the page's.
func (s *stream) place(g font.Glyph) {
	m := matrix{s.size * s.scale, 0, 0, s.size, 0, s.rise}.then(s.text).then(s.ctm)
	// The height of an em is the length of the matrix's second row, in points. This holds for turned text too.
	p := glyph{text: g.Text, x: m[4], y: m[5], size: math.Hypot(m[2], m[3]) * s.font.Em}
	p.bold, p.tag = s.font.Bold || s.mode == fillsAndStrokes, s.tag
	// Vertical text moves down by its width, against the row's own direction.
	wide := g.Width + s.setApart(g)
	if s.font.Vertical {
		p.dx, p.dy = -m[2]*wide, -m[3]*wide
		p.direction = vertical
	} else {
		p.dx, p.dy = m[0]*wide, m[1]*wide
		p.direction, p.turn = directionOf(m[0], m[1])
	}
	// Hidden optional content and glyphs off the page are not counted as shown. So they cannot make a document count
	// as one with unknown glyphs.
	if s.off > 0 || !s.visible(p) {
		return
	}
	if s.shown++; g.Text == "" {
		s.unknown++
	}
	// This is after the count, since ActualText may give text to an unknown glyph.
	known := s.substitute(&p) || p.text != ""
	s.count(&p, known)
	s.add(p)
}

// setApart returns how far the glyph reaches over the character spacing after it, in ems. In scripts without spaces
// between words, the spacing is part of the characters.
func (s *stream) setApart(g font.Glyph) float64 {
	apart := s.charSpace / s.size
	if s.font.Vertical {
		apart = -apart
	}
	if r, _ := utf8.DecodeRuneInString(g.Text); apart > 0 && apart < widestTracking && unicode.In(r, unspaced...) {
		return apart
	}
	return 0
}

// add adds a glyph if it has text and is on the page. doctext's Add notes the bound once for the document.
func (c *canvas) add(g glyph) {
	switch {
	case g.text == "":
	case len(c.glyphs) >= maxGlyphs:
		c.doc.Add(doctext.KindLimit, fmt.Sprintf("glyphs of a page after %d are left out", maxGlyphs))
	case c.visible(g):
		c.glyphs = append(c.glyphs, g)
	}
}

// visible reports whether a glyph is on the page. Degenerate matrices give a size of zero, or positions that are NaN.
// The comparisons below alone would let NaN pass.
func (c *canvas) visible(p glyph) bool {
	const margin = 0.5 // of an em, for boxes that are cut closely
	out := margin * p.size
	return p.size > 0 && !math.IsNaN(p.x+p.y+p.dx+p.dy) && !math.IsInf(p.size, 0) &&
		p.x >= -out && p.y >= -out && p.x <= c.width+out && p.y <= c.height+out
}

// resource returns an entry of the resources. Only forms without resources inherit them.
func (s *stream) resource(kind, name object.Name) object.Object {
	return s.file.Dict(s.resources[kind])[name]
}

// fontNamed returns a font of the resources.
func (s *stream) fontNamed(name object.Name) *font.Font {
	f, ok := s.fonts[name]
	if !ok {
		f = s.load(s.file.Dict(s.resource("Font", name)))
		s.fonts[name] = f
	}
	return f
}

// load returns the font with dictionary d. Fonts are cached for the document by the address of their dictionary. So
// the same font under other names, or on other pages, is loaded once. The cache holds the dictionary, so that its
// address is not used again.
func (r *reader) load(d object.Dict) *font.Font {
	if d == nil {
		d = noFont
	}
	key := reflect.ValueOf(d).Pointer()
	f, ok := r.fonts[key]
	switch {
	case ok:
		return f.font
	// All fonts above the bound share one, with guessed widths and texts.
	case len(r.fonts) >= maxFonts:
		return r.load(noFont)
	}
	// The font is loaded before it is added, so a font never finds itself unfinished.
	r.fonts[key] = loadedFont{d, font.Load(r.file, d)}
	return r.fonts[key].font
}

// noFont replaces a missing font.
var noFont = object.Dict{"Subtype": object.Name("TrueType")}

// xobject shows a form (section 8.10).
func (s *stream) xobject(name object.Name) {
	o := s.file.Stream(s.resource("XObject", name))
	// Forms within hidden content are not executed.
	if o == nil || s.off > 0 {
		return
	}
	if s.isHidden(o.Dict["OC"]) {
		return
	}
	if s.file.Name(o.Dict["Subtype"]) == "Image" {
		s.picture(s.isOpaque(o.Dict))
		return
	}
	s.form(o, s.resources, s.ctm, s.depth+1)
}

// form shows a form, unless it is known to have no text at this depth. Drawings are on each page, and forms may show
// many further forms.
func (c *canvas) form(o *object.Stream, resources object.Dict, ctm matrix, depth int) {
	if depth > maxForms {
		c.doc.Add(doctext.KindLimit, fmt.Sprintf("forms in more than %d others are left out", maxForms))
		return
	}
	// A form without resources uses those of its caller (an obsolete practice of PDF 1.1, section 7.8.3).
	if own := c.file.Dict(o.Dict["Resources"]); own != nil {
		resources = own
	}
	key := shape{o, reflect.ValueOf(resources).Pointer()}
	if from, known := c.textless[key]; known && depth >= from {
		return
	}
	before := c.placed
	c.run(c.file.DecodeOften(o), resources, c.formMatrix(o.Dict).then(ctm), depth)
	// This requires that the work was not cut short, or the form may have text that was not reached.
	if c.placed == before && c.content > 0 && len(c.textless) < maxTextless {
		c.textless[key] = depth // deeper down it shows even less, since fewer forms are nested in it
	}
}

// shape is a form with the resources that it uses. The form is held, so that its address is not used again.
type shape struct {
	form      *object.Stream
	resources uintptr
}

// formMatrix returns the matrix of a form. It ignores a matrix of another length, which is damaged.
func (c *canvas) formMatrix(d object.Dict) matrix {
	a := c.file.Array(d["Matrix"])
	if len(a) != 6 {
		return identity
	}
	var m matrix
	for i := range m {
		m[i] = c.file.Number(a[i], 0)
	}
	return m
}
