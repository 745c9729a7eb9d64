package collection

import (
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestWriter_twoWorkersAtOneUnit(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a", "b")
	results := make([]schemas.UnitResult, 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = do(t, dir, units[i%2], keys[i%2], both) })
	}
	wg.Wait()
	if _, err := c.Finish(results, runOf(2)); err != nil {
		t.Fatal(err)
	}
	same(t, dir, "a", "b")
}
