package look

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Ranked is a table of the most frequent values, with a bar for each share.
type Ranked struct {
	ID     string // of its caption
	Title  string
	Head   string // of the first column
	Noun   string // of the numbers, plural, as a heading: Captures
	Rows   []Row
	Whole  int64  // the total for shares
	More   int64  // number of names not shown
	Beyond int64  // and the sum of their values
	All    string // link to the full list, or ""
	Empty  string // text for no rows
	Note   string // below the table
	Colour string // c1 by default
}

// Row is a row of Ranked.
type Row struct {
	Name  string
	Sub   string // small, after the name: a code
	Href  string // link of the figure, or ""
	Value int64
	Arch  bool // the name is from an archive
}

// Max returns the largest value, the full length of bars.
func (r Ranked) Max() int64 {
	var most int64
	for _, row := range r.Rows {
		most = max(most, row.Value)
	}
	return most
}

// Class returns the colour of the bars; c0 is grey.
func (r Ranked) Class() string { return cmp.Or(r.Colour, "c1") }

// Rank adds the n most frequent of counts as rows, sorted by count and name, and sums up the others. The function
// name makes the row of a key.
func (r Ranked) Rank(counts map[string]int64, n int, name func(key string) Row) Ranked {
	keys := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		// A difference might overflow.
		return cmp.Or(cmp.Compare(counts[y], counts[x]), strings.Compare(x, y))
	})
	for i, k := range keys {
		// A single further row takes no more room than the line for the rest.
		if i < n || len(keys) == n+1 {
			row := name(k)
			row.Value = counts[k]
			r.Rows = append(r.Rows, row)
			continue
		}
		r.More++
		r.Beyond += counts[k]
	}
	return r
}
