package query

import (
	"iter"
	"maps"
	"slices"
)

// Columns returns the top-level columns that Match reads for e, sorted. The list may be empty. It is never nil, since
// elsewhere nil means all columns.
func Columns(e Expr) []string {
	set := map[string]bool{}
	addColumns(e, set)
	list := slices.AppendSeq([]string{}, maps.Keys(set))
	slices.Sort(list)
	return list
}

// Paths returns the fields that e compares, with the keys of maps, in the order of e.
func Paths(e Expr) (list []string) {
	if c, ok := e.(*Compare); ok {
		return []string{c.Field}
	}
	for _, x := range operands(e) {
		list = append(list, Paths(x)...)
	}
	return list
}

// Tested returns the fields that e tests, under their full names and with the keys of maps, sorted. Words are searched
// in title and text, and their other forms by the language.
func Tested(e Expr) []string {
	set := map[string]bool{}
	addTested(e, set)
	return slices.Sorted(maps.Keys(set))
}

func addTested(e Expr, set map[string]bool) {
	switch e := e.(type) {
	case *Compare:
		if f, key, err := Lookup(e.Field); err == nil && key != "" {
			set[f.Name+"."+key] = true
		} else if err == nil {
			set[f.Name] = true
		}
	case *Text:
		set["title"], set["text"] = true, true
		if e.Stems() {
			set["language"] = true
		}
	default:
		for _, x := range operands(e) {
			addTested(x, set)
		}
	}
}

func addColumns(e Expr, set map[string]bool) {
	switch e := e.(type) {
	case *Compare:
		// An unknown field reads nothing, since Compile rejects everything for it.
		if f, _, err := Lookup(e.Field); err == nil {
			addColumn(set, f)
		}
	case *Text:
		set["title"], set["text"] = true, true
		if e.Stems() {
			set["language"] = true
		}
	case *Share:
		set["surt"] = true
	default:
		for _, x := range operands(e) {
			addColumns(x, set)
		}
	}
}

// addColumn adds the columns of a field; custom columns may be in several.
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

// Split divides e into a part for a back end and a rest to test on rows. A document that e accepts is one that both
// accept. Split calls can for each expression. A compound one can be pushed if all its operands can as well. The parts
// of a conjunction are divided separately; any other expression is pushed as a whole. Either half may be nil. It would
// be wrong to split further: for "a OR b" neither part alone excludes a document.
func Split(e Expr, can func(Expr) bool) (pushed, rest Expr) {
	var yes, no []Expr
	for _, x := range Conjuncts(e) {
		if canAll(x, can) {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
	}
	// A half without parts is nil, which accepts everything.
	return conjunction(yes), conjunction(no)
}

// Conjuncts returns the parts of e, all of which must hold; it returns none for nil. No part is equivalent to an *And:
// the parts of "NOT (a OR b)" are "NOT a" and "NOT b" (De Morgan). The parts of "NOT NOT (a AND b)" are a and b. Back
// ends use it for the results of Split, so that both see the same parts.
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

// A back end may support Or, but not its operands, so both are checked.
func canAll(e Expr, can func(Expr) bool) bool {
	for _, x := range operands(e) {
		if !canAll(x, can) {
			return false
		}
	}
	return can(e)
}

// Leaves returns the comparisons and other tests of e, without AND, OR and NOT, in the order of e.
func Leaves(e Expr) (list []Expr) {
	inner := operands(e)
	if inner == nil && e != nil {
		return []Expr{e}
	}
	for _, x := range inner {
		list = append(list, Leaves(x)...)
	}
	return list
}

// Texts yields the texts that e compares with a field by = or !=, without those with stars, in the order of e.
func Texts(e Expr, field string) iter.Seq[string] {
	return func(yield func(string) bool) { eachText(e, field, yield) }
}

// eachText reports whether yield wants more.
func eachText(e Expr, field string, yield func(string) bool) bool {
	if c, is := e.(*Compare); is {
		v := &c.Value
		whole := c.Field == field && (c.Op == Equal || c.Op == NotEqual) && !v.Any && !v.Before && !v.After
		return !whole || yield(v.Text)
	}
	for _, x := range operands(e) {
		if !eachText(x, field, yield) {
			return false
		}
	}
	return true
}
