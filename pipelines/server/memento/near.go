package memento

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// maxNear is how many captures before a moment, and how many after it, are tried.
const maxNear = 8

// Reading is a capture with its payload; a revisit has the payload of its original.
type Reading struct {
	Collection string
	Document   *schemas.Document // with the columns of a list
	Capture    *schemas.Capture
	// Lacking means that a collection could not be read, which may have a nearer capture.
	Lacking bool
}

// Time returns the time of the capture.
func (r *Reading) Time() time.Time { return timeOf(r.Document) }

// Near reads the capture of a URL that is nearest to a moment, among those that fit, in all collections. Captures that
// cannot be read are skipped, and so are redirects to the same URL in another form. Of captures that are equally near,
// one of the first collection is taken.
func (h *Handler) Near(
	ctx context.Context, address string, at time.Time, fits func(*schemas.Capture) bool,
) (*Reading, error) {
	if _, err := contentdb.Versions(contentdb.Exactly(address)); err != nil {
		return nil, &view.Error{Kind: view.NotFound, Title: "The URL cannot be read", Detail: err.Error()}
	}
	found, err := h.gather(ctx, func(found *held, o *opened) error {
		list, err := o.now.DB.Near(ctx, address, clamp(at), maxNear, listColumns)
		found.add(o, list)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer found.release()
	contentdb.SortNear(found.list, clamp(at), address)
	r, err := h.readNear(ctx, found, address, fits)
	if r != nil {
		r.Lacking = found.unread != nil
		return r, nil
	}
	if err = cmp.Or(found.unread, err); err != nil {
		return nil, err
	}
	return nil, &view.Error{
		Kind: view.NotFound, Title: "No capture of this URL", Detail: "No collection has a capture of it that can be shown.",
	}
}

// readNear reads the first capture that fits. The error is that of the first one that cannot be read.
func (h *Handler) readNear(
	ctx context.Context, found *held, address string, fits func(*schemas.Capture) bool,
) (_ *Reading, first error) {
	for _, d := range found.list {
		o := found.of[d]
		c, err := h.capture(ctx, o, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		if !leadsToItself(address, c) && fits(c) {
			return &Reading{Collection: o.name, Document: d, Capture: c}, nil
		}
	}
	if e := (*view.Error)(nil); first != nil && !errors.As(first, &e) {
		first = &view.Error{
			Kind: view.NotFound, Title: "The archive cannot be read", Detail: first.Error(), Remedy: "Start the server with " +
				"--archives=FOLDER.",
		}
	}
	return nil, first
}

// leadsToItself reports whether a capture redirects to its own URL with another scheme or www. Following it would find
// the same capture again.
func leadsToItself(address string, c *schemas.Capture) bool {
	if c.Status < http.StatusMultipleChoices || c.Status >= http.StatusBadRequest {
		return false
	}
	to := c.Get("Location")
	return to != "" && urlkey.SURT(to) == urlkey.SURT(address)
}

// Has reports whether a collection has a dated capture of a URL that is not an error.
func (h *Handler) Has(ctx context.Context, address string) (bool, error) {
	var unread error
	for _, name := range h.v.NamesFor(ctx) {
		has, err := h.has(ctx, name, address)
		if has {
			return true, nil
		}
		unread = cmp.Or(unread, err)
	}
	return false, unread
}

func (h *Handler) has(ctx context.Context, name, address string) (bool, error) {
	now, release, err := h.v.Open(ctx, name)
	if err != nil {
		return false, err
	}
	defer release()
	q, err := contentdb.Versions(contentdb.Exactly(address))
	if err != nil {
		return false, nil // no collection has a URL that cannot be read
	}
	q.Limit = maxNear
	for d, err := range now.DB.Find(ctx, q, listColumns) {
		if err != nil {
			return false, err
		}
		if _, dated := query.ParseTime(d.Timestamp); dated && d.Status < http.StatusBadRequest {
			return true, nil
		}
	}
	return false, nil
}
