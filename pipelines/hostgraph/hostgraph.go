// Package hostgraph makes the graph of hosts of a search. The command graph and the server use it, so both have the
// same graph of the same captures.
//
//	keys, err := hostgraph.Keys(ctx, db, where)     // captures whose links count
//	err = hostgraph.Describe(ctx, db, where, b)     // pages, years and languages of hosts
//	err = hostgraph.Build(ctx, links, keys, "", t)  // of a server; t is b.Tally()
//	g, err := t.Hosts()
//
// Of a server, links come from the index of links, of the command from the shards.
package hostgraph

import (
	"context"
	"strconv"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

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
		if language := g.Values[1]; schemas.IsLanguage(language) {
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

// Build counts the links between hosts of the captures with these keys, from an index of links. Place is where links
// count on their pages; "" is everywhere.
func Build(ctx context.Context, x *linkindex.Index, keys Captures, place string, t *linkgraph.Tally) error {
	n := numbers{t: t}
	for p, err := range x.Pages(ctx) {
		if err != nil {
			return err
		}
		if p.Host == "" || !keys.Has(p.Key) {
			continue
		}
		n.enter(p.Names())
		from, err := t.Host(p.Host)
		if err != nil {
			return err
		}
		for i, places := range p.Targets() {
			links := places.Of(place)
			if links == 0 {
				continue
			}
			to, err := n.of(i)
			if err == nil && to != from {
				err = t.Count(from, to, keys.Year(p.Key, p.Year), links)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers has the numbers in a tally of a shard's hosts, so that each name is looked up once for a shard.
type numbers struct {
	t     *linkgraph.Tally
	names []string
	known []uint32 // the number plus 1, or 0
}

// enter begins a shard, if it is another one.
func (n *numbers) enter(names []string) {
	if len(names) > 0 && (len(n.names) == 0 || &names[0] != &n.names[0]) {
		n.names, n.known = names, make([]uint32, len(names))
	}
}

// of returns the number of the host with a number in the shard.
func (n *numbers) of(i int) (uint32, error) {
	if n.known[i] == 0 {
		id, err := n.t.Host(n.names[i])
		if err != nil {
			return 0, err
		}
		n.known[i] = id + 1
	}
	return n.known[i] - 1, nil
}
