package contentdb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestCounting_memory: groups of long values take no more memory than others, and each is counted.
func TestCounting_memory(t *testing.T) {
	const limit, n, long = 1 << 20, 3000, 4000
	title, err := facetOf("title")
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{sorter: extsort.New(extsort.Options{MemoryBytes: limit, TempDir: t.TempDir()}), limit: limit}
	defer func() { _ = c.sorter.Close() }() // the test is over by then
	most := 0
	for i := range 2 * n {
		d := &schemas.Document{Title: fmt.Sprint(i%n, strings.Repeat("x", long))}
		if err := c.add(d, []facet{title}); err != nil {
			t.Fatal(err)
		}
		held := 0
		for key := range c.groups {
			held += len(key)
		}
		most = max(most, held)
	}
	if most > limit+long {
		t.Errorf("%d bytes of values are held, with a limit of %d", most, limit)
	}
	groups, err := c.largest(0)
	if err != nil || len(groups) != n {
		t.Fatalf("%d groups, %v, want %d", len(groups), err, n)
	}
	for _, g := range groups {
		if g.Count != 2 {
			t.Fatalf("a group has %d, want 2", g.Count)
		}
	}
}
