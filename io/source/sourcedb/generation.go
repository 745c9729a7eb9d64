package sourcedb

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	// shardBytes is how large a shard of states or pages becomes, so that reading can be divided.
	shardBytes = 256 << 20
	// maxHops is how many redirects are followed from an item's link to a page.
	maxHops = 3
)

func cmpStrings(a, b string) int { return strings.Compare(a, b) }

// generation is one that is being made.
type generation struct {
	ctx    context.Context
	f      folder.Folder
	o      Options
	before Manifest
	next   Manifest

	sources int64 // feeds
	last    int64 // capture time of the last thing known of any source

	met       met
	redirects redirects
}

// make merges, joins and describes.
// Everything is streamed in the order of keys, and sorted on the disk in between: the memory does not grow with the
// number of sources, but for a byte a source, 16 bytes a page that is a redirect, and the names of sources that are
// equal to others.
//
// Pages are only looked up for sources that a crawl has met: those it has a row of, and those to whose pages it has a
// new capture. The rows of all others are those of the generation before, except for what depends on the moment and on
// what other sources say. That is why the pages come first: from then on it is known which of them are new.
func (g *generation) make(parts []Part) (err error) {
	// Rows of other rules, and a Source DB without facts, which an earlier version has made, are nothing to build on.
	g.met.anew = g.before.Version != source.Version || len(g.before.Facts) == 0
	if !g.met.anew {
		g.met.links = newFilter(g.o.Sort.MemoryBytes)
	}
	// Five sorters, which hold what g.o.Sort says together.
	j := newJoin(g.o.Sort)
	defer func() { err = errors.Join(err, j.close()) }()
	err = beside(func() error { return g.mergePages(parts) }, func() error { return g.sharing(parts) })
	if err != nil {
		return err
	}
	if err := g.mergeStates(j, parts); err != nil {
		return err
	}
	// Before pages are looked up: a source that is equal to another is described from the pages of both.
	twins, err := g.twins(j)
	if err != nil {
		return err
	}
	if err := g.askForGroups(j, twins); err != nil {
		return err
	}
	// The sketch takes 2 MiB, whatever the number of names.
	names, tongues := new(sketch), newLanguages()
	err = beside(func() error { return g.join(j) }, func() error { return g.countOthers(names, tongues) })
	if err != nil {
		return err
	}
	return g.describe(j.hits, twins, names, tongues)
}

// mergeStates merges the states. As they are written, each asks for the pages of its items: one pass does for both.
func (g *generation) mergeStates(j *joining, parts []Part) (err error) {
	w := g.shards("states")
	defer w.abort()
	err = inOrder(g.askers(parts), g.lookAt, func(list []asker) error {
		for i := range list {
			if err := errors.Join(w.add(list[i].key, list[i].value), g.ask(j, &list[i])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	g.next.States, err = w.close()
	return err
}

func (g *generation) asOf() time.Time {
	if !g.o.AsOf.IsZero() {
		return g.o.AsOf.UTC()
	}
	// Not the clock: the same collections give the same bytes on any day.
	return time.Unix(g.last, 0).UTC()
}
