package contentdb

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestWarm: answers are the same after it, with and without an index. A field that nobody can count by is an error.
func TestWarm(t *testing.T) {
	for _, noIndex := range []bool{false, true} {
		db := openAbout(t, Options{NoIndex: noIndex})
		ask := func() int64 {
			n, err := db.Count(t.Context(), query.Query{AllVersions: true})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := ask()
		if err := db.Warm(t.Context(), []string{"language", "mime_detected", "month", "description"}); err != nil {
			t.Fatal(err)
		}
		if after := ask(); before == 0 || after != before {
			t.Errorf("%d captures before, %d after", before, after)
		}
		if err := db.Warm(t.Context(), []string{"color"}); err == nil {
			t.Error("an unknown field was warmed")
		}
	}
}
