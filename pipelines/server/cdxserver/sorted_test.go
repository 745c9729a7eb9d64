package cdxserver

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// lines returns n lines of captures about a day apart, some of which have their neighbour's digest.
func lines(n int) (list []entry) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		list = append(list, entryOf(&schemas.Document{
			SURT: fmt.Sprintf("org,example)/%05d", i/3), URL: "http://example.org/",
			Timestamp: time.Unix(1e9+int64(r.IntN(1e8)), 0).UTC().Format(time.RFC3339),
			Digest:    "sha1:" + string(rune('A'+r.IntN(3))), Filename: "a.warc.gz",
		}, ""))
	}
	return list
}

func each(list []entry) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// plain returns the expected result of sorted, with all of it in memory.
func plain(c question, list []entry) []entry {
	list = slices.Clone(list)
	switch c.sort {
	case "reverse":
		slices.Reverse(list)
	case "closest":
		c.byDistance(list)
	}
	list = slices.DeleteFunc(list, c.collapse.drops)
	if c.last {
		return list[max(0, len(list)-c.limit):]
	}
	return list[:min(c.limit, len(list))]
}

// TestSorted: lines that were dropped meanwhile are not in the answer.
func TestSorted(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		for _, limit := range []int{1, 2, 10, 999, 5000} {
			for _, by := range []string{"", "digest"} {
				for _, c := range []question{
					{sort: "reverse"}, {sort: "reverse", last: true}, {sort: "closest", closest: time.Unix(1.05e9, 0)}, {last: true},
				} {
					c.limit, c.collapse.name = limit, by
					want := plain(c, lines(n))
					got, err := c.sorted(each(lines(n)))
					if err != nil {
						t.Fatal(err)
					}
					got = got[:min(limit, len(got))] // as in answer
					if !slices.EqualFunc(got, want, func(a, b entry) bool { return string(a.text) == string(b.text) }) {
						t.Errorf("%s last=%t limit=%d collapse=%q of %d: %d lines, want %d", c.sort, c.last, limit, by, n, len(got),
							len(want))
					}
				}
			}
		}
	}
}

func TestEntry_undated(t *testing.T) {
	e := entryOf(&schemas.Document{SURT: "org,example)/a b", URL: "http://example.org/a b", Filename: "/data/a.warc"},
		"/data/")
	want := `org,example)/a%20b - {"url": "http://example.org/a%20b", "offset": "0", "filename": "a.warc"}` + "\n"
	if string(e.text) != want {
		t.Errorf("line %q, want %q", e.text, want)
	}
	f := e.fields()
	if _, has := f["timestamp"]; has || f["urlkey"] != "org,example)/a%20b" || f["filename"] != "a.warc" {
		t.Errorf("fields %v, want no timestamp, and the values of the line", f)
	}
}

// TestSorted_equal: of captures of a page that are equally near, the later one comes first, as in other doors.
func TestSorted_equal(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		times      []string
	}{
		{"twins", "2 1 0", []string{"12:00:00", "12:00:00", "12:00:00"}},
		{"fractions", "1 0 2", []string{"12:00:00.1", "12:00:00.9", "12:00:01"}},
		{"around", "1 0 2", []string{"11:59:00", "12:01:00", "12:02:00"}},
		{"none equal", "1 0 2", []string{"11:59:00", "12:00:00", "13:00:00"}},
	} {
		var list []entry
		for i, at := range tt.times {
			list = append(list, entryOf(&schemas.Document{
				SURT: "org,example)/", URL: "http://example.org/", Timestamp: "2020-01-01T" + at + "Z", Offset: int64(i),
			}, ""))
		}
		c := question{sort: "closest", asked: "http://example.org/", closest: time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)}
		list, err := c.sorted(each(list))
		got := ""
		for _, e := range list {
			got += " " + e.fields()["offset"]
		}
		if got != " "+tt.want || err != nil {
			t.Errorf("%s:%s, %v; want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestEntry_sharedMember: only the first record of a member has an offset, because readers find that record there.
func TestEntry_sharedMember(t *testing.T) {
	for sequence, want := range []string{"0", ""} {
		l := entryOf(&schemas.Document{SURT: "a)/", Filename: "one.warc.gz", Sequence: sequence}, "").fields()
		if l["offset"] != want || l["length"] != "" {
			t.Errorf("sequence %d: offset %q, length %q; want %q and none", sequence, l["offset"], l["length"], want)
		}
	}
}

// TestSorted_bytes: lines are bounded by their bytes, and lines that were dropped do not count.
func TestSorted_bytes(t *testing.T) {
	long := make([]byte, maxSortedBytes/64)
	for _, tt := range []struct {
		name string
		c    question
		n    int
		fits bool
	}{
		{"few", question{sort: "reverse"}, 63, true},
		{"reverse", question{sort: "reverse"}, 65, false},
		{"closest", question{sort: "closest"}, 65, false},
		{"the last", question{last: true, limit: 100}, 65, false},
		{"the last few", question{last: true, limit: 10}, 200, true},
		{"the closest few", question{sort: "closest", limit: 10}, 200, true},
		{"collapsed", question{sort: "reverse", collapse: collapse{name: "timestamp", n: 4}}, 200, true},
	} {
		list := make([]entry, tt.n)
		for i := range list {
			list[i] = entry{text: long, time: time.Unix(int64(i), 0)}
		}
		if got, err := tt.c.sorted(each(list)); (err == nil) != tt.fits {
			t.Errorf("%s: %d lines, %v", tt.name, len(got), err)
		}
	}
}
