package contentdb

import (
	"context"

	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// These limit the work for revisits. With more than maxHidden, all revisits are left out: a filter should stay short.
// After maxLookups, all further ones are left out.
const (
	maxHidden  = 2000
	maxLookups = 5000
)

// withoutHidden returns limits without the revisits of captures that are not listed: the index gives a revisit the
// title of its original.
func (db *DB) withoutHidden(ctx context.Context, l *limits) (query.Expr, error) {
	if db.o.Files == nil && !revisit.Has(db.manifest) {
		return l.listed, nil
	}
	kind := query.Value{Text: string(schemas.TypeRevisit)}
	revisits := &query.Compare{Field: "record_type", Op: query.Equal, Value: kind}
	where := &query.And{List: append([]query.Expr{revisits}, query.Conjuncts(l.listed)...)}
	listed := query.Compile(l.listed)
	columns := union(revisit.Columns, revisit.Filled, query.Columns(l.listed), []string{"host"})
	var hidden []query.Expr
	lookups := 0
	for d, err := range db.Each(ctx, where, columns) {
		if err != nil {
			return nil, err
		}
		gone := lookups >= maxLookups
		if !gone {
			if gone, err = db.ofUnlisted(ctx, d, listed, &lookups, columns); err != nil {
				return nil, err
			}
		}
		if !gone {
			continue
		}
		if hidden = append(hidden, captureOf(d)); len(hidden) > maxHidden {
			hidden = []query.Expr{revisits}
			break
		}
	}
	if len(hidden) == 0 {
		return l.listed, nil
	}
	return &query.And{List: append(query.Conjuncts(l.listed), &query.Not{X: &query.Or{List: hidden}})}, nil
}

// ofUnlisted reports whether the original of a revisit is not listed.
func (db *DB) ofUnlisted(
	ctx context.Context, d *schemas.Document, listed func(*schemas.Document) bool, lookups *int, columns []string,
) (bool, error) {
	named := false
	if to := d.RefersTo; to != nil && to.URL != "" {
		original := *d
		original.URL, original.SURT, original.Timestamp = to.URL, urlkey.SURT(to.URL), to.Timestamp
		original.Host, original.Domain = urlkey.Site(to.URL)
		if !listed(&original) {
			return true, nil
		}
		named = original.SURT == d.SURT && to.Timestamp != ""
	}
	// A reference to another page may be wrong, so the original is looked up.
	if named {
		return false, nil
	}
	*lookups++
	list, err := db.originals(ctx, d, columns)
	for _, o := range list {
		if !listed(o) {
			return true, nil
		}
	}
	return false, err
}

// captureOf returns a filter for a capture, by its page and time, which the index knows.
func captureOf(d *schemas.Document) query.Expr {
	page := &query.Compare{Field: "surt", Op: query.Equal, Value: query.Value{Text: d.SURT}}
	at, err := query.NewCompare("timestamp", query.Equal, d.Timestamp)
	if err != nil {
		return page // it has no time
	}
	return &query.And{List: []query.Expr{page, at}}
}
