package query

import "strings"

// Expr is a filter: *And, *Or, *Not, *Compare, *Text or *Share. A nil Expr accepts everything. Expressions are
// immutable, so goroutines may share them.
type Expr interface {
	// String returns the filter in its grammar; Parse makes an equal one from it.
	String() string
	sealed()
}

// And accepts documents that all of its list accept; an empty list accepts everything.
type And struct{ List []Expr }

// Or accepts documents that any of its list accepts. An empty list accepts nothing, and has no form in the grammar.
type Or struct{ List []Expr }

// Not accepts documents that X does not accept. X is not nil.
type Not struct{ X Expr }

// Compare tests a field of a document. Make it with NewCompare, which checks the types.
//
// In a field with a list, one fitting value is enough. NotEqual is always the negation of Equal: a document without
// the field is not equal to anything, and no value of a list may fit.
type Compare struct {
	Field string // path of JSON names, "entities.text"; after a map's name its key, "custom.price"
	Op    Op
	Value Value
}

// Text accepts documents whose text and title have the words of Query. Make it with NewText.
type Text struct {
	Query string // as written
	// Terms are those of package tokenize, each once, in the order of Query. A star at the end of a term means any
	// continuation. It may be written after a word. A single letter of a script that is stored in pairs always has
	// one.
	Terms []string
	// Exact requires these words: without it, a word of a document's language that has the same stem is enough (package
	// stem). It is implied by Phrase.
	Exact bool
	// Phrase requires the terms in sequence, all in the title or all in the text. Otherwise they may be anywhere in
	// the two.
	Phrase bool
}

func (*And) sealed()     {}
func (*Or) sealed()      {}
func (*Not) sealed()     {}
func (*Compare) sealed() {}
func (*Text) sealed()    {}

// Op is the operator of a comparison.
type Op uint8

// The operators. Has searches in a value: in a text it matches at any position, ignoring case.
const (
	Equal        Op = iota + 1 // =
	NotEqual                   // !=
	Less                       // <
	LessEqual                  // <=
	Greater                    // >
	GreaterEqual               // >=
	Has                        // :
)

var opTexts = [...]string{
	Equal: "=", NotEqual: "!=", Less: "<", LessEqual: "<=", Greater: ">", GreaterEqual: ">=", Has: ":",
}

// String returns the operator as filters have it.
func (o Op) String() string { return opTexts[o] }

func (a *And) String() string { return join(a.List, " AND ") }
func (o *Or) String() string  { return join(o.List, " OR ") }

func (n *Not) String() string {
	// Two negations are written without parentheses, as people type them.
	if inner, ok := n.X.(*Not); ok {
		return "NOT " + inner.String()
	}
	return "NOT " + operand(n.X)
}

func (c *Compare) String() string {
	op := " " + c.Op.String() + " "
	if c.Op == Has {
		op = ":"
	}
	return pathText(c.Field) + op + c.Value.String()
}

// join writes a list so that each of its members is parsed as one.
func join(list []Expr, between string) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = operand(e)
	}
	return strings.Join(texts, between)
}

// operand writes an expression in parentheses unless it is a single test. OR binds tighter than AND in this grammar,
// unlike in most, so parentheses help people too.
func operand(e Expr) string {
	switch e.(type) {
	case *Compare, *Text, *Not, *Share:
		return e.String()
	}
	return "(" + e.String() + ")"
}

// pathText writes the path of a field. A map's key may be any text, and is quoted unless it is a plain word.
func pathText(path string) string {
	f, key, err := Lookup(path)
	if err != nil || key == "" {
		return path
	}
	if isBare(key, bareInFilter) {
		return f.Name + "." + key
	}
	return f.Name + "." + quote(key)
}
