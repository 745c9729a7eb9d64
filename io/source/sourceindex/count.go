package sourceindex

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Facets are how many of the sources that a filter takes have each value, by the name of the column: verdict, reason,
// class, language, publisher, health. A source without a value counts under "".
type Facets map[string][]Count

// Count is a value and how many sources have it.
type Count struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// facets are the columns that are counted.
var facets = []string{"verdict", "reason", "class", "language", "publisher", "health"}

// mostValues bounds a facet: languages are the most, and there are fewer.
const mostValues = 200

// Facets counts.
func (x *Index) Facets(ctx context.Context, f Filter) (Facets, error) {
	where, values := f.where()
	all := Facets{}
	for _, column := range facets {
		// Columns are constants of this file; the values of the filter are bound.
		list, err := x.count(ctx, fmt.Sprintf(
			"select %s, count(*) from source where %s group by 1 order by 2 desc, 1 limit %d", column, where, mostValues),
			values)
		if err != nil {
			return nil, err
		}
		all[column] = list
	}
	return all, nil
}

func (x *Index) count(ctx context.Context, text string, values []any) (list []Count, err error) {
	rows, err := x.db.QueryContext(ctx, text, values...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c Count
		if err := rows.Scan(&c.Value, &c.Count); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// Cycle is a class of sources by their refresh cycle, the time between two visits.
type Cycle struct {
	Name  string        `json:"name"` // "1–3 h"
	Below time.Duration `json:"-"`    // 0 of the last two classes
	Count int64         `json:"count"`
}

// cycles are the classes, which grow, as sources do: in each there is a fair share of them.
var cycles = []Cycle{
	{Name: "under 1 h", Below: time.Hour},
	{Name: "1–3 h", Below: 3 * time.Hour},
	{Name: "3–6 h", Below: 6 * time.Hour},
	{Name: "6–12 h", Below: 12 * time.Hour},
	{Name: "12–24 h", Below: 24 * time.Hour},
	{Name: "1–3 d", Below: 72 * time.Hour},
	{Name: "3–7 d", Below: 7 * 24 * time.Hour},
	{Name: "1–4 wk", Below: 28 * 24 * time.Hour},
	{Name: "1–3 mo", Below: 91 * 24 * time.Hour},
	{Name: "over 3 mo"},
	{Name: "never"},
}

// Cycles counts the sources that a filter takes by how often they are to be visited.
func (x *Index) Cycles(ctx context.Context, f Filter) ([]Cycle, error) {
	// Rejected and gone ones are never due: see Filter.Due. The interval is in hours.
	text := "case when verdict = 'rejected' or health = 'gone' or interval <= 0 then " + fmt.Sprint(len(cycles)-1)
	for i, c := range cycles {
		if c.Below > 0 {
			// The first that fits counts, and the classes ascend.
			text += fmt.Sprintf(" when interval < %g then %d", c.Below.Hours(), i)
		}
	}
	where, values := f.where()
	counts, err := x.count(ctx, "select "+text+fmt.Sprintf(" else %d end, count(*) from source where %s group by 1",
		len(cycles)-2, where), values)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(cycles)
	// Classes without a source are not in the answer, and stay 0.
	for _, c := range counts {
		for i := range list {
			if c.Value == fmt.Sprint(i) {
				list[i].Count = c.Count
			}
		}
	}
	return list, nil
}
