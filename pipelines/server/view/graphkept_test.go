package view

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
)

// TestGraphs_areBounded: kept graphs have a budget of bytes, of which the oldest ones go first. Those of an older state
// of a collection go too, and one that is larger than the budget is not kept.
func TestGraphs_areBounded(t *testing.T) {
	made := func(hosts int) *linkgraph.Graph {
		b := linkgraph.NewBuilder(linkgraph.Options{})
		defer func() { _ = b.Close() }() // it has no files
		for i := range hosts {
			if err := b.Count("hub.example", fmt.Sprintf("host-%d.example", i), 2020, 1); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Hosts()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	small := made(100)
	if n := small.Bytes(); n < 100*100 || n > 100*1000 {
		t.Errorf("a graph of 100 hosts and edges has %d bytes", n)
	}
	g := &graphs{most: 3*small.Bytes() + 10}
	key := func(where, whole string) graphKey {
		return graphKey{collection: "out", whole: whole, part: whole, where: where}
	}
	for _, where := range []string{"a", "b", "c"} {
		g.add(key(where, "1"), small)
	}
	g.get(key("a", "1")) // now the latest
	g.add(key("d", "1"), small)
	g.add(key("large", "1"), made(1000))
	g.add(key("none", ""), small)
	g.add(key("d", "1"), small)
	for where, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "large": false} {
		if got := g.get(key(where, "1")) != nil; got != want {
			t.Errorf("%s: %v, want %v", where, got, want)
		}
	}
	if g.get(key("none", "")) != nil || g.bytes != 3*small.Bytes() {
		t.Errorf("%d bytes are counted", g.bytes)
	}
	if g.get(key("a", "2")) != nil || g.bytes != 0 || len(g.list) != 0 {
		t.Errorf("after a run, %d graphs are kept, of %d bytes", len(g.list), g.bytes)
	}
}
