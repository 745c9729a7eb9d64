package view

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// exclusion is a value whose captures a search leaves out.
type exclusion struct {
	field filterField
	value string
}

// exclusions returns the values that a search leaves out: a line each in the parameter, after the field's parameter and
// a colon.
func (r *SearchRequest) exclusions() ([]exclusion, error) {
	var list []exclusion
	for line := range strings.SplitSeq(r.Not, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		param, value, _ := strings.Cut(line, ":")
		i := slices.IndexFunc(filterFields, func(f filterField) bool { return f.param == param })
		if i < 0 || value == "" {
			return nil, invalid("not", line, "It takes lines like lang:fr, with the parameter of a filter and a value.")
		}
		list = append(list, exclusion{filterFields[i], value})
	}
	return list, nil
}

// excluding returns the filters of the values that a search leaves out.
func (r *SearchRequest) excluding() (list []query.Expr, err error) {
	all, err := r.exclusions()
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		e, err := x.field.equals(x.value)
		if err != nil {
			return nil, asInvalid("not", x.value, err)
		}
		list = append(list, &query.Not{X: e})
	}
	return list, nil
}

// excludes returns the exclusions in force as filters, each with the search without it.
func (r SearchRequest) excludes() (list []Filter) {
	all, _ := r.exclusions() // where has reported the error
	for i, x := range all {
		lines := []string{}
		for j, y := range all {
			if j != i {
				lines = append(lines, y.field.param+":"+y.value)
			}
		}
		without := r.with(x.field.param, *x.field.get(&r))
		without.Not = strings.Join(lines, "\n")
		list = append(list, Filter{
			Param: "not", Title: "Not " + x.field.title, Value: x.value, Label: x.field.labelOf(x.value),
			Link: without.link(),
			left: without.Not,
		})
	}
	return list
}

// without returns the search that leaves out a value too. A line end cannot be in a value of the parameter.
func (r SearchRequest) without(param, value string) SearchRequest {
	r.Not = strings.TrimPrefix(r.Not+"\n"+param+":"+value, "\n")
	r.Cursor = ""
	return r
}

// excludeLinks adds links to the values of a facet that leave them out. A single value would leave nothing.
func (r SearchRequest) excludeLinks(f *Facet) {
	for i, v := range f.Values {
		if len(f.Values) > 1 && !v.Selected && !strings.ContainsAny(v.Value, "\r\n") {
			f.Values[i].Exclude = r.without(f.Param, v.Value).link()
		}
	}
}
