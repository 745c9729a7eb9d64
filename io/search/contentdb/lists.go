package contentdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrNotThere means that the collection has no links or feeds.
var ErrNotThere = errors.New("contentdb: the collection does not have them")

// Links yields the links of all pages, page by page. It is ErrNotThere if the run listed no links, and for an earlier
// snapshot, which only has documents. Pages that may not be read have no links.
func (db *DB) Links(ctx context.Context) iter.Seq2[schemas.Link, error] {
	if db.o.Files != nil {
		return failed[schemas.Link](fmt.Errorf("%w: a snapshot has documents alone", ErrNotThere))
	}
	if err := hasLinks(db.part); err != nil {
		return failed[schemas.Link](err)
	}
	return readable(ctx, db, db.part.Links(ctx), pageOfLink)
}

// ListsLinks reports whether Links has those of the collection.
func (db *DB) ListsLinks() bool { return db.o.Files == nil && hasLinks(db.part) == nil }

// hasLinks returns ErrNotThere if the run listed no links.
func hasLinks(part holdings.Part) error {
	if len(part.Shards) > 0 && !slices.Contains(holdings.FormatsOf(part.Shards), holdings.FormatLinks) {
		return fmt.Errorf("%w: links are listed by `ingest --extract=links --format=links`, beside other formats",
			ErrNotThere)
	}
	return nil
}

// Data yields the structured data of all pages, page by page. It is ErrNotThere as in Links. Pages that may not be read
// have none.
func (db *DB) Data(ctx context.Context) iter.Seq2[schemas.Datum, error] {
	if db.o.Files != nil {
		return failed[schemas.Datum](fmt.Errorf("%w: a snapshot has documents alone", ErrNotThere))
	}
	if len(db.part.Shards) > 0 && !slices.Contains(holdings.FormatsOf(db.part.Shards), holdings.FormatData) {
		return failed[schemas.Datum](fmt.Errorf("%w: structured data is listed by `ingest --extract=data --format=data`, "+
			"beside other extractors and formats", ErrNotThere))
	}
	return readable(ctx, db, db.part.Data(ctx), pageOfDatum)
}

// Feeds yields the feeds that captures contain or announce. It is ErrNotThere as in Links.
// Captures that may not be read have no feeds.
func (db *DB) Feeds(ctx context.Context) iter.Seq2[schemas.FeedCapture, error] {
	if db.o.Files != nil {
		return failed[schemas.FeedCapture](fmt.Errorf("%w: a snapshot has documents alone", ErrNotThere))
	}
	isFeeds := func(s schemas.Shard) bool { return strings.HasPrefix(s.Name, "feeds-") }
	if len(db.part.Shards) > 0 && !slices.ContainsFunc(db.part.Shards, isFeeds) {
		return failed[schemas.FeedCapture](fmt.Errorf("%w: feeds are listed by `ingest --extract=feeds`, beside others",
			ErrNotThere))
	}
	return readable(ctx, db, db.part.Feeds(ctx), pageOfFeed)
}

// failed yields only an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}
