package care

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
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
	for _, has := range []func() (bool, error){
		func() (bool, error) {
			return some(p.Captures(t.ctx), func(l cdx.Line) bool { return t.list.Has(l.URL) })
		},
		func() (bool, error) {
			return some(p.Rejects(t.ctx), func(r schemas.Reject) bool { return t.list.Has(r.URL) })
		},
		func() (bool, error) { return some(p.Feeds(t.ctx), t.list.Feed) },
		func() (bool, error) { return some(t.contents(p), t.list.Content) },
		func() (bool, error) { return some(p.URLs(t.ctx), t.list.Has) },
		func() (bool, error) { return some(p.Links(t.ctx), func(l schemas.Link) bool { return t.gone(&l) }) },
		func() (bool, error) {
			return some(p.Data(t.ctx), func(row schemas.Datum) bool { return t.goneData(&row) })
		},
	} {
		if is, err := has(); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// some reports whether is holds for one of the rows.
func some[T any](rows iter.Seq2[T, error], is func(T) bool) (bool, error) {
	for r, err := range rows {
		if err != nil || is(r) {
			return err == nil, err
		}
	}
	return false, nil
}

// contents yields the contents of a part.
func (t *removal) contents(p holdings.Part) iter.Seq2[*datastreamer.Content, error] {
	return holdings.Each(t.ctx, p.Of(holdings.KindContent),
		func(s schemas.Shard) iter.Seq2[*datastreamer.Content, error] {
			return holdings.ReadLines[*datastreamer.Content](t.f, s)
		})
}

// gone reports whether a link is removed: it is on a listed page, or leads to one and so quotes its name or title.
func (t *removal) gone(l *schemas.Link) bool { return t.list.Has(l.URL) || t.list.Has(l.Target) }

// goneData reports whether a row of structured data is removed: it is of a listed page, or its value is one.
func (t *removal) goneData(row *schemas.Datum) bool { return t.list.Has(row.URL) || t.list.Quotes(row) }
