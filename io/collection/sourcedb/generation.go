package sourcedb

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
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
}

// make merges, joins and describes.
// Everything is streamed in the order of keys, and sorted on the disk in between: the memory does not grow with the
// number of sources, but for the names of those that are equal to others.
func (g *generation) make(parts []Part) (err error) {
	// Four sorters, each of which may hold what g.o.Sort says.
	j := newJoin(g.o.Sort)
	defer func() { err = errors.Join(err, j.close()) }()
	// The states of the generation before are one of the runs: what was known is merged with what is new.
	states := fold(g.runs(g.before.States, parts, func(p Part) schemas.Shard { return p.States }), joinStates)
	// As they are written, each state asks for the pages of its items: one pass does for both.
	if g.next.States, err = g.write("states", states, func(r record) error { return g.ask(j, r) }); err != nil {
		return err
	}
	// Pages likewise. A later capture of a page takes the place of an earlier one.
	pages := fold(g.runs(g.before.Pages, parts, func(p Part) schemas.Shard { return p.Pages }), joinPages)
	count := func(record) error { g.next.Counts.Pages++; return nil }
	if g.next.Pages, err = g.write("pages", pages, count); err != nil {
		return err
	}
	// Behind both: pages are looked up among those of this generation.
	if err := g.join(j, j.links, maxHops); err != nil {
		return err
	}
	// Behind the join, which has noted the pairs, and before the sources, of which each says whether it is another's
	// name.
	twins, err := g.twins(j)
	if err != nil {
		return err
	}
	return g.describe(j.hits, twins)
}

// write writes records as shards, and gives each to see.
func (g *generation) write(
	kind string, records iter.Seq2[record, error], see func(record) error,
) (list []schemas.Shard, err error) {
	var w *runWriter
	defer func() {
		// After an error the shard that was begun is removed.
		if w != nil {
			w.abort()
		}
	}()
	// What commit has failed to name is hidden, and is swept by the next run.
	finish := func() error {
		s, err := w.commit()
		list, w = append(list, s), nil
		return err
	}
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		if w == nil {
			if w, err = newRun(g.f, shardName(kind, len(list), ".bin.zst")); err != nil {
				return nil, err
			}
		}
		if err := errors.Join(w.add(r.key, r.value), see(r)); err != nil {
			return nil, err
		}
		// Compressed bytes, as the file has them.
		if w.size >= shardBytes {
			if err := finish(); err != nil {
				return nil, err
			}
		}
	}
	if w != nil {
		err = finish()
	}
	return list, err
}

func (g *generation) asOf() time.Time {
	if !g.o.AsOf.IsZero() {
		return g.o.AsOf.UTC()
	}
	// Not the clock: the same collections give the same bytes on any day.
	return time.Unix(g.last, 0).UTC()
}
