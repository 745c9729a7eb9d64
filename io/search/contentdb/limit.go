package contentdb

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrWithheld means that a reader may know of a capture, but may not read it.
var ErrWithheld = errors.New("contentdb: this capture may not be read here")

// ErrLimited means that a DB with limits cannot answer a question about the whole collection.
var ErrLimited = errors.New("contentdb: only readers of the whole collection may ask this")

// Limits are what a reader may see of a collection; nil accepts everything. See DB.Limited.
type Limits struct {
	// Listed accepts the captures that exist for the reader. The others are found by no query and counted by none.
	Listed query.Expr
	// Whole accepts the captures whose content the reader may see. Of other listed captures, only the columns of
	// Catalogue are shown and searched, and those that Whole and Listed read.
	Whole query.Expr
}

// Catalogue are the columns that describe a capture without its content. New columns count as content.
var Catalogue = []string{
	"authors", "body_bytes", "charset", "charset_basis", "digest", "domain", "filename", "host", "language", "length",
	"mime_basis", "mime_conflict", "mime_declared", "mime_detected", "modified", "offset", "page_type", "published",
	"publisher", "record_id", "record_type", "sequence", "source_id", "status", "surt", "timestamp", "title", "url",
}

// Long are columns of content that no Whole may read: their values would have to be shown.
var Long = []string{"comments", "description", "main_html", "posts", "text"}

// limits are Limits in use. The nil limits accept everything.
type limits struct {
	// listed is not nil, so that its pointer marks filters that have it.
	listed, whole query.Expr
	reads         []string // columns of the two, and the keys
	mayRead       func(*schemas.Document) bool
	// These are shown of captures that may not be read. With what the limits read, mayRead stays true or false of a
	// capture whose content was left out.
	catalogue []string
	cut       projection

	mu      sync.Mutex
	blocked *blocked
}

// Limited returns a view of the collection for a reader: all its answers, counts included, are those of a collection
// with only these captures. It belongs to db, and needs no Close. A second call replaces the limits of the first.
//
// Revisits of captures that are not listed are not listed, either. To find them, the revisits of the collection are
// read.
func (db *DB) Limited(ctx context.Context, by Limits) (*DB, error) {
	whole := &DB{core: db.core}
	if by.Listed == nil && by.Whole == nil {
		return whole, nil
	}
	l := &limits{}
	var err error
	// An empty And accepts everything.
	if l.listed, err = db.Bind(&query.And{List: query.Conjuncts(by.Listed)}); err != nil {
		return nil, err
	}
	if by.Listed != nil {
		if l.listed, err = whole.withoutHidden(ctx, l); err != nil {
			return nil, err
		}
	}
	if by.Whole != nil {
		if l.whole, err = db.Bind(by.Whole); err != nil {
			return nil, err
		}
	}
	if by.Whole != nil && slices.ContainsFunc(append(query.Columns(l.whole), query.Columns(l.listed)...), isLong) {
		return nil, errors.New("contentdb: limits cannot depend on the words of captures that are listed")
	}
	l.reads = union(query.Columns(l.listed), query.Columns(l.whole), keyColumns, []string{"url", "host"})
	l.mayRead = query.Compile(both(l.listed, l.whole))
	l.catalogue = union(Catalogue, l.reads)
	l.cut = newProjection(l.catalogue)
	return &DB{core: db.core, limits: l}, nil
}

// Limits returns the limits of the DB, for another process that opens the collection for the same reader.
func (db *DB) Limits() Limits {
	if db.limits == nil {
		return Limits{}
	}
	return Limits{Listed: db.limits.listed, Whole: db.limits.whole}
}

// IsLimited reports whether the DB shows a part of the collection: see Limited.
func (db *DB) IsLimited() bool { return db.limits != nil }

// MayRead reports whether the content of a capture may be shown. d is an answer of this DB, with the needed columns.
func (db *DB) MayRead(d *schemas.Document) bool {
	// Every capture has a URL, so one without is not an answer of this DB.
	return db.limits == nil || d.URL != "" && db.limits.mayRead(d)
}

// narrow returns a filter within the limits.
func (l *limits) narrow(where query.Expr) query.Expr {
	if l == nil {
		return where
	}
	return &query.And{List: append([]query.Expr{l.listed}, query.Conjuncts(l.onWhole(where))...)}
}

// has reports whether narrow has made a filter.
func (l *limits) has(where query.Expr) bool {
	and, is := where.(*query.And)
	return l != nil && is && slices.ContainsFunc(and.List, func(e query.Expr) bool { return e == l.listed || l.has(e) })
}

// onWhole returns a filter whose tests of content fail for captures that may not be read. Otherwise the words of a
// text could be found out one by one.
func (l *limits) onWhole(e query.Expr) query.Expr {
	if l.whole == nil {
		return e
	}
	switch e := e.(type) {
	case *query.And:
		return &query.And{List: l.allOnWhole(e.List)}
	case *query.Or:
		return &query.Or{List: l.allOnWhole(e.List)}
	case *query.Not:
		return &query.Not{X: l.onWhole(e.X)}
	case nil:
		return nil
	}
	if l.shows(query.Columns(e)) {
		return e
	}
	return &query.And{List: []query.Expr{e, l.whole}}
}

func (l *limits) allOnWhole(list []query.Expr) []query.Expr {
	narrowed := make([]query.Expr, len(list))
	for i, e := range list {
		narrowed[i] = l.onWhole(e)
	}
	return narrowed
}

// counting returns the filter of a count by columns: captures that may not be read have no content to be counted by.
func (l *limits) counting(where query.Expr, columns []string) query.Expr {
	if l == nil || l.whole == nil || l.shows(columns) {
		return where
	}
	return both(where, l.whole)
}

// columns adds to wanted columns those that the limits need.
func (l *limits) columns(wanted []string) []string {
	if l == nil {
		return wanted
	}
	return union(wanted, l.reads)
}

// shown returns what the reader may see of a listed capture.
func (l *limits) shown(d *schemas.Document) *schemas.Document {
	if l == nil || l.whole == nil || d == nil || l.mayRead(d) {
		return d
	}
	return l.cut.of(d)
}

// counts reports whether captures can be counted by a field although some may not be read.
func (l *limits) counts(by string) bool {
	if l == nil || l.whole == nil {
		return true
	}
	fields, err := query.NewBy([]string{by})
	return err == nil && l.shows(fields.Columns())
}

// shows reports whether columns are shown of captures that may not be read.
func (l *limits) shows(columns []string) bool {
	return !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(l.catalogue, top(c)) })
}

func isLong(column string) bool { return slices.Contains(Long, column) }
