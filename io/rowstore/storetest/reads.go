package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// TestReadOnly checks a read-only store: it refuses writes, and gives the same answers as another store with the same
// rows.
func TestReadOnly(t *testing.T, s, want rowstore.Store) {
	t.Helper()
	// The refusal has a kind, so that callers can distinguish it from a server that is down.
	if err := s.Put(t.Context(), []rowstore.Row{row("k", cell("a:x", 1, "v"))}); !errors.Is(err, rowstore.ErrReadOnly) {
		t.Errorf("Put: %v, want ErrReadOnly", err)
	}
	// Versions -1 means all of them.
	all := scan(t, want, rowstore.Range{Versions: -1})
	if len(all) == 0 {
		t.Fatal("there are no rows to compare")
	}
	if err := s.Delete(t.Context(), all[0].Key, time.Time{}); !errors.Is(err, rowstore.ErrReadOnly) {
		t.Errorf("Delete: %v, want ErrReadOnly", err)
	}
	// A fixed seed makes failures repeatable.
	random := rand.New(rand.NewPCG(19, 5))
	some := func() rowstore.Row { return all[random.IntN(len(all))] }
	// Limits, times and filters come from existing rows, so that most queries have a result.
	for n := range 100 {
		r := rowstore.Range{Versions: random.IntN(3) - 1, Limit: random.IntN(2) * random.IntN(10)}
		// From may be after To, which is an empty range and no error.
		if random.IntN(2) == 0 {
			r.From, r.To = some().Key, some().Key
		}
		x := some()
		// A cell of the row, so that at least this row may pass the filter.
		c := x.Cells[random.IntN(len(x.Cells))]
		if random.IntN(2) == 0 {
			// Till is the time of an existing version: the limit is exclusive, and mistakes show here.
			r.Till = c.Time
		}
		if random.IntN(2) == 0 {
			r.Families = []string{c.Family}
		}
		if random.IntN(2) == 0 {
			r.Where = rowstore.Column{Family: c.Family, Qualifier: c.Qualifier}
		}
		same(t, fmt.Sprintf("scan %d of %+v", n, r), scan(t, want, r), scan(t, s, r))
		// The same query for one row: Get and Scan must leave out the same cells.
		first, err := want.Get(t.Context(), x.Key, r)
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Get(t.Context(), x.Key, r)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("Get %q", x.Key), []rowstore.Row{first}, []rowstore.Row{second})
	}
	// A store chooses its splits freely; the contract has only the order.
	one, err := s.Splits(t.Context())
	if err != nil {
		t.Error(err)
	}
	for i := 1; i < len(one); i++ {
		if one[i] <= one[i-1] {
			t.Errorf("splits are out of order: %q", one)
		}
	}
}
