package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// groupsOf makes groups of labels with counts: "2020:3 2021:5"; a label "-" is that of captures without a date.
func groupsOf(text string) (list []contentdb.Group) {
	for _, one := range strings.Fields(text) {
		label, count, _ := strings.Cut(one, ":")
		g := contentdb.Group{Values: []string{strings.TrimPrefix(label, "-")}}
		if _, err := fmt.Sscan(count, &g.Count); err != nil {
			panic(err)
		}
		list = append(list, g)
	}
	return list
}

// TestTimelineOf: bars follow each other without gaps, and captures without a date are in none of them.
func TestTimelineOf(t *testing.T) {
	for _, tt := range []struct {
		name, unit, groups, want string
		max, undated             int64
	}{
		{"nothing", "year", "", "", 0, 0},
		{"only undated", "month", "-:4", "", 0, 4},
		{"one year", "year", "2020-05:3", "2020:3", 3, 0},
		{"months of a year", "year", "2020-05:3 2020-01:4", "2020:7", 7, 0},
		{"a gap of years", "year", "2019-12:1 2021-01:2", "2019:1 2020:0 2021:2", 2, 0},
		{"over the end of a year", "month", "2020-02:5 2019-11:1", "2019-11:1 2019-12:0 2020-01:0 2020-02:5", 5, 0},
		{"a leap day", "day", "2020-02-28:1 2020-03-01:1", "2020-02-28:1 2020-02-29:0 2020-03-01:1", 1, 0},
		{"no leap day", "day", "2021-02-28:1 2021-03-01:1", "2021-02-28:1 2021-03-01:1", 1, 0},
		{"1900 has no leap day", "day", "1900-02-28:2 1900-03-01:1", "1900-02-28:2 1900-03-01:1", 2, 0},
		{"with undated ones", "day", "2020-01-01:9 -:2", "2020-01-01:9", 9, 2},
		{"the year 0", "year", "0000-01:1 0001-02:1", "0000:1 0001:1", 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := timelineOf(tt.unit, groupsOf(tt.groups), func(value string) string { return "?" + value })
			var bars []string
			for _, b := range got.Bars {
				bars = append(bars, fmt.Sprintf("%s:%d", b.Label, b.Count))
				if want := map[bool]string{true: "?" + b.Label}[b.Count > 0]; b.Link != want {
					t.Errorf("the link of %s is %q, want %q", b.Label, b.Link, want)
				}
			}
			if text := strings.Join(bars, " "); text != tt.want || got.Max != tt.max || got.Undated != tt.undated || got.Cut {
				t.Errorf("timelineOf = %s, max %d, undated %d, cut %v", text, got.Max, got.Undated, got.Cut)
			}
			if (got.UndatedLink == "?"+none) != (tt.undated > 0) {
				t.Errorf("undated: %q", got.UndatedLink)
			}
		})
	}
}

// TestTimelineOf_long: of a long span the newest bars are shown, in proportion to the largest of them.
func TestTimelineOf_long(t *testing.T) {
	link := func(string) string { return "" }
	for _, tt := range []struct{ name, unit, groups, first, last string }{
		{"days of two years", "day", "2019-01-01:900 2020-12-31:2", "2019-11-28", "2020-12-31"},
		{"days of five years", "day", "2016-01-01:900 2020-12-31:2", "2019-11-28", "2020-12-31"},
		{"days of 1,600 days", "day", "2016-08-15:900 2020-12-31:2", "2019-11-28", "2020-12-31"},
		{"days of ten thousand years", "day", "0000-01-01:900 9999-12-31:2", "9998-11-27", "9999-12-31"},
		{"months of a century", "month", "1920-01:900 2020-12:2", "1987-09", "2020-12"},
		{"years", "year", "0001-01:900 2020-12:2", "1621", "2020"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := timelineOf(tt.unit, groupsOf(tt.groups), link)
			if len(got.Bars) != MaxBars || !got.Cut {
				t.Fatalf("%d bars, cut %v; want %d", len(got.Bars), got.Cut, MaxBars)
			}
			if a, b := got.Bars[0].Label, got.Bars[MaxBars-1].Label; a != tt.first || b != tt.last {
				t.Errorf("from %s to %s, want from %s to %s", a, b, tt.first, tt.last)
			}
			if got.Max != 2 {
				t.Errorf("the largest is %d, and the shown ones have 2", got.Max)
			}
		})
	}
}

// TestItemsOverTime: without a unit, the smallest one that fits on a page is chosen.
func TestItemsOverTime(t *testing.T) {
	day := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, tt := range []struct {
		name, first, last, unit string
		want                    string
		bars                    int
	}{
		{"one day", "2020-01-01T00:00:00Z", "2020-01-01T23:00:00Z", "", "day", 1},
		{"99 days", "2020-01-01T00:00:00Z", "2020-04-09T00:00:00Z", "", "day", 100},
		{"over midnight elsewhere", "2020-01-01T23:30:00-02:00", "2020-01-02T02:00:00Z", "", "day", 1},
		{"half a year", "2020-01-31T00:00:00Z", "2020-07-01T00:00:00Z", "", "month", 7},
		{"twenty years", "2000-01-31T00:00:00Z", "2020-07-01T00:00:00Z", "", "year", 21},
		{"as requested", "2000-01-31T00:00:00Z", "2000-02-01T00:00:00Z", "year", "year", 1},
		{"too many days", "2000-01-31T00:00:00Z", "2020-07-01T00:00:00Z", "day", "day", MaxBars},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := itemsOverTime([]time.Time{day(tt.first), day(tt.last)}, tt.unit)
			if got.Unit != tt.want || len(got.Bars) != tt.bars || got.Cut != (tt.bars == MaxBars) {
				t.Errorf("%d bars by %s, cut %v; want %d by %s", len(got.Bars), got.Unit, got.Cut, tt.bars, tt.want)
			}
			if last := got.Bars[len(got.Bars)-1]; last.Count == 0 || got.Max < last.Count {
				t.Errorf("the last bar is %+v, the largest %d", last, got.Max)
			}
		})
	}
	if got := itemsOverTime(nil, ""); got.Unit != "year" || got.Bars == nil || len(got.Bars) > 0 {
		t.Errorf("without items: %+v", got)
	}
}

// TestFacetOf: values beyond the first ones are counted together, but an active one is always listed.
func TestFacetOf(t *testing.T) {
	f := fieldOf("lang")
	link := func(value string) string { return "?" + value }
	groups := groupsOf("de:9 en:5 -:3 fr:2 nl:1")
	for _, tt := range []struct {
		name, selected, want string
		top                  int
		more                 int
		rest                 int64
	}{
		{"all", "", "German:9 English:5 no language:3 French:2 Dutch:1", 9, 0, 0},
		{"the first two", "", "German:9 English:5", 2, 3, 6},
		{"an active one", "fr", "German:9 English:5 French*:2", 2, 2, 4},
		{"an active one among the first", "en", "German:9 English*:5", 2, 3, 6},
		{"without a value", none, "German:9 no language*:3", 1, 3, 8},
		{"none of them", "xx", "", 0, 5, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := facetOf(f, groups, tt.top, link, tt.selected)
			var list []string
			for _, v := range got.Values {
				list = append(list, fmt.Sprintf("%s%s:%d", v.Label, map[bool]string{true: "*"}[v.Selected], v.Count))
				if v.Link != "?"+v.Value || v.Value == "" {
					t.Errorf("the value %q links to %q", v.Value, v.Link)
				}
			}
			if text := strings.Join(list, " "); text != tt.want || got.More != tt.more || got.Rest != tt.rest || got.Base != 20 {
				t.Errorf("facetOf = %s, %d more with %d, of %d", text, got.More, got.Rest, got.Base)
			}
			more := got.More
			if got.complete(25); got.More != more+1 || got.Rest != tt.rest+5 || got.Base != 25 {
				t.Errorf("completed: %d more with %d, of %d", got.More, got.Rest, got.Base)
			}
			if got.complete(25); got.More != more+1 {
				t.Error("completed twice, it has more values")
			}
		})
	}
}
