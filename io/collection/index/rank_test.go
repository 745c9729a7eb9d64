package index

import (
	"fmt"
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
