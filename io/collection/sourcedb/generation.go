package sourcedb

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
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
// new capture. The rows of all others are those of the generation before, but for what depends on the moment and on
// what other sources say. That is why the pages come first: from then on it is known which of them are new.
func (g *generation) make(parts []Part) (err error) {
	// Rows of other rules, and a Source DB without facts, which an earlier version has made, are nothing to build on.
	g.met.anew = g.before.Version != source.Version || len(g.before.Facts) == 0
	// Five sorters, which hold what g.o.Sort says together.
	j := newJoin(g.o.Sort)
	defer func() { err = errors.Join(err, j.close()) }()
	err = beside(func() error { return g.mergePages(parts) }, func() (err error) {
		j.may, err = g.sharing(parts)
		return err
	})
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
	// The states of the generation before are one of the runs: what was known is merged with what is new.
	runs := g.runs(g.before.States, parts, func(p Part) schemas.Shard { return p.States }, joinStates)
	states := ahead(fold(runs, joinStates))
	facts, stop := iter.Pull2(g.chain(g.before.Facts))
	defer stop()
	g.next.States, err = g.write("states", states, func(r record) error {
		changed := g.met.anew || r.fresh
		// Facts stand in the order of the states, one for each.
		if r.before && !g.met.anew {
			f, err, ok := facts()
			if err != nil || !ok || string(f.key) != string(r.key) {
				return errors.Join(errRun, err)
			}
			changed = changed || source.IsGrouped(f.value)
		}
		return g.ask(j, r, changed)
	})
	return err
}

// write writes records as shards, and gives each to see.
func (g *generation) write(
	kind string, records iter.Seq2[record, error], see func(record) error,
) ([]schemas.Shard, error) {
	w := g.shards(kind)
	defer w.abort()
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		if err := errors.Join(w.add(r.key, r.value), see(r)); err != nil {
			return nil, err
		}
	}
	return w.close()
}

func (g *generation) asOf() time.Time {
	if !g.o.AsOf.IsZero() {
		return g.o.AsOf.UTC()
	}
	// Not the clock: the same collections give the same bytes on any day.
	return time.Unix(g.last, 0).UTC()
}
