package view

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// where returns the filter of a request: the typed query, and the parameters that narrow it.
func (r *SearchRequest) where() (query.Expr, error) {
	if r.ranked() {
		param := "about"
		if r.About == "" {
			param = "like"
		}
		return nil, invalid(param, cmp.Or(r.About, r.Like),
			"Only the search itself ranks by meaning: leave out about and like.")
	}
	list, err := typed(r.Query)
	if err != nil {
		return nil, err
	}
	// They are in the order of filterFields, so that the same request gives the same command line.
	for _, f := range filterFields {
		value := *f.get(r)
		if value == "" {
			continue
		}
		e, err := f.equals(value)
		if err != nil {
			return nil, asInvalid(f.param, value, err)
		}
		list = append(list, e)
	}
	excluding, err := r.excluding()
	if err != nil {
		return nil, err
	}
	list = append(list, excluding...)
	if r.Sample != "" {
		parts, err := query.ParseShare(r.Sample)
		if err != nil {
			return nil, invalid("sample", r.Sample, err.Error())
		}
		if parts > 0 {
			list = append(list, &query.Share{Parts: parts})
		}
	}
	// An And of one would add brackets to the query that pages show.
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return list[0], nil
	}
	return &query.And{List: list}, nil
}

// typed parses the text of the search box.
func typed(text string) ([]query.Expr, error) {
	// The language itself limits the depth and number of tests.
	e, err := query.Parse(text)
	if err != nil {
		return nil, asInvalid("query", text, err)
	}
	if e == nil {
		return nil, nil
	}
	return []query.Expr{e}, nil
}

// equals returns the filter for a value as people type it. It matches literally: only the search box uses the query
// language.
func (f filterField) equals(value string) (query.Expr, error) {
	if value != none && (f.param == "host" || f.param == "domain") {
		value = hostTyped(value)
	}
	return f.test(escapeStar(value))
}

// escapeStar makes a value match literally: a star would match anything. The backslash comes first, since it begins
// the escape of the star.
func escapeStar(value string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`).Replace(value)
}

// asInvalid returns the error of a parameter, with the position of the mistake if it is known.
func asInvalid(param, value string, err error) error {
	// An error that is already for the user, for example about a date, is kept.
	known := (*Error)(nil)
	if errors.As(err, &known) {
		return known
	}
	e := &Error{Kind: Invalid, Title: "The query cannot be read", Detail: err.Error(), Param: param, Value: value}
	// The language counts from 0, people from 1.
	if s := (*query.SyntaxError)(nil); errors.As(err, &s) {
		e.Column = s.Offset + 1
		e.Remedy = "See how to write a query: " + HelpPath + ". To search for words with signs, put them in quotation marks."
		e.Link = HelpPath
	}
	// JSON and HTML only allow UTF-8.
	if !utf8.ValidString(value) {
		e.Value = strings.ToValidUTF8(value, "\uFFFD")
	}
	return e
}

// order returns the order of a request: by relevance if words are searched for, otherwise newest first.
func (r *SearchRequest) order(e query.Expr) (query.Order, error) {
	// Without words, nothing can be ranked, and new captures are the most interesting.
	standard := "newest"
	if searches(e) {
		standard = "relevance"
	}
	o, err := query.ParseOrder(cmp.Or(r.Order, standard))
	if err != nil {
		return 0, asInvalid("order", r.Order, err)
	}
	return o, nil
}

// searches reports whether a filter has words that all answers must contain: answers can be ranked by these.
func searches(e query.Expr) bool {
	// Only such words count: with an OR or a NOT, some answers have none.
	return slices.ContainsFunc(query.Conjuncts(e), func(x query.Expr) bool {
		_, is := x.(*query.Text)
		return is
	})
}
