package object

import "bytes"

// parser makes objects from tokens. Field depth counts nesting. Field left is the budget of the whole file, shared by
// all its parsers.
type parser struct {
	Scanner
	maxDepth int
	depth    int
	left     *int // objects that may still be made
}

// object returns the next object. The result is false at a keyword, a closing bracket or the end.
func (p *parser) object() (Object, bool) {
	t := p.Next()
	return p.from(t)
}

// from returns the object that begins with t. Every object counts, elements too, so memory is bounded by their number.
func (p *parser) from(t Token) (Object, bool) {
	if *p.left--; *p.left < 0 {
		// At the end of the budget the parser moves to the end of its data, so all its loops end.
		p.pos = len(p.data)
		return nil, false
	}
	switch t.Kind {
	case Integer:
		return p.reference(int(t.Num)), true
	case Real:
		return t.Num, true
	case Text:
		return String(t.Bytes), true
	case NameToken:
		return Name(t.Bytes), true
	case ArrayOpen:
		return p.array(), true
	case DictOpen:
		return p.dict(), true
	case Keyword:
		switch string(t.Bytes) {
		case "true":
			return true, true
		case "false":
			return false, true
		case "null":
			return nil, true
		}
	}
	return nil, false
}

// reference returns n, or the reference that begins with it. "12 0 R" begins like two numbers. Only the keyword tells,
// so the parser looks ahead and goes back.
func (p *parser) reference(n int) Object {
	back := p.pos
	if gen, ok := p.integer(); ok && n >= 0 {
		if t := p.Next(); t.Kind == Keyword && len(t.Bytes) == 1 && t.Bytes[0] == 'R' {
			return Ref{n, gen}
		}
	}
	p.pos = back
	return n
}

// integer returns the next token if it is a small non-negative integer. All object numbers, generations, offsets and
// lengths are.
func (p *parser) integer() (int, bool) {
	// Signs are refused: "-1" is not an object number.
	p.skip()
	if p.pos >= len(p.data) || p.data[p.pos] < '0' || p.data[p.pos] > '9' {
		return 0, false
	}
	t := p.word()
	return int(t.Num), t.Kind == Integer && t.Num < 1<<31
}

// enter counts a level of nesting. At the bound the parser skips the rest of its data.
func (p *parser) enter() bool {
	if p.depth >= p.maxDepth {
		p.pos = len(p.data)
		return false
	}
	p.depth++
	return true
}

// array reads the rest of an array after its opening bracket. A successful result is never nil, since nil means
// "missing".
func (p *parser) array() Array {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	a := Array{}
	for {
		back := p.pos
		t := p.Next()
		if t.Kind == EOF || t.Kind == ArrayClose {
			return a
		}
		// A keyword that ends objects means that the bracket was forgotten; other keywords are skipped.
		o, ok := p.from(t)
		if !ok && (t.Kind == DictClose || ends(t)) {
			p.pos = back // the array was not closed
			return a
		}
		if ok {
			a = append(a, o)
		}
	}
}

// dict reads the rest of a dictionary after "<<". The later of two values of a key counts.
func (p *parser) dict() Dict {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	d := Dict{}
	for {
		back := p.pos
		t := p.Next()
		switch {
		case t.Kind == EOF || t.Kind == DictClose:
			return d
		case ends(t):
			p.pos = back // the dictionary was not closed
			return d
		// Keys are names. Any other token is a value whose key was lost or damaged.
		case t.Kind != NameToken:
			continue // a value without its key
		}
		key := Name(t.Bytes)
		back = p.pos
		if v, ok := p.object(); ok {
			d[key] = v
			// There is no value. The loop reads a closing bracket or keyword again; any other token is dropped.
		} else {
			p.pos = back
			if t := p.Next(); t.Kind == DictClose || ends(t) {
				p.pos = back
			}
		}
	}
}

// ends reports whether t is a keyword that comes after an object. With this check, damage ends with its object.
func ends(t Token) bool {
	if t.Kind != Keyword {
		return false
	}
	switch string(t.Bytes) {
	case "endobj", "stream", "endstream", "obj", "xref", "trailer", "startxref":
		return true
	}
	return false
}

// indirect reads the indirect object at off: "12 0 obj". Result ok is false if there is none; an unreadable object is
// nil.
func (f *File) indirect(off int) (Ref, Object, bool) {
	if off < 0 || off >= len(f.data) || f.work < 0 {
		return Ref{}, nil, false
	}
	p := f.parser(f.data)
	p.pos = off
	// Each unclosed object runs to the end of the file, so the work of all is bounded together.
	defer func() { f.work -= p.pos - off }()
	num, ok1 := p.integer()
	gen, ok2 := p.integer()
	if !ok1 || !ok2 || !p.keyword("obj") {
		return Ref{}, nil, false
	}
	ref := Ref{num, gen}
	o, ok := p.object()
	// Streams are always indirect objects, and their dictionary is direct.
	if d, isDict := o.(Dict); ok && isDict && p.keyword("stream") {
		return ref, &Stream{Dict: d, raw: f.streamBytes(p.pos, d), ref: ref}, true
	}
	return ref, o, true
}

func (f *File) parser(data []byte) *parser {
	return &parser{Scanner: Scanner{data: data}, maxDepth: f.limits.MaxDepth, left: &f.left}
}

// keyword skips the keyword w if it is next. It requires no delimiter afterwards, since writers leave it out, as in
// "obj12".
func (p *parser) keyword(w string) bool {
	p.skip()
	if !bytes.HasPrefix(p.data[p.pos:], []byte(w)) {
		return false
	}
	p.pos += len(w)
	return true
}

// streamBytes returns the bytes of a stream whose keyword ends at pos. The stated length counts if endstream comes
// after it. Otherwise the stream ends at the next endstream, or endobj, or the end of the file.
func (f *File) streamBytes(pos int, d Dict) []byte {
	// After the keyword comes CR LF or LF (section 7.3.8.1). A CR alone is wrong but occurs.
	if pos < len(f.data) && f.data[pos] == '\r' {
		pos++
	}
	if pos < len(f.data) && f.data[pos] == '\n' {
		pos++
	}
	n, stated := d["Length"].(int)
	// Length is often a reference, as writers know it only at the end. It may refer to this very stream.
	if ref, ok := d["Length"].(Ref); ok {
		n, stated = f.lengthOf(ref)
	}
	// With a wrong length, later objects would become data of the stream. So it is checked against the next keyword.
	if stated && n >= 0 && n <= len(f.data)-pos && f.endsAt(pos+n) {
		return f.data[pos : pos+n]
	}
	end := f.streamEnd(pos)
	return f.data[pos:end]
}

// endsAt reports whether endstream or endobj comes at pos, after at most four bytes of white space. Writers disagree
// on whether a line end belongs to the data.
func (f *File) endsAt(pos int) bool {
	for range 4 {
		if pos < len(f.data) && class[f.data[pos]] == 1 {
			pos++
		}
	}
	return bytes.HasPrefix(f.data[pos:], []byte("endstream")) || bytes.HasPrefix(f.data[pos:], []byte("endobj"))
}

// lengthOf returns the integer that ref refers to, without repairing the file or reading streams. It is called while
// an object is being read. So it must not load others, which could need this one or start a repair.
func (f *File) lengthOf(ref Ref) (int, bool) {
	e, ok := f.xref[ref.Num]
	if !ok || e.in != 0 {
		return 0, false
	}
	p := f.parser(f.data)
	if p.pos = e.at; p.pos < 0 || p.pos >= len(f.data) {
		return 0, false
	}
	num, ok := p.integer()
	if _, ok2 := p.integer(); !ok || !ok2 || num != ref.Num || !p.keyword("obj") {
		return 0, false
	}
	return p.integer()
}
