package view

import (
	"context"
	"errors"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/pipelines/hostgraph"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// linked are the links that a request may use.
type linked struct {
	index *linkindex.Index
	// keys are the captures that the request finds; nil means all.
	keys hostgraph.Captures
	most int // see maxInto, which it is if it is 0
}

// has reports whether the links of a capture may be used.
func (l *linked) has(r linkindex.Ref) bool { return l.keys.Has(r.Key) }

// These limit the wait for an index of links that is being made.
const (
	linksWait = 5 * time.Second
	linksStep = 50 * time.Millisecond
)

// linked opens the index of links for the captures of a filter. Without links, it returns the reason.
func (v *Views) linked(
	ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, where query.Expr,
) (*linked, *NoLinks, error) {
	x, err := now.Links()
	for end := time.Now().Add(linksWait); errors.Is(err, linkindex.ErrStale) && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(linksStep):
			x, err = now.Links()
		}
	}
	switch {
	case errors.Is(err, contentdb.ErrNotThere):
		return nil, &NoLinks{
			Text:    "This collection has no links: its run did not list them. Read its archives again with links.",
			Command: "ingest --format=jsonl,links" + flagText("output", c.Path()),
		}, nil
	case errors.Is(err, linkindex.ErrStale):
		return nil, nil, &Error{
			Kind: NotReady, Title: "The index of links is not ready", Detail: "It is made in the background.",
			Remedy: "Try again in a minute, or read the server's log.", Retry: 30,
		}
	case err != nil:
		return nil, nil, err
	}
	l := &linked{index: x}
	if where != nil || now.DB.IsLimited() {
		l.keys, err = v.keysOf(ctx, now, where)
	}
	return l, nil, err
}

// keysOf returns the captures that a filter finds and whose content may be read.
func (v *Views) keysOf(ctx context.Context, now *shelf.Snapshot, where query.Expr) (hostgraph.Captures, error) {
	if where != nil {
		return v.readKeys(ctx, now, where)
	}
	// Every page of a reader with limits needs them.
	return shelf.Once(now, "link keys", func() (hostgraph.Captures, error) { return v.readKeys(ctx, now, nil) })
}

func (v *Views) readKeys(
	ctx context.Context, now *shelf.Snapshot, where query.Expr,
) (keys hostgraph.Captures, err error) {
	revisits := 0
	err = v.inTime(ctx, func(ctx context.Context) (err error) {
		keys, revisits, err = hostgraph.Found(ctx, now.DB, where)
		return err
	})
	if err != nil || revisits == 0 {
		return keys, err
	}
	// What this reads is kept for all requests, so it may take longer.
	l, err := hostgraph.NewLookup(ctx, now.DB, revisits, func() (hostgraph.Captures, error) {
		return v.keysOf(ctx, now, nil)
	})
	if err != nil {
		return nil, changed(err)
	}
	return keys, v.inTime(ctx, func(ctx context.Context) error {
		return keys.AddOriginals(ctx, now.DB, where, l)
	})
}

// inTime lists captures for their links, or refuses a search if that takes too long.
func (v *Views) inTime(ctx context.Context, list func(context.Context) error) error {
	late, err := within(ctx, v.findTime, list)
	if late {
		return &Error{
			Kind: Invalid, Title: "This search has too many captures for their links", Param: "query",
			Detail: "Their captures could not be listed in time.",
			Remedy: "Narrow the search by a host, a language or a span of time, or use the command graph.",
		}
	}
	return changed(err)
}
