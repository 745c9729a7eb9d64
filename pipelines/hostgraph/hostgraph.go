// Package hostgraph makes the graph of hosts of a search. The command graph and the server use it, so both have the
// same graph of the same captures.
//
//	keys, err := hostgraph.Keys(ctx, db, where)     // captures whose links count
//	err = hostgraph.Describe(ctx, db, where, b)     // pages, years and languages of hosts
//	g, err := b.Hosts()
//
// Of a server, links come from the index of links, of the command from the shards.
package hostgraph

import (
	"context"
	"strconv"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Captures are captures by their keys; nil means all.
type Captures map[uint64]struct{}

// Has reports whether a capture is one of them.
func (c Captures) Has(key uint64) bool {
	_, is := c[key]
	return is || c == nil
}

// Keys returns the captures that a filter finds and whose content may be read. It returns nil for all captures.
func Keys(ctx context.Context, db *contentdb.DB, where query.Expr) (Captures, error) {
	if where == nil && !db.IsLimited() {
		return nil, nil
	}
	shadowed, err := db.Shadowed(ctx)
	if err != nil {
		return nil, err
	}
	keys := Captures{}
	for d, err := range db.Find(ctx, query.Query{Where: where, AllVersions: true}, []string{"url", "timestamp"}) {
		if err != nil {
			return nil, err
		}
		if !shadowed(d) {
			keys[linkindex.Key(d.URL, d.Timestamp)] = struct{}{}
		}
	}
	return keys, nil
}

// Describe adds pages, years and languages of hosts, from the captures that a filter finds.
func Describe(ctx context.Context, db *contentdb.DB, where query.Expr, b *linkgraph.Builder) error {
	list := map[string]*linkgraph.Host{}
	host := func(name string) *linkgraph.Host {
		if list[name] == nil {
			list[name] = &linkgraph.Host{}
		}
		return list[name]
	}
	groups, err := db.Facets(ctx, query.Query{Where: where, AllVersions: true}, []string{"host", "year"}, 0)
	if err != nil {
		return err
	}
	for _, g := range groups {
		h := host(g.Values[0])
		h.Captures += g.Count
		year, err := strconv.Atoi(g.Values[1])
		if err != nil {
			continue // captures without a date
		}
		if h.First == 0 || year < h.First {
			h.First = year
		}
		h.Last = max(h.Last, year)
	}
	// The newest capture of each page counts. The most frequent language comes first.
	if groups, err = db.Facets(ctx, query.Query{Where: where}, []string{"host", "language"}, 0); err != nil {
		return err
	}
	for _, g := range groups {
		h := host(g.Values[0])
		h.Pages += g.Count
		if language := g.Values[1]; language != "" && language != "und" {
			h.Languages++
			if h.Language == "" {
				h.Language = language
			}
		}
	}
	for name, h := range list {
		b.Describe(name, *h)
	}
	return nil
}

// Build makes the graph of hosts of the captures with these keys from an index of links. Place is where links count on
// their pages; "" is everywhere.
func Build(ctx context.Context, x *linkindex.Index, keys Captures, place string, b *linkgraph.Builder) error {
	type edge struct {
		to   string
		year int
	}
	host, sums := "", map[edge]int64{}
	flush := func() error {
		for e, n := range sums {
			if err := b.Count(host, e.to, e.year, n); err != nil {
				return err
			}
		}
		clear(sums)
		return nil
	}
	for p, err := range x.Pages(ctx) {
		if err != nil {
			return err
		}
		if p.Host == "" || !keys.Has(p.Key) {
			continue
		}
		// Pages of a host are adjacent in a shard.
		if p.Host != host {
			if err := flush(); err != nil {
				return err
			}
			host = p.Host
		}
		for to, places := range p.Hosts() {
			if n := places.Of(place); n > 0 && to != host {
				sums[edge{to, p.Year}] += n
			}
		}
	}
	return flush()
}
