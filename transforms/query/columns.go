package query

import (
	"iter"
	"maps"
	"slices"
)

// Columns are the top-level columns that Match reads for e, sorted. The list may be empty and is never nil, which
// stands for all columns elsewhere.
func Columns(e Expr) []string {
	set := map[string]bool{}
	addColumns(e, set)
	list := slices.AppendSeq([]string{}, maps.Keys(set))
	slices.Sort(list)
	return list
}

// Paths are the fields that e compares, with the keys of maps, in the order of e.
func Paths(e Expr) (list []string) {
	if c, ok := e.(*Compare); ok {
		return []string{c.Field}
	}
	for _, x := range operands(e) {
		list = append(list, Paths(x)...)
	}
	return list
}

func addColumns(e Expr, set map[string]bool) {
	switch e := e.(type) {
	case *Compare:
		// A field that is not known reads nothing: Compile takes nothing by it.
		if f, _, err := Lookup(e.Field); err == nil {
			addColumn(set, f)
		}
	case *Text:
		set["title"], set["text"] = true, true
	case *Share:
		set["surt"] = true
	default:
		for _, x := range operands(e) {
			addColumns(x, set)
		}
	}
}

// addColumn adds the columns that values of a field are in: those of custom columns may be in several.
func addColumn(set map[string]bool, f Field) {
	set[f.Column()] = true
	switch {
	case f.Name == customText:
		for _, column := range customColumns {
			set[column] = true
		}
	case IsCustom(f.Name):
		set[customText] = true
	}
}

// Split divides e into what a back end can do and what is left to test on rows: e takes what both take. can is asked of
// each expression; one with others inside can be pushed when all of these can as well. Of a conjunction each part goes
// its own way; everything else goes as a whole. Either half may be nil.
// Splitting deeper than a conjunction would be wrong: of "a OR b" neither part alone leaves out a document.
func Split(e Expr, can func(Expr) bool) (pushed, rest Expr) {
	var yes, no []Expr
	for _, x := range Conjuncts(e) {
		if canAll(x, can) {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
	}
	// Each half is nil when it has no part, which takes everything.
	return conjunction(yes), conjunction(no)
}

// Conjuncts are the parts that all must take what e takes; none for nil. None of them is an *And, nor does it stand for
// one: the parts of "NOT (a OR b)" are "NOT a" and "NOT b" (De Morgan), and those of "NOT NOT (a AND b)" a and b.
// Back ends that look at the parts of what Split has divided take them from here, so that both see the same parts.
func Conjuncts(e Expr) []Expr { return conjuncts(e, nil) }

func conjuncts(e Expr, list []Expr) []Expr {
	switch e := e.(type) {
	case nil:
		return list
	case *And:
		for _, x := range e.List {
			list = conjuncts(x, list)
		}
		return list
	case *Not:
		switch x := e.X.(type) {
		case *Or:
			for _, y := range x.List {
				list = conjuncts(&Not{y}, list)
			}
			return list
		case *Not:
			return conjuncts(x.X, list)
		}
	}
	return append(list, e)
}

// A back end that can do an Or need not be able to do what is in it, so both are asked.
func canAll(e Expr, can func(Expr) bool) bool {
	for _, x := range operands(e) {
		if !canAll(x, can) {
			return false
		}
	}
	return can(e)
}

// Texts yields the texts that e compares a field with by = or !=, without those with stars, in the order of e.
func Texts(e Expr, field string) iter.Seq[string] {
	return func(yield func(string) bool) { eachText(e, field, yield) }
}

// eachText reports whether yield wants more.
func eachText(e Expr, field string, yield func(string) bool) bool {
	if c, is := e.(*Compare); is {
		v := &c.Value
		whole := c.Field == field && (c.Op == Equal || c.Op == NotEqual) && !v.Any && !v.Before && !v.Behind
		return !whole || yield(v.Text)
	}
	for _, x := range operands(e) {
		if !eachText(x, field, yield) {
			return false
		}
	}
	return true
}
