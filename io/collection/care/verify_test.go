package care_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
)

// TestVerify_takenDown: after a takedown that was killed, Verify finds the rest in every kind of shard.
func TestVerify_takenDown(t *testing.T) {
	all := []string{"captures", "content", "data", "documents", "feeds", "links", "texts"}
	for what, want := range map[string][]string{
		"a.example":                    all,
		"http://a.example/":            {"captures", "content", "data", "documents", "feeds", "links", "texts"},
		"http://target.a.example/":     {"links"}, // only the end of a link
		"http://a.example/feed":        {"feeds"},
		"nowhere.example":              nil,
		"http://a.example/other/page/": nil,
	} {
		t.Run(what, func(t *testing.T) {
			dir := built(t, []source{{"a", "", []string{"a.example", "b.example"}}})
			e, err := takedown.Parse(what)
			if err != nil {
				t.Fatal(err)
			}
			var list takedown.List
			list.Add([]takedown.Entry{e})
			if err := list.Save(local(dir)); err != nil {
				t.Fatal(err)
			}
			var got []string
			problems, err := care.Verify(t.Context(), local(dir))
			for _, p := range problems {
				kind, _, _ := strings.Cut(p.Error(), "-")
				got = append(got, kind)
			}
			slices.Sort(got)
			if got = slices.Compact(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("problems of %q, %v, want %q:\n%v", got, err, want, problems)
			}
			c := open(t, dir, collection.OpenOptions{})
			takeDown(t, c, what)
			if problems, err = care.Verify(t.Context(), local(dir)); err != nil || len(problems) > 0 {
				t.Errorf("after the takedown: %v, %v", problems, err)
			}
		})
	}
}
