package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a filter. It is parsed once and kept in memory, and each document is tested with all of it.
const (
	MaxFilter = 64 << 10 // bytes
	maxDepth  = 100      // expressions inside each other: matching recurses
	maxNested = 400      // parentheses and negations: parsing recurses, and String adds some
	maxTests  = 1000     // comparisons and searches
)

// bounds are the bounds of one filter.
type bounds struct{ bytes, depth, nested, tests int }

// Parse parses a filter, see the package comment. An empty one is nil, which accepts everything. Errors are
// *SyntaxError.
func Parse(filter string) (Expr, error) {
	return parse(filter, bounds{MaxFilter, maxDepth, maxNested, maxTests})
}

// ParseOwn parses a filter that this program wrote, such as the rules of a file. It allows 256 times as much of
// everything.
func ParseOwn(filter string) (Expr, error) {
	return parse(filter, bounds{256 * MaxFilter, 256 * maxDepth, 256 * maxNested, 256 * maxTests})
}

func parse(filter string, most bounds) (Expr, error) {
	p := &parser{src: filter, most: most}
	if len(filter) > most.bytes {
		return nil, p.fail(0, "the filter has %d bytes, more than %d", len(filter), most.bytes)
	}
	// Offsets in messages count characters, which requires UTF-8.
	if !utf8.ValidString(filter) {
		return nil, p.fail(len(filter)-len(strings.TrimLeftFunc(filter, func(r rune) bool { return r != utf8.RuneError })),
			"this is not UTF-8")
	}
	p.skip()
	if p.pos == len(p.src) {
		return nil, nil
	}
	e, err := p.expression(p.restriction)
	if err != nil {
		return nil, err
	}
	// Only an unopened closing parenthesis can be left here.
	if p.pos < len(p.src) {
		return nil, p.unexpected()
	}
	// This is the depth of the expression instead of the text: parentheses without effect cost nothing later.
	if depth(e) > most.depth {
		return nil, p.fail(0, "more than %d tests inside each other", most.depth)
	}
	return e, nil
}

// depth returns the nesting depth of an expression.
func depth(e Expr) (deepest int) {
	for _, x := range operands(e) {
		deepest = max(deepest, depth(x))
	}
	return deepest + 1
}

// operands returns the direct operands of e.
func operands(e Expr) []Expr {
	switch e := e.(type) {
	case *And:
		return e.List
	case *Or:
		return e.List
	case *Not:
		return []Expr{e.X}
	}
	return nil
}

type parser struct {
	src   string
	most  bounds
	pos   int // bytes
	depth int
	tests int
	// signed means that the values read now are numbers, so that a hyphen before a digit is their sign.
	signed bool
}

// simple reads an element between operators: a test of a filter, or a value of a list of values.
type simple func() (Expr, error)

// expression reads sequences with AND between them. A sequence is adjacent factors, which also means AND, so both
// become one list.
func (p *parser) expression(read simple) (Expr, error) {
	var list []Expr
	for {
		e, err := p.factor(read)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		// The result decides below whether two tests may follow each other.
		space := p.skip()
		switch {
		case p.word("AND"):
			if !p.skip() && p.peek() != '(' {
				return nil, p.fail(p.pos, "expected a space and a test behind AND")
			}
		case p.pos == len(p.src) || p.peek() == ')':
			return conjunction(list), nil
		// Two tests need white space or a parenthesis between them.
		case !space && p.peek() != '(' && p.src[p.pos-1] != ')':
			return nil, p.unexpected()
		}
	}
}

// factor reads terms with OR between them, which binds tighter than AND.
func (p *parser) factor(read simple) (Expr, error) {
	var list []Expr
	for {
		e, err := p.term(read)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		end := p.pos
		p.skip()
		if !p.word("OR") {
			// Method expression needs the white space, to know that another factor follows.
			p.pos = end // white space matters between factors
			return disjunction(list), nil
		}
		p.skip()
	}
}

// conjunction joins a list by AND. Conjunctions in the list are flattened, so that one test is one member.
func conjunction(list []Expr) Expr {
	var all []Expr
	for _, e := range list {
		if a, ok := e.(*And); ok {
			all = append(all, a.List...)
		} else if e != nil {
			all = append(all, e)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &And{all}
}

// disjunction joins a non-empty list by OR in the same way.
func disjunction(list []Expr) Expr {
	// A single member is returned unchanged, so that the depth of a filter counts only real tests.
	if len(list) == 1 {
		return list[0]
	}
	var all []Expr
	for _, e := range list {
		if o, ok := e.(*Or); ok {
			all = append(all, o.List...)
		} else {
			all = append(all, e)
		}
	}
	return &Or{all}
}

// word skips a keyword if it is a separate word: ORANGE is a word to search for.
func (p *parser) word(keyword string) bool {
	rest, ok := strings.CutPrefix(p.src[p.pos:], keyword)
	if next := firstRune(rest); !ok || rest != "" && next != '(' && next != ')' && !unicode.IsSpace(next) {
		return false
	}
	p.pos += len(keyword)
	return true
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// term reads a test, a negated one, or an expression in parentheses.
func (p *parser) term(read simple) (Expr, error) {
	if p.depth++; p.depth > p.most.nested {
		// The bound is here, since all recursion of the parser goes through term.
		return nil, p.fail(p.pos, "more than %d parentheses and negations inside each other", p.most.nested)
	}
	defer func() { p.depth-- }()
	switch {
	case p.peek() == '(':
		return p.composite(read)
	case p.word("NOT"):
		p.skip()
		x, err := p.term(read)
		return &Not{x}, err
	case p.peek() == '-' && p.negates() && !(p.signed && p.isSign()):
		p.pos++
		x, err := p.term(read)
		return &Not{x}, err
	}
	if p.tests++; p.tests > p.most.tests {
		return nil, p.fail(p.pos, "more than %d tests", p.most.tests)
	}
	return read()
}

// negates reports whether there is something after the hyphen. A hyphen alone is not a negation but a word without
// letters, and has the message for these.
func (p *parser) negates() bool {
	next := firstRune(p.src[p.pos+1:])
	return p.pos+1 < len(p.src) && next != ')' && !unicode.IsSpace(next)
}

// isSign reports whether the hyphen begins a number.
func (p *parser) isSign() bool {
	next := p.src[p.pos+1] // after negates, there is something
	return '0' <= next && next <= '9' || next == '.'
}

func (p *parser) composite(read simple) (Expr, error) {
	// The opening position is shown in the message for an unclosed parenthesis.
	open := p.pos
	p.pos++
	p.skip()
	e, err := p.expression(read)
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, p.fail(open, "this parenthesis is not closed")
	}
	p.pos++
	return e, nil
}

// restriction reads a comparison, or a word or phrase to search for.
func (p *parser) restriction() (Expr, error) {
	start := p.pos
	// Only the next token shows whether it is a field or a text to search for.
	path, quotedFirst, err := p.member()
	if err != nil {
		return nil, err
	}
	end := p.pos
	p.skip()
	at := p.pos
	op, ok := p.comparator()
	// An operator makes the text before it a field.
	switch {
	case ok:
		return p.compared(start, path, at, op)
	case p.peek() == '(' && at == end && !quotedFirst:
		return nil, p.fail(start, "there are no functions; a search and a parenthesis have a space between them")
	case p.peek() == '!':
		return nil, p.fail(at, "expected !=")
	}
	// The text is read again as a search, in which dots and quotation marks have another meaning than in a path.
	p.pos = start
	return p.search()
}

// member reads the path of a field, whose parts may be quoted.
func (p *parser) member() (path string, quotedFirst bool, err error) {
	var parts []string
	for {
		part := ""
		if c := p.peek(); c == '"' || c == '\'' {
			if part, err = p.quoted(); err != nil {
				return "", false, err
			}
			part, quotedFirst = unescaped(part), quotedFirst || len(parts) == 0
		} else {
			part = p.bare(bareInFilter)
		}
		parts = append(parts, part)
		if p.peek() != '.' {
			return strings.Join(parts, "."), quotedFirst, nil
		}
		p.pos++
	}
}

// compared reads the operand of a comparison: a value, or several in parentheses.
func (p *parser) compared(start int, path string, at int, op Op) (Expr, error) {
	// The field is checked before the value is read, so that the message is about the wrong name.
	f, key, err := Lookup(path)
	if err != nil {
		if path == "" {
			return nil, p.fail(start, "expected a field before %s", op)
		}
		if strings.HasPrefix(p.src[p.pos:], "//") && op == Has {
			return nil, p.fail(start, "a URL needs a field and quotation marks: url = %q", urlIn(p.src[start:]))
		}
		return nil, p.fail(start, "%s; a text to search for stands in quotation marks", err)
	}
	p.skip()
	if p.peek() != '(' {
		return p.value(path, at, op)
	}
	// The types of custom columns are not known here: their values may be numbers.
	p.signed = f.Kind == Integer || f.Kind == Real || key != "" && IsCustom(f.Name)
	defer func() { p.signed = false }()
	// field != (a OR b) is the opposite of field = (a OR b).
	if op == NotEqual {
		e, err := p.composite(func() (Expr, error) { return p.value(path, at, Equal) })
		return &Not{e}, err
	}
	// field = (a OR b) compares each value with the same field and operator.
	return p.composite(func() (Expr, error) { return p.value(path, at, op) })
}

// urlIn returns the URL that a filter continues with, for a message.
func urlIn(rest string) string {
	end := strings.IndexFunc(rest, func(r rune) bool { return r == ')' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(rest)
	}
	return clip(rest[:end])
}

// value reads one value of a comparison.
func (p *parser) value(path string, at int, op Op) (Expr, error) {
	start := p.pos
	raw, isQuoted, err := p.argument()
	if err != nil {
		return nil, err
	}
	var e Expr
	// For the text itself, Has is a search for words with the index. For other fields it searches for letters.
	if op == Has && path == "text" && raw != "*" {
		e, err = newSearch(raw, isQuoted)
	} else {
		e, err = NewCompare(path, op, raw)
	}
	if err != nil {
		return nil, p.fail(start, "%s", err)
	}
	return e, nil
}

// argument reads a value without interpreting it.
func (p *parser) argument() (raw string, isQuoted bool, err error) {
	start := p.pos
	if c := p.peek(); c == '"' || c == '\'' {
		raw, err = p.quoted()
		return raw, true, err
	}
	raw = p.bare(bareInValue)
	switch {
	case raw == "" || keyword(raw) == raw:
		return "", false, p.fail(start, "expected a value; one that is a word of the grammar stands in quotation marks")
	case p.peek() == ',':
		return "", false, p.fail(p.pos, `a comma: several values are written (a OR b), one with a comma in quotation marks`)
	case p.peek() == '"':
		return "", false, p.fail(p.pos, "a quotation mark within a value: put all of the value in quotation marks")
	}
	return raw, false, nil
}

// search reads a word or a quoted phrase to search for.
func (p *parser) search() (Expr, error) {
	start := p.pos
	if c := p.peek(); c == '"' || c == '\'' {
		raw, err := p.quoted()
		if err != nil {
			return nil, err
		}
		return p.searched(start, raw, true)
	}
	word := p.bare(bareInWord)
	if known := keyword(word); known != "" {
		if word != known {
			return nil, p.fail(start, `operators are written in capital letters: %s; %q searches for the word`, known, word)
		}
		return nil, p.fail(start, "expected a test, not %s", known)
	}
	if word == "" {
		return nil, p.unexpected()
	}
	return p.searched(start, word, false)
}

func (p *parser) searched(start int, raw string, isQuoted bool) (Expr, error) {
	e, err := newSearch(raw, isQuoted)
	if err != nil {
		return nil, p.fail(start, "%s", err)
	}
	return e, nil
}

// unexpected returns the error for an unexpected token at the current position.
func (p *parser) unexpected() error {
	if p.pos == len(p.src) {
		return p.fail(p.pos, "expected a test: a comparison such as language = fr, or a word to search for")
	}
	if p.peek() == ')' {
		return p.fail(p.pos, "unexpected ): expected a test, or no parenthesis is open")
	}
	return p.fail(p.pos, "unexpected %q: expected AND, OR or a space between tests", firstRune(p.src[p.pos:]))
}
