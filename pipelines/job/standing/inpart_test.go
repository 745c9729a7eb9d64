package standing_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestSettle_readInPart: the units of an input that was read in part stay when it is gone. An input of which nothing
// was read has no documents to keep.
func TestSettle_readInPart(t *testing.T) {
	const why = "input/output error"
	lookup, group := &schemas.Lookup{Base: "/warcs"}, &schemas.Group{First: "a", Last: "z", Files: 9}
	for _, tt := range []struct {
		name     string
		in       schemas.Range
		captures int64
		class    standing.Class
		stays    bool
	}{
		{"an archive with a bad sector", schemas.Range{Format: "warc", Unreadable: why}, 5, standing.Archives, true},
		{"an index with an unreadable archive", schemas.Range{Lookup: lookup, Unreadable: why}, 5, standing.Indexes, true},
		{"pages, one of them unreadable", schemas.Range{Group: group, Unreadable: why}, 5, standing.Archives, true},
		{"an archive that could not be opened", schemas.Range{Unreadable: why}, 5, standing.Archives, false},
		{"an index of unreadable archives", schemas.Range{Lookup: lookup, Unreadable: why}, 0, standing.Indexes, false},
		{"unreadable pages", schemas.Range{Group: group, Unreadable: why}, 0, standing.Archives, false},
		{"a whole index", schemas.Range{Lookup: lookup}, 5, standing.Indexes, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.File = "/in/a"
			var r ledger.Row
			r.Key, r.Inputs, r.Captures = "a", []schemas.Range{tt.in}, tt.captures
			h := folderOf(true, r, row("b", "/in/b"))
			w := place{covered: "/in/", gone: []string{"/in/a"}}
			found := standing.NewFound()
			found.IDs["/in/b"], found.Stamps["/in/b"] = true, "1"
			got, err := standing.Settle(h, tt.class, found, standing.Policy{Add: true}, w)
			if err != nil || (len(got.Stay) == 1) != tt.stays {
				t.Errorf("%+v, %v; want it to stay: %v", got.Stay, err, tt.stays)
			}
			h.Divide("")
			if has := h.Has("/in/a", w); has != tt.stays {
				t.Errorf("Has = %v, want %v", has, tt.stays)
			}
			h.Lost = []schemas.UnitResult{r.UnitResult}
			if _, err = standing.Settle(h, tt.class, found, standing.Policy{Add: true}, w); (err != nil) != tt.stays {
				t.Errorf("its row is lost: %v, want a refusal: %v", err, tt.stays)
			}
		})
	}
}
