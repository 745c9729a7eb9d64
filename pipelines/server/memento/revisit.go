package memento

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// These limit the work for one revisit. Crawlers write revisits of revisits by referring to the last capture that they
// know, and a forged file may have circular references.
const (
	maxHops  = 8
	maxReads = 32 // records that are tried
	maxSteps = 64 // revisits that are followed
	// For some originals, the whole of each collection is searched, so many requests wait for each other.
	maxLooking = 2
)

// resolver finds the payload of a revisit in the collections of the server.
type resolver struct {
	h     *Handler
	names []string // of collections, with the revisit's own first
	seen  map[string]bool
	reads int
	steps int
	// URLs that were taken down from the revisit's collection must not come back through another collection.
	gone takedown.List
	bad  []string // captures that match but cannot be read, and why
}

// capture returns one of the found captures in its original form: a revisit gets the payload of its original.
func (h *Handler) capture(ctx context.Context, found *opened, d *schemas.Document) (*schemas.Capture, error) {
	d, err := document(ctx, found.now, d)
	if err != nil {
		return nil, err
	}
	// Its own record is read first, since it has the server's header of that time.
	own, err := h.read(ctx, found.now, d)
	if errors.Is(err, contentdb.ErrWithheld) {
		return nil, h.v.Withheld(ctx, found.name, d)
	}
	// For other captures, an error is final. The payload of a revisit is elsewhere.
	if d.RecordType != schemas.TypeRevisit {
		return own, err
	}
	// The original is described by the document in the index.
	w := revisit.WantedBy(d)
	// Its digest is that of an empty payload, so the search is not needed.
	if err == nil && w.Empty() {
		own.Body = nil
		return own, nil
	}
	select {
	// Searching all collections is expensive; only a few searches at a time leave room for others.
	case h.looking <- struct{}{}:
		defer func() { <-h.looking }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	// The collection of the revisit is tried first, then the others in the server's order.
	others := slices.DeleteFunc(h.v.NamesFor(ctx), func(name string) bool { return name == found.name })
	r := &resolver{h: h, names: append([]string{found.name}, others...), seen: map[string]bool{}}
	if r.gone, err = takedown.Read(found.now.DB.Folder()); err != nil {
		return nil, err
	}
	c, err := r.original(ctx, d, 0)
	if err != nil {
		return nil, err
	}
	if c == nil && found.now.DB.IsLimited() {
		return nil, &view.Error{Kind: view.NotFound, Title: "The original of this revisit is not here"}
	}
	if c == nil {
		return nil, r.missing(d, &w)
	}
	return merged(own, c), nil
}

// document returns the capture at the place of d, with the fields that distinguish revisits from other captures.
func document(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Document, error) {
	at, err := query.NewCompare("timestamp", query.Equal, timeOf(d).Format(time.RFC3339Nano))
	if err != nil {
		return nil, err
	}
	// The index finds it by key and time; the place distinguishes captures of the same second.
	page := &query.Compare{Field: "surt", Op: query.Equal, Value: query.Value{Text: d.SURT}}
	for one, err := range now.DB.Each(ctx, &query.And{List: []query.Expr{page, at}}, revisit.Columns) {
		if err != nil {
			return nil, err
		}
		if revisit.PlaceOf(one) == revisit.PlaceOf(d) {
			return one, nil
		}
	}
	// This happens only if a run ended between the two queries.
	return nil, fmt.Errorf("%s: %w", d.URL, holdings.ErrChanged)
}

// read reads a capture from its archive, in the same way as "query" exports one. This checks that the record at the
// place is the right one.
func (h *Handler) read(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Capture, error) {
	return h.v.Exporter(now.DB).Capture(ctx, d)
}

// original returns the capture that a revisit refers to, with its payload. It returns nil if no collection has it.
func (r *resolver) original(ctx context.Context, d *schemas.Document, hop int) (*schemas.Capture, error) {
	// The first collection that has it is used: all copies have the same digest.
	for _, name := range r.names {
		c, err := r.in(ctx, name, d, hop)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// in searches one collection. A collection that cannot be read counts as empty.
func (r *resolver) in(ctx context.Context, name string, d *schemas.Document, hop int) (*schemas.Capture, error) {
	now, release, err := r.h.v.Open(ctx, name)
	if err != nil {
		if e := (*view.Error)(nil); !errors.As(err, &e) || !e.Empty {
			r.bad = append(r.bad, fmt.Sprintf("the collection %s: %v", name, err))
		}
		return nil, nil
	}
	defer release()
	list, err := now.DB.Originals(ctx, d)
	if err != nil {
		r.bad = append(r.bad, fmt.Sprintf("the collection %s: %v", name, err))
		return nil, ctx.Err()
	}
	for _, o := range list {
		// Two revisits may refer to each other.
		key := fmt.Sprint(name, revisit.PlaceOf(o))
		if r.seen[key] || r.reads >= maxReads || r.gone.Has(o.URL) {
			continue
		}
		r.seen[key] = true
		c, err := r.payload(ctx, now, o, hop)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// payload reads a capture that may be the original. It returns nil if its payload is not available.
func (r *resolver) payload(
	ctx context.Context, now *shelf.Snapshot, o *schemas.Document, hop int,
) (*schemas.Capture, error) {
	if o.RecordType == schemas.TypeRevisit {
		// This is limited, since a chain may be made very long, and many revisits may refer to each other.
		if r.steps++; hop+1 >= maxHops || r.steps > maxSteps {
			return nil, nil
		}
		return r.original(ctx, o, hop+1)
	}
	// It is counted before it is read, so that failures count too.
	r.reads++
	c, err := r.h.read(ctx, now, o)
	// If the request has ended, the capture is not necessarily unreadable.
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch {
	case err != nil:
		r.bad = append(r.bad, fmt.Sprintf("%s at byte %d: %v", o.Filename, o.Offset, err))
		return nil, nil
	// A damaged payload is not returned for another capture.
	case schemas.Damaged(c.Flags):
		r.bad = append(r.bad, fmt.Sprintf("%s at byte %d: damaged: %v", o.Filename, o.Offset, c.Flags))
		return nil, nil
	}
	return c, nil
}

// missing returns the error for a revisit whose original is missing.
func (r *resolver) missing(d *schemas.Document, w *revisit.Wanted) error {
	// All details of the revisit are included, since readers must look for the original elsewhere.
	parts := []string{"It refers to " + cmp.Or(w.URL, d.URL)}
	if !w.At.IsZero() {
		parts = append(parts, "of "+w.At.Format(http.TimeFormat))
	}
	if w.ID != "" {
		parts = append(parts, "record "+w.ID)
	}
	if s := w.Digest.String(); s != "" {
		parts = append(parts, "payload "+s)
	}
	e := &view.Error{
		Kind: view.NotFound, Title: "The original of this revisit is not here",
		Detail: strings.Join(parts, ", ") + ". No collection here has a capture of it.",
		Remedy: "Serve the collection that has it, too.",
	}
	// The original exists but cannot be read, which needs a different remedy.
	if len(r.bad) > 0 {
		e.Title = "The original of this revisit cannot be read"
		// Three are enough to see the problem.
		e.Detail = strings.Join(parts, ", ") + ". " + strings.Join(r.bad[:min(len(r.bad), 3)], "; ") + "."
		e.Remedy = "Start the server with --archives=FOLDER, if the archives were moved."
	}
	return e
}

// merged returns an original as the revisit describes it (sections 6.7.2 and 6.7.3 of WARC/1.1). It has the revisit's
// URL and, if there is one, its HTTP header. The header of a 304 has only the changed fields, and leaves out the others
// (RFC 9111, section 3.2).
func merged(own, original *schemas.Capture) *schemas.Capture {
	// This is a shallow copy; its header is replaced further down, and not changed.
	out := *original
	if own == nil {
		return &out
	}
	// Links of the page are relative to the address that was visited.
	out.URL = cmp.Or(own.URL, original.URL)
	switch {
	case own.Status == http.StatusNotModified:
		out.Header = slices.DeleteFunc(slices.Clone(original.Header), func(f schemas.Field) bool {
			return own.Get(f.Name) != ""
		})
		out.Header = append(out.Header, own.Header...)
	case own.Status > 0:
		out.Status, out.Header = own.Status, own.Header
	}
	return &out
}

// These limit the part of an archived HTTP header that is sent.
const (
	maxFields     = 100
	maxHeadBytes  = 32 << 10 // some clients accept no more
	archivedField = "X-Archive-Orig-"
)

// archived adds an archived HTTP header to an answer. Each name gets a prefix, the one that replay tools use, so that
// it has no effect on browsers.
func archived(head http.Header, c *schemas.Capture) {
	if c.Status > 0 {
		head.Set(archivedField+"Status", fmt.Sprint(c.Status))
	}
	// Fields that do not fit are left out one by one; small later fields may still fit.
	left := maxHeadBytes
	for _, f := range c.Header[:min(len(c.Header), maxFields)] {
		if size := len(f.Name) + len(f.Value); size <= left && isToken(f.Name) && isValue(f.Value) {
			head.Add(archivedField+f.Name, f.Value)
			left -= size
		}
	}
}

// isToken reports whether a name is a valid field name (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// isValue reports whether a value is allowed in a header. Archived values may contain any byte.
func isValue(value string) bool {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
