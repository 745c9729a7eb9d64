package view

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// How long captures are read for one question, as for a phrase, whose words a hundred thousand may have: to know and
// count all that fit, and then for a page of the newest.
const (
	countTime = 3 * time.Second
	findTime  = 10 * time.Second
)

// uncounted is what a search says that took longer than countTime.
const uncounted = "To find this, captures have to be read, and there are too many to read them all: these are the " +
	"newest, and are not counted. Words without quotation marks are found at once, and so is a narrower search."

// read is ask, and bounds how long captures are read where the index does not know which of them fit. Where that takes
// too long for all of them, the newest are the answer, and it gives the question for these.
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
	// Also where a page is turned: marks are of an order.
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

// within calls do with a context that ends after some time, and reports whether that was why it failed.
func within(ctx context.Context, most time.Duration, do func(context.Context) error) (late bool, err error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err = do(limited)
	return err != nil && limited.Err() != nil && ctx.Err() == nil, err
}
