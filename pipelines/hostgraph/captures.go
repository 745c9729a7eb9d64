package hostgraph

import (
	"context"
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Captures are captures by their keys; nil means all. The value of an original that is there for its revisits is the
// year of the first of them. It is 0 for captures that were found, and for unknown years.
type Captures map[uint64]int16

// Has reports whether a capture is one of them.
func (c Captures) Has(key uint64) bool {
	_, is := c[key]
	return is || c == nil
}

// Year returns the year in which the links of a capture count. own is its own year.
func (c Captures) Year(key uint64, own int) int {
	if year := c[key]; year != 0 {
		return int(year)
	}
	return own
}

// Keys returns the captures that a filter finds and whose content may be read, with the originals of revisits. It
// returns nil for all captures.
func Keys(ctx context.Context, db *contentdb.DB, where query.Expr) (Captures, error) {
	keys, revisits, err := Found(ctx, db, where)
	if err != nil || revisits == 0 {
		return keys, err
	}
	l, err := NewLookup(ctx, db, revisits, func() (Captures, error) {
		all, _, err := Found(ctx, db, nil)
		return all, err
	})
	if err == nil {
		err = keys.AddOriginals(ctx, db, where, l)
	}
	return keys, err
}

// Found is Keys without the originals. It returns the number of revisits for AddOriginals: without a filter there are
// none, since their originals are found.
func Found(ctx context.Context, db *contentdb.DB, where query.Expr) (keys Captures, revisits int, err error) {
	if where == nil && !db.IsLimited() {
		return nil, 0, nil
	}
	shadowed, err := db.Shadowed(ctx)
	if err != nil {
		return nil, 0, err
	}
	keys = Captures{}
	q := query.Query{Where: where, AllVersions: true}
	for d, err := range db.Find(ctx, q, []string{"url", "timestamp", "record_type"}) {
		if err != nil {
			return nil, 0, err
		}
		if shadowed(d) {
			continue
		}
		keys[linkindex.Key(d.URL, d.Timestamp)] = 0
		if where != nil && d.RecordType == schemas.TypeRevisit {
			revisits++
		}
	}
	return keys, revisits, nil
}

// fewRevisits is how many revisits are looked up one by one. For more, all revisits of the collection are read once.
const fewRevisits = 64

// Lookup finds the originals of revisits.
type Lookup struct {
	set      *revisit.Set // nil if the page of each revisit is read
	readable Captures     // used with set; nil means all
}

// NewLookup returns the cheapest Lookup for a number of revisits. For many, it calls readable if a reader has limits,
// for all captures whose content may be read.
func NewLookup(
	ctx context.Context, db *contentdb.DB, revisits int, readable func() (Captures, error),
) (l Lookup, err error) {
	if revisits <= fewRevisits {
		return l, nil
	}
	if db.IsLimited() {
		if l.readable, err = readable(); err != nil {
			return l, err
		}
	}
	l.set, err = db.Revisits(ctx)
	return l, err
}

// AddOriginals adds the originals of the revisits that a filter finds: links have rows only for these.
func (c Captures) AddOriginals(ctx context.Context, db *contentdb.DB, where query.Expr, l Lookup) error {
	shadowed, err := db.Shadowed(ctx)
	if err != nil {
		return err
	}
	only, err := query.NewCompare("record_type", query.Equal, string(schemas.TypeRevisit))
	if err != nil {
		return err
	}
	q := query.Query{Where: &query.And{List: append([]query.Expr{only}, query.Conjuncts(where)...)}, AllVersions: true}
	for d, err := range db.Find(ctx, q, revisit.Columns) {
		if err != nil {
			return err
		}
		if shadowed(d) {
			continue
		}
		key, ok := l.set.Linked(d)
		ok = ok && l.readable.Has(key)
		if l.set == nil {
			p := pages{ctx: ctx, db: db}
			o, err := p.original(d, 0)
			if err != nil {
				return err
			}
			if ok = o != nil && o.SURT == d.SURT && !shadowed(o); ok {
				key = linkindex.Key(o.URL, o.Timestamp)
			}
		}
		if ok {
			c.addOriginal(key, d.Timestamp)
		}
	}
	return nil
}

// addOriginal adds the original of a revisit that has a timestamp.
func (c Captures) addOriginal(key uint64, timestamp string) {
	year, err := strconv.ParseInt(timestamp[:min(4, len(timestamp))], 10, 16)
	if err != nil {
		year = 0
	}
	if old, is := c[key]; !is || int64(old) > year {
		c[key] = int16(year)
	}
}

// These bound the revisits of revisits, as in package revisit.
const (
	maxHops  = 8
	maxSteps = 64 // for one revisit
)

// pages looks for the original of one revisit. Only originals of its own page count, so no other part of the collection
// is read.
type pages struct {
	ctx   context.Context
	db    *contentdb.DB
	steps int
}

// original returns the capture to which a revisit refers, or nil.
func (p *pages) original(d *schemas.Document, hop int) (*schemas.Document, error) {
	list, err := p.db.OriginalsOnPage(p.ctx, d)
	if err != nil {
		return nil, err
	}
	for _, o := range list {
		if o.RecordType != schemas.TypeRevisit {
			return o, nil
		}
		if p.steps++; hop == maxHops || p.steps > maxSteps {
			continue
		}
		if found, err := p.original(o, hop+1); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}
