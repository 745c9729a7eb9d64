package contentdb

import (
	"context"
	"iter"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// blocked are the captures that may not be read, as sorted hashes of their pages and times, and of their places.
type blocked struct{ pages, places []uint64 }

// blocked returns the captures of the whole collection that may not be read.
func (db *DB) blocked(ctx context.Context) (*blocked, error) {
	l := db.limits
	l.mu.Lock() // held while reading, so that only one of several callers reads
	defer l.mu.Unlock()
	if l.blocked != nil {
		return l.blocked, nil
	}
	b := &blocked{}
	all := &DB{core: db.core}
	for d, err := range all.Each(ctx, &query.Not{X: both(l.listed, l.whole)}, keyColumns) {
		if err != nil {
			return nil, err
		}
		b.pages = append(b.pages, pageHash(d.SURT, d.Timestamp))
		b.places = append(b.places, imageindex.Place(d))
	}
	slices.Sort(b.pages)
	slices.Sort(b.places)
	l.blocked = b
	return b, nil
}

func pageHash(surt, timestamp string) uint64 { return xxhash.Sum64String(surt + "\x00" + timestamp) }

// has reports whether a capture is among the blocked ones. Links only know its page and time.
func (b *blocked) has(d *schemas.Document) bool {
	list, hash := b.places, imageindex.Place(d)
	if d.Filename == "" {
		list, hash = b.pages, pageHash(d.SURT, d.Timestamp)
	}
	_, found := slices.BinarySearch(list, hash)
	return found
}

// Shadowed returns a function that reports whether a capture may not be read, or another one of its page and time.
// Links only know these two, so such a capture's links may be the other's.
func (db *DB) Shadowed(ctx context.Context) (func(d *schemas.Document) bool, error) {
	if db.limits == nil {
		return func(*schemas.Document) bool { return false }, nil
	}
	b, err := db.blocked(ctx)
	if err != nil {
		return nil, err
	}
	return func(d *schemas.Document) bool {
		return !db.MayRead(d) || b.has(&schemas.Document{SURT: urlkey.SURT(d.URL), Timestamp: d.Timestamp})
	}, nil
}

// inLists are the columns that links and feeds have of their capture.
var inLists = []string{"domain", "host", "surt", "timestamp", "url"}

// readable leaves out the rows whose capture may not be read.
func readable[T any](
	ctx context.Context, db *DB, rows iter.Seq2[T, error], of func(T) *schemas.Document,
) iter.Seq2[T, error] {
	if db.limits == nil {
		return rows
	}
	return func(yield func(T, error) bool) {
		var b *blocked
		var err error
		// Rows alone do not tell the rest, for example media types.
		if slices.ContainsFunc(query.Columns(both(db.limits.listed, db.limits.whole)), func(c string) bool {
			return !slices.Contains(inLists, c)
		}) {
			b, err = db.blocked(ctx)
		}
		if err != nil {
			failed[T](err)(yield)
			return
		}
		for row, err := range rows {
			if err == nil {
				d := of(row)
				if b != nil && b.has(d) || b == nil && !db.MayRead(d) {
					continue
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func pageOfLink(l schemas.Link) *schemas.Document {
	return &schemas.Document{URL: l.URL, SURT: l.SURT, Host: l.Host, Domain: l.Domain, Timestamp: l.Timestamp}
}

func pageOfDatum(d schemas.Datum) *schemas.Document {
	return &schemas.Document{URL: d.URL, SURT: d.SURT, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp}
}

func pageOfFeed(f schemas.FeedCapture) *schemas.Document {
	d := &schemas.Document{
		URL: f.URL, Host: f.Host, Domain: f.Domain, Timestamp: f.Timestamp, Filename: f.Filename, Offset: f.Offset,
		Sequence: f.Sequence,
	}
	if f.Page != "" {
		d.URL = f.Page
		d.Host, d.Domain = urlkey.Site(f.Page)
	}
	d.SURT = urlkey.SURT(d.URL)
	return d
}
