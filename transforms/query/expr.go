package query

import "strings"

// Expr is a filter: *And, *Or, *Not, *Compare, *Text or *Share. A nil Expr takes everything. Expressions are not
// changed once they are made, so goroutines may share them.
type Expr interface {
	// String gives the filter back in its grammar, so that Parse makes an equal one of it.
	String() string
	sealed()
}

// And takes what all of its list take; an empty list takes everything.
type And struct{ List []Expr }

// Or takes what any of its list takes; an empty list takes nothing, and has no form in the grammar.
type Or struct{ List []Expr }

// Not takes what X does not take. X is not nil.
type Not struct{ X Expr }

// Compare tests a field of a document. Make it with NewCompare, which checks the types.
//
// A field of lists is tested value by value, and one that fits is enough. NotEqual is always the contrary of Equal: a
// document without the field is not equal to anything, and no value of a list may fit.
type Compare struct {
	Field string // path of JSON names, "entities.text"; after a map's name its key, "custom.price"
	Op    Op
	Value Value
}

// Text asks for documents whose text and title have the words of Query. Make it with NewText.
type Text struct {
	Query string // as it was written
	// Terms are those of package tokenize, each once, in the order of Query. One that ends in a star stands for all terms
	// that begin so: the star is written after a word, and goes with a single letter of a script that is kept in pairs.
	Terms []string
	// Phrase asks for the terms side by side and in order, all in the title or all in the text. Otherwise they stand
	// anywhere in the two.
	Phrase bool
}

func (*And) sealed()     {}
func (*Or) sealed()      {}
func (*Not) sealed()     {}
func (*Compare) sealed() {}
func (*Text) sealed()    {}

// Op is the operator of a comparison.
type Op uint8

// The operators. Has looks into a value: a text has what stands anywhere in it, whatever its case.
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
	// Two negations are written without parentheses, as they were most likely typed.
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

// join writes a list so that each of its members is read back as one.
func join(list []Expr, between string) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = operand(e)
	}
	return strings.Join(texts, between)
}

// operand writes an expression in parentheses where it is not a single test.
// OR binds tighter than AND in this grammar, unlike in most: parentheses leave no doubt for people either.
func operand(e Expr) string {
	switch e.(type) {
	case *Compare, *Text, *Not, *Share:
		return e.String()
	}
	return "(" + e.String() + ")"
}

// pathText writes a field's path: a map's key may be any text, and is quoted where it is not a plain word.
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
