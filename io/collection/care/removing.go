package care

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// removal removes listed pages from a collection.
type removal struct {
	c         Collection
	f         folder.Folder
	ctx       context.Context
	list      takedown.List
	tell      func(names []string) error // see TakeDown; may be nil
	moved     ledger.Moved
	fewer     map[string]*tally // corrected counts of units whose documents were moved and that have lost some
	documents int64
	shards    int
	later     bool // shards are removed by Expire, after a table was updated
}

func newRemoval(ctx context.Context, c Collection, list takedown.List) *removal {
	return &removal{c: c, f: c.Folder(), ctx: ctx, list: list}
}

// tally counts the remaining documents of a unit as the run did that made it. Recounting, instead of lowering the
// counts, needs no memory of a killed takedown.
type tally struct {
	counts schemas.Counts
	hosts  *schemas.HostCounter
}

func newTally() *tally { return &tally{hosts: schemas.NewHostCounter(shard.UnitHosts)} }

func (t *tally) add(d *schemas.Document) {
	t.counts.Document(d)
	t.hosts.Add(d.Host, 1)
}

// set gives a row these counts and returns how many documents it has lost.
func (t *tally) set(r *ledger.Row) (fewer int64) {
	fewer = r.Counts.Documents - t.counts.Documents
	r.Counts.SetDocuments(t.counts)
	r.Hosts = t.hosts.All()
	return max(fewer, 0)
}

// take reports whether a document is removed, and counts it.
func (t *removal) take(d *schemas.Document) bool {
	if !t.list.Has(d.URL) {
		return false
	}
	t.documents++
	return true
}

// affected reports whether shards of a unit, whose documents were not moved, hold anything of a listed page.
func (t *removal) affected(shards []schemas.Shard) (bool, error) {
	p := holdings.Part{Folder: t.f, Shards: shards}
	for l, err := range p.Captures(t.ctx) {
		if err != nil || t.list.Has(l.URL) {
			return true, err
		}
	}
	for r, err := range p.Rejects(t.ctx) {
		if err != nil || t.list.Has(r.URL) {
			return true, err
		}
	}
	for f, err := range p.Feeds(t.ctx) {
		if err != nil || t.list.Has(f.URL) || t.list.Has(f.Page) {
			return true, err
		}
	}
	for d, err := range p.Documents(t.ctx) {
		if err != nil || t.list.Has(d.URL) {
			return true, err
		}
	}
	for l, err := range p.Links(t.ctx) {
		if err != nil || t.gone(&l) {
			return true, err
		}
	}
	return false, nil
}

// gone reports whether a link is removed: it is on a listed page, or leads to one and so quotes its name or title.
func (t *removal) gone(l *schemas.Link) bool { return t.list.Has(l.URL) || t.list.Has(l.Target) }
