package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a filter may have. It is parsed once and held in memory, and a document is tested with all of it.
const (
	MaxFilter = 64 << 10 // bytes
	maxDepth  = 100      // expressions inside each other: matching recurses
	maxNested = 400      // parentheses and negations: parsing recurses, and String puts some where none were
	maxTests  = 1000     // comparisons and searches
)

// Parse reads a filter, see the package comment. An empty one is nil, which takes everything. Errors are *SyntaxError.
func Parse(filter string) (Expr, error) {
	p := &parser{src: filter}
	if len(filter) > MaxFilter {
		return nil, p.fail(0, "the filter has %d bytes, more than %d", len(filter), MaxFilter)
	}
	// Offsets in messages are counted in characters, which only UTF-8 has.
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
	// Only a parenthesis that nothing opened can be left here.
	if p.pos < len(p.src) {
		return nil, p.unexpected()
	}
	// The depth is that of the expression and not of what was typed: parentheses that change nothing cost nothing
	// later.
	if depth(e) > maxDepth {
		return nil, p.fail(0, "more than %d tests inside each other", maxDepth)
	}
	return e, nil
}

// depth is how many expressions stand inside each other.
func depth(e Expr) (deepest int) {
	for _, x := range operands(e) {
		deepest = max(deepest, depth(x))
	}
	return deepest + 1
}

// operands are the expressions right inside e.
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
	pos   int // bytes
	depth int
	tests int
}

// simple reads what is between the operators: a test of a filter, or a value of a list of values.
type simple func() (Expr, error)

// expression reads sequences with AND between them. A sequence is factors side by side, which means AND as well, so
// both come out as one list.
func (p *parser) expression(read simple) (Expr, error) {
	var list []Expr
	for {
		e, err := p.factor(read)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		// Whether there was any decides below if two tests may follow each other.
		space := p.skip()
		switch {
		case p.word("AND"):
			if !p.skip() && p.peek() != '(' {
				return nil, p.fail(p.pos, "expected a space and a test behind AND")
			}
		case p.pos == len(p.src) || p.peek() == ')':
			return conjunction(list), nil
		// Two tests need something between them: white space or a parenthesis.
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
			// expression has to see the white space to know that another factor follows.
			p.pos = end // white space matters between factors
			return disjunction(list), nil
		}
		p.skip()
	}
}

// conjunction is what all of a list take. Conjunctions in the list are taken apart, so that one test is one member.
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

// disjunction is likewise what any of a list takes; the list is not empty.
func disjunction(list []Expr) Expr {
	// One member stands for itself: the depth of a filter is that of its real tests.
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

// word passes over a keyword.
// It counts only when it stands alone: ORANGE is a word to search for.
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
	if p.depth++; p.depth > maxNested {
		// The bound is here, since all recursion of the parser comes through term.
		return nil, p.fail(p.pos, "more than %d parentheses and negations inside each other", maxNested)
	}
	defer func() { p.depth-- }()
	switch {
	case p.peek() == '(':
		return p.composite(read)
	case p.word("NOT"):
		p.skip()
		x, err := p.term(read)
		return &Not{x}, err
	case p.peek() == '-' && p.negates():
		p.pos++
		x, err := p.term(read)
		return &Not{x}, err
	}
	if p.tests++; p.tests > maxTests {
		return nil, p.fail(p.pos, "more than %d tests", maxTests)
	}
	return read()
}

// negates reports whether the hyphen here is before something.
// A hyphen by itself is not a negation: it is a word without letters, and gets the message for these.
func (p *parser) negates() bool {
	next := firstRune(p.src[p.pos+1:])
	return p.pos+1 < len(p.src) && next != ')' && !unicode.IsSpace(next)
}

func (p *parser) composite(read simple) (Expr, error) {
	// Where it opened: that is what the message shows when it is not closed.
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
	// Whether it is a field or a text to search for is known only from what follows.
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
	// Read again as a search: a dot or a quotation mark has another meaning there than in a path.
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

// compared reads what a field is compared with: a value, or several in parentheses.
func (p *parser) compared(start int, path string, at int, op Op) (Expr, error) {
	// Checked before the value is read, so that a wrong name is what the message is about.
	if _, _, err := Lookup(path); err != nil {
		if path == "" {
			return nil, p.fail(start, "expected a field before %s", op)
		}
		return nil, p.fail(start, "%s; a text to search for stands in quotation marks", err)
	}
	p.skip()
	// field = (a OR b) is each value with the same field and operator.
	read := func() (Expr, error) { return p.value(path, at, op) }
	if p.peek() == '(' {
		return p.composite(read)
	}
	return read()
}

// value reads a value that a field is compared with.
func (p *parser) value(path string, at int, op Op) (Expr, error) {
	start := p.pos
	raw, isQuoted, err := p.argument()
	if err != nil {
		return nil, err
	}
	var e Expr
	// What is asked of the text itself is a search for words, by the index: Has with any other field looks for the
	// letters.
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

// argument reads a value as it is written.
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

// unexpected is the error of what cannot stand where the parser is.
func (p *parser) unexpected() error {
	if p.pos == len(p.src) {
		return p.fail(p.pos, "expected a test: a comparison such as language = fr, or a word to search for")
	}
	if p.peek() == ')' {
		return p.fail(p.pos, "unexpected ): expected a test, or no parenthesis is open")
	}
	return p.fail(p.pos, "unexpected %q: expected AND, OR or a space between tests", firstRune(p.src[p.pos:]))
}
