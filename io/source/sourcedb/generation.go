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
	// shardBytes is the size of a shard of states or pages, so that reading can be divided.
	shardBytes = 256 << 20
	// maxHops is how many redirects are followed from an item's link to a page.
	maxHops = 3
)

func cmpStrings(a, b string) int { return strings.Compare(a, b) }

// generation is the state of making a generation.
type generation struct {
	ctx    context.Context
	f      folder.Folder
	o      Options
	before Manifest
	next   Manifest

	sources int64 // feeds
	last    int64 // latest capture time of any source

	touched   touched
	redirects redirects
}

// make merges, joins and describes. It streams everything sorted by key, and sorts on disk in between. Memory grows by
// a byte a source, 16 bytes a redirected page, and the names of equal sources.
//
// Pages are only looked up for sources that a crawl has met. They have a new row, or a new capture of one of their
// pages. Other rows are copied from the previous generation, except for values that depend on time or on other sources.
// So the pages come first, to know which are new.
func (g *generation) make(parts []Part) (err error) {
	// Rows of other rules, or of a version without facts, cannot be reused.
	g.touched.all = g.before.Version != source.Version || len(g.before.Facts) == 0
	if !g.touched.all {
		g.touched.links = newFilter(g.o.Sort.MemoryBytes)
	}
	// Five sorters, which share the memory of g.o.Sort.
	j := newJoin(g.o.Sort)
	defer func() { err = errors.Join(err, j.close()) }()
	err = beside(func() error { return g.mergePages(parts) }, func() error { return g.sharing(parts) })
	if err != nil {
		return err
	}
	if err := g.mergeStates(j, parts); err != nil {
		return err
	}
	// Before pages are looked up, because equal sources are described from the pages of all of them.
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

// mergeStates merges the states. As they are written, each requests the pages of its items, which saves a pass.
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
	// Not the clock, so that the same collections give the same bytes on any day.
	return time.Unix(g.last, 0).UTC()
}
