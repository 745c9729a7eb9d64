package view

import (
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// graphsBytes limits the kept graphs of a server. The largest graph that is made fits.
const graphsBytes = graphMemory

// graphs are the latest graphs of hosts, of all collections and readers.
type graphs struct {
	most int64 // bytes

	mu    sync.Mutex
	list  []keptGraph // the latest is last
	bytes int64
}

// graphKey says what a graph was made of.
type graphKey struct {
	collection, whole string // with the ID of the snapshot of all its captures
	part              string // ID of the reader's part of it
	where, place      string
}

type keptGraph struct {
	key graphKey
	*linkgraph.Graph
}

func keyOf(collection string, now *shelf.Snapshot, where, place string) graphKey {
	return graphKey{collection, now.Whole().ID, now.ID, where, place}
}

// get returns a kept graph, or nil. Those of an older state of the collection are forgotten.
func (g *graphs) get(key graphKey) *linkgraph.Graph {
	if key.whole == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drop(func(k keptGraph) bool { return k.key.collection == key.collection && k.key.whole != key.whole })
	i := slices.IndexFunc(g.list, func(k keptGraph) bool { return k.key == key })
	if i < 0 {
		return nil
	}
	found := g.list[i]
	g.list = append(slices.Delete(g.list, i, i+1), found)
	return found.Graph
}

// add keeps a graph, and forgets the oldest ones if there is no room for all.
func (g *graphs) add(key graphKey, made *linkgraph.Graph) {
	g.mu.Lock()
	defer g.mu.Unlock()
	// Without an ID, nothing tells when it is too old.
	size := made.Bytes()
	if key.whole == "" || size > g.most {
		return
	}
	g.drop(func(k keptGraph) bool { return k.key == key })
	for g.bytes+size > g.most {
		oldest := g.list[0].key
		g.drop(func(k keptGraph) bool { return k.key == oldest })
	}
	g.list, g.bytes = append(g.list, keptGraph{key, made}), g.bytes+size
}

// drop forgets the graphs that is accepts. The lock is held.
func (g *graphs) drop(is func(keptGraph) bool) {
	g.list = slices.DeleteFunc(g.list, func(k keptGraph) bool {
		if !is(k) {
			return false
		}
		g.bytes -= k.Bytes()
		return true
	})
}
