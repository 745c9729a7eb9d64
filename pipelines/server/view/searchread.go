package view

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// These limit how long captures are read for one query, for example for a phrase, whose words may be in a hundred
// thousand captures. The first is for finding and counting all matches, the second for a page of the newest.
const (
	countTime = 3 * time.Second
	findTime  = 10 * time.Second
)

// uncounted is the note of a search that took longer than countTime.
const uncounted = "This search has to read captures, and there are too many to read them all. These are the newest " +
	"matches; their total is not counted. Words without quotation marks are found at once, and so is a narrower search."

// read is ask with a time limit, if the index does not know the matches and captures must be read. If reading all
// takes too long, the answer is the newest matches, and the returned query is the one for these.
func (v *Views) read(ctx context.Context, now *shelf.Snapshot, s *Search, q query.Query) (query.Query, error) {
	if !now.DB.Reads(q.Where) {
		return q, v.ask(ctx, now, s, q)
	}
	empty := *s
	late, err := within(ctx, v.countTime, func(ctx context.Context) error { return v.ask(ctx, now, s, q) })
	if !late {
		return q, err
	}
	*s, q.Order = empty, query.Newest
	s.Note = uncounted
	// This also applies to further pages, since cursors belong to an order.
	s.Request.Order, s.Request.Facets = "newest", "no"
	if q.After != nil && empty.Request.Order != "newest" {
		q.After, s.Request.Cursor = nil, ""
	}
	late, err = within(ctx, v.findTime, func(ctx context.Context) error { return s.hits(ctx, now, q) })
	if late {
		err = &Error{
			Kind: Invalid, Title: "This search takes too long", Param: "query", Value: s.Request.Query,
			Detail: "Too many captures would have to be read to find some that fit.",
			Remedy: "Leave out the quotation marks, or narrow the search by a host, a language or a month.",
		}
	}
	return q, err
}

// within calls do with a context that has a time limit. It reports whether do failed because of the limit.
func within(ctx context.Context, most time.Duration, do func(context.Context) error) (late bool, err error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err = do(limited)
	return err != nil && limited.Err() != nil && ctx.Err() == nil, err
}
