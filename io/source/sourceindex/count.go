package sourceindex

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Facets are the numbers of matching sources by value, for each column: verdict, reason, class, language, publisher,
// health. A source without a value counts under "".
type Facets map[string][]Count

// Count is a value and its number of sources.
type Count struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// facets are the counted columns.
var facets = []string{"verdict", "reason", "class", "language", "publisher", "health"}

// mostValues limits a facet; even languages are fewer.
const mostValues = 200

// Facets counts the sources that match f.
func (x *Index) Facets(ctx context.Context, f Filter) (Facets, error) {
	where, values := f.where()
	all := Facets{}
	for _, column := range facets {
		// Columns are constants of this file; the filter's values are bound.
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

// Cycle is a class of sources by the time between two visits.
type Cycle struct {
	Name  string        `json:"name"` // "1–3 h"
	Below time.Duration `json:"-"`    // 0 for the last two classes
	Count int64         `json:"count"`
}

// cycles are the classes; their widths grow so that each has a fair share of sources.
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

// Cycles counts the sources that match a filter by how often they are visited.
func (x *Index) Cycles(ctx context.Context, f Filter) ([]Cycle, error) {
	// Rejected and gone ones are never due: see Filter.Due. The interval is in hours.
	text := "case when verdict = 'rejected' or health = 'gone' or interval <= 0 then " + fmt.Sprint(len(cycles)-1)
	for i, c := range cycles {
		if c.Below > 0 {
			// The classes ascend, and the first match counts.
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
	// Classes without sources are missing, and stay 0.
	for _, c := range counts {
		for i := range list {
			if c.Value == fmt.Sprint(i) {
				list[i].Count = c.Count
			}
		}
	}
	return list, nil
}
