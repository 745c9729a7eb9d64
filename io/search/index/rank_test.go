package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestFind_bestFirst: the page whose title has the words comes first, then short texts before long ones, whatever their
// dates. Of a word that nearly all texts have, the newest come first.
func TestFind_bestFirst(t *testing.T) {
	s := newShelf(t)
	long := "" // the index counts different words
	for i := range 400 {
		long += fmt.Sprintf("word%d ", i)
	}
	page := func(n int, title, text string) *schemas.Document {
		return &schemas.Document{
			URL: fmt.Sprintf("http://a.example/%d", n), SURT: fmt.Sprintf("example,a)/%d", n), Host: "a.example",
			Timestamp: fmt.Sprintf("2025-01-%02dT00:00:00Z", n), Filename: "f", Offset: int64(n), Title: title, Text: text,
		}
	}
	s.put(t, 0, []*schemas.Document{
		page(1, "The Swing Bridge, reopened", "A bridge swings. "+long),
		page(2, "", "the swing of a bridge "+long[:900]),
		page(3, "A bridge", long+" swing"),
		page(4, "", "swing, bridge"),
		page(5, "", long+"the swing of a bridge"),
		page(6, "", "neither"),
	})
	x, _ := s.open(t, Options{})
	for _, c := range []struct {
		where string
		many  int
		want  []string
	}{
		{"swing bridge", 50, []string{"f 1 0", "f 3 0", "f 2 0", "f 4 0", "f 5 0"}},
		{"swin*", 50, []string{"f 1 0", "f 2 0", "f 4 0", "f 5 0", "f 3 0"}},
		{"swing bridge", 3, []string{"f 5 0", "f 4 0", "f 3 0", "f 2 0", "f 1 0"}},
	} {
		where, err := query.Parse(c.where)
		if err != nil {
			t.Fatal(err)
		}
		x.volumes[0].limits.manyTexts = c.many
		got := s.found(t, x, query.Query{Where: where, Order: query.Relevance})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, frequent above %d: %v, want %v", c.where, c.many, got, c.want)
		}
	}
}

// TestFind_bestFirstWhateverWasIndexedFirst: the same documents come in the same order, however they lie in shards,
// after all shards were replaced, and in several volumes. Ranks are equal for most of them.
func TestFind_bestFirstWhateverWasIndexedFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	docs := made(r, 120, "f")
	for _, d := range docs[:20] { // texts that other pages have, too
		other := *d
		other.URL, other.SURT, other.Offset = d.URL+"/copy", d.SURT+"/copy", d.Offset+10_000
		docs = append(docs, &other)
	}
	orders := []func(i int) int{
		func(i int) int { return i / 70 },
		func(i int) int { return i % 7 },
		func(i int) int { return 100 - i/20 }, // the last ones first
	}
	// Small limits make sure that each way is taken. Only words that are too frequent to be ranked are missing.
	tiny := limits{
		few: 3, fewTexts: 4, manyTexts: 1000, fewTitles: 2, sortable: 6, longestRun: 4, pagesAtOnce: 7,
		groupRows: 50,
	}
	want := map[string][]string{}
	check := func(t *testing.T, s *shelf, x *Index) {
		t.Helper()
		for _, filter := range []string{"the", "coffee", "gov*", "政府", "language = fr AND wasser"} {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			got := s.found(t, x, query.Query{Where: where, Order: query.Relevance, AllVersions: true})
			if want[filter] == nil {
				want[filter] = got
			}
			if len(got) == 0 || !slices.Equal(got, want[filter]) {
				t.Errorf("%s: %v, want %v", filter, got, want[filter])
			}
		}
	}
	for i, shardOf := range orders {
		for _, o := range []Options{{}, {limits: tiny}, {VolumeRows: 30}} {
			t.Run(fmt.Sprintf("%d %d %d", i, o.limits.few, o.VolumeRows), func(t *testing.T) {
				s := newShelf(t)
				put := func(shardOf func(int) int) {
					lists := map[int][]*schemas.Document{}
					for i, d := range docs {
						lists[shardOf(i)] = append(lists[shardOf(i)], d)
					}
					s.shards = map[string][]*schemas.Document{}
					for n, list := range lists {
						s.put(t, n, list)
					}
				}
				put(shardOf)
				x, _ := s.open(t, o)
				check(t, s, x)
				// Compaction does so: the same rows in new shards, and the old ones go.
				put(func(i int) int { return 200 + shardOf(i)/2 })
				if _, err := x.Update(t.Context(), s.part(t)); err != nil {
					t.Fatal(err)
				}
				check(t, s, x)
			})
		}
	}
}

// TestPlan_wordsThatNeverMeet: no text has both of two frequent words. The plan knows at once that there is no answer,
// without trying all captures.
func TestPlan_wordsThatNeverMeet(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(6, 6))
	docs := made(r, 40, "f0")
	for i, d := range docs {
		d.Title, d.Text = "", fmt.Sprintf("%s %d", []string{"ampersand", "bagatelle"}[i%2], i)
	}
	s.put(t, 0, docs)
	o := Options{limits: defaultLimits}
	o.limits.few, o.limits.manyTexts = 1, 5
	for filter, tried := range map[string]bool{"ampersand": true, "ampersand bagatelle": false, "ampersand AND 7": false} {
		// Opened for each filter: an index keeps the texts that it has found for a word, and then needs no candidates.
		x, _ := s.open(t, o)
		where, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		one, err := x.volumes[0].snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p, err := one.plan(t.Context(), query.Query{Where: where}, true)
		if err != nil || (len(p.terms) > 0) != tried {
			t.Errorf("%s: candidates are tried for %v, %v", filter, p.terms, err)
		}
		one.close()
	}
}
