//go:build !noiceberg && !local

package lake

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestCheck_killedRuns: a run that was killed leaves the table as it was, also if the run had renamed the shards.
func TestCheck_killedRuns(t *testing.T) {
	for _, tt := range []struct {
		name   string
		o      collection.OpenOptions
		months []int // of the killed run
		grown  bool  // another run has ended since the table was made
		lags   bool
	}{
		{"over the same archives", collection.OpenOptions{}, []int{0, 1}, false, false},
		{"with one more", collection.OpenOptions{}, []int{0, 1, 2}, false, false},
		{"all again", collection.OpenOptions{Redo: true}, []int{0, 1}, false, false},
		{"one again", collection.OpenOptions{Redo: true}, []int{1}, false, false},
		{"all again, and the table is older", collection.OpenOptions{Redo: true}, []int{0, 1, 3}, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := local(t.TempDir())
			made(t, f, 0, 1)
			synced(t, f)
			if tt.grown {
				made(t, f, 0, 1, 3)
			}
			c, err := collection.Open(f, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			units, keys := plan(tt.months, "options")
			if _, _, err := c.Resume(units, keys, func(schemas.Range, ledger.Row) (bool, error) { return true, nil }); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			problems, err := opened(t, f).Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			lags := len(problems) == 1 && strings.Contains(problems[0].Message, "not that of the manifest")
			if lags != tt.lags || !lags && len(problems) > 0 {
				t.Errorf("problems %v, want a lag: %v", problems, tt.lags)
			}
		})
	}
}
