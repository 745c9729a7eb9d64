package look

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Ranked is a table of what is most frequent, with a bar in each row for its share.
type Ranked struct {
	ID     string // of its caption
	Title  string
	Head   string // of the first column
	Noun   string // of the numbers, in the plural, as a head: Captures
	Rows   []Row
	Whole  int64  // what shares are of
	More   int64  // how many names are not shown
	Beyond int64  // and what they have together
	All    string // where all are listed; "" for nowhere
	Empty  string // what is said where there are no rows
	Note   string // below the table
	Colour string // c1, where it is empty
}

// Row is a row of it.
type Row struct {
	Name  string
	Sub   string // small, behind the name: a code
	Href  string // where the figure leads; "" where nothing can be asked
	Value int64
	Arch  bool // the name is a word of an archive, not ours
}

// Max is the largest value, which bars are drawn against.
func (r Ranked) Max() int64 {
	var most int64
	for _, row := range r.Rows {
		most = max(most, row.Value)
	}
	return most
}

// Class is the colour of the bars.
// c0 is grey, for counts that are not of documents.
func (r Ranked) Class() string { return cmp.Or(r.Colour, "c1") }

// Rank takes the n most frequent of counts as rows, names of equal frequency in their order, and tells of the others
// how many there are and what they have together. name makes a row of a name.
func (r Ranked) Rank(counts map[string]int64, n int, name func(key string) Row) Ranked {
	// The name decides between equals, so that a page is the same at each request.
	keys := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		// Compared, not subtracted: a difference may overflow.
		return cmp.Or(cmp.Compare(counts[y], counts[x]), strings.Compare(x, y))
	})
	for i, k := range keys {
		// One row more takes no more room than the line that says that there is one.
		if i < n || len(keys) == n+1 {
			row := name(k)
			// Whatever name has set, the figure is the count.
			row.Value = counts[k]
			r.Rows = append(r.Rows, row)
			continue
		}
		// Nothing is dropped: the last line of the table has the rest.
		r.More++
		r.Beyond += counts[k]
	}
	return r
}
