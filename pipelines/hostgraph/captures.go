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
	if err == nil {
		err = keys.AddOriginals(ctx, db, where, revisits)
	}
	return keys, err
}

// Found is Keys without the originals, and returns the number of revisits.
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
		if d.RecordType == schemas.TypeRevisit {
			revisits++
		}
	}
	return keys, revisits, nil
}

// fewRevisits is how many revisits are looked up one by one. For more, all revisits of the collection are read once.
const fewRevisits = 64

// AddOriginals adds the originals of the revisits that a filter finds: links have rows only for these. It needs their
// number.
func (c Captures) AddOriginals(ctx context.Context, db *contentdb.DB, where query.Expr, revisits int) error {
	// Without a filter, all originals have been found.
	if revisits == 0 || where == nil {
		return nil
	}
	shadowed, err := db.Shadowed(ctx)
	if err != nil {
		return err
	}
	var readable Captures // nil means all
	if db.IsLimited() {
		if readable, _, err = Found(ctx, db, nil); err != nil {
			return err
		}
	}
	var all *revisit.Set
	if revisits > fewRevisits {
		if all, err = db.Revisits(ctx); err != nil {
			return err
		}
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
		key, ok := all.Linked(d)
		if all == nil {
			if key, ok, err = originalOf(ctx, db, d); err != nil {
				return err
			}
		}
		if ok && readable.Has(key) {
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

// maxHops bounds the revisits of revisits.
const maxHops = 8

// originalOf is Set.Linked for one revisit.
func originalOf(ctx context.Context, db *contentdb.DB, d *schemas.Document) (key uint64, ok bool, err error) {
	o := d
	for range maxHops {
		list, err := db.Originals(ctx, o)
		if err != nil || len(list) == 0 {
			return 0, false, err
		}
		if o = list[0]; o.RecordType != schemas.TypeRevisit {
			break
		}
	}
	if o.RecordType == schemas.TypeRevisit || o.SURT != d.SURT {
		return 0, false, nil
	}
	return linkindex.Key(o.URL, o.Timestamp), true, nil
}
