package filter

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// blocks reports whether the filter's lists refuse some values of its column, and take pages without a value.
func (s Step) blocks() bool {
	return s.Name == rightsName || len(s.Settings.Lists["block"]) > 0 && len(s.Settings.Lists["allow"]) == 0
}

// takesWithout reports whether e can take a page because it lacks a field. An example is NOT title:x.
func takesWithout(e query.Expr, field string) bool {
	_, holds := lacking(e, field, false)
	return holds && possible(e, field, true)
}

// lacking reports whether e tests a field, and whether one of its tests, maybe negated, holds for want of a value.
func lacking(e query.Expr, field string, negated bool) (tests, holds bool) {
	switch e := e.(type) {
	case *query.Not:
		return lacking(e.X, field, !negated)
	case *query.And:
		return anyLacking(e.List, field, negated)
	case *query.Or:
		return anyLacking(e.List, field, negated)
	}
	if !slices.Contains(query.Tested(e), field) {
		return false, false
	}
	return true, query.Compile(e)(&schemas.Document{}) != negated
}

func anyLacking(list []query.Expr, field string, negated bool) (tests, holds bool) {
	for _, x := range list {
		t, h := lacking(x, field, negated)
		tests, holds = tests || t, holds || h
	}
	return tests, holds
}

// possible reports whether e can be true, or false, for a page that lacks the field and has any values of others.
func possible(e query.Expr, field string, truth bool) bool {
	can := func(x query.Expr) bool { return possible(x, field, truth) }
	cannot := func(x query.Expr) bool { return !can(x) }
	switch e := e.(type) {
	case *query.Not:
		return possible(e.X, field, !truth)
	case *query.And:
		if truth {
			return !slices.ContainsFunc(e.List, cannot)
		}
		return slices.ContainsFunc(e.List, can)
	case *query.Or:
		if truth {
			return slices.ContainsFunc(e.List, can)
		}
		return !slices.ContainsFunc(e.List, cannot)
	}
	tests, holds := lacking(e, field, false)
	return !tests || holds == truth
}
