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

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Bounds of what is done for one revisit. Revisits of revisits are written by crawlers that refer to the last capture
// they know, and a file that somebody made may refer in a circle.
const (
	maxHops  = 8
	maxReads = 32 // records that are tried
	// For some originals all of each collection is looked at: many requests wait for each other.
	maxLooking = 2
)

// resolver finds the payload of a revisit in the collections that are served.
type resolver struct {
	h     *Handler
	names []string // of collections, that of the revisit first
	seen  map[string]bool
	reads int
	// What was taken down of the revisit's collection comes back by no other collection.
	gone collection.Takedowns
	bad  []string // captures that would be it and cannot be read, and why
}

// capture is one of the captures that were found, as it was: a revisit with the payload of its original.
func (h *Handler) capture(ctx context.Context, found *held, d *schemas.Document) (*schemas.Capture, error) {
	d, err := document(ctx, found.now, d)
	if err != nil {
		return nil, err
	}
	// Its own record first: it has the head that the server sent then.
	own, err := h.read(ctx, found.now, d)
	// An error is final for other captures only: a revisit's payload is elsewhere.
	if d.RecordType != schemas.TypeRevisit {
		return own, err
	}
	// By what the document says of it, as the index has it.
	w := revisit.WantedBy(d)
	// By its digest the payload is empty, so there is nothing to look for.
	if err == nil && w.Empty() {
		own.Body = nil
		return own, nil
	}
	select {
	// A look at all collections is work; a few at a time leave room for others.
	case h.looking <- struct{}{}:
		defer func() { <-h.looking }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	// The collection that was asked knows best; the rest in the order of the server.
	others := slices.DeleteFunc(h.v.Names(), func(name string) bool { return name == found.name })
	r := &resolver{h: h, names: append([]string{found.name}, others...), seen: map[string]bool{}}
	if r.gone, err = collection.ReadTakedowns(found.now.DB.Folder()); err != nil {
		return nil, err
	}
	c, err := r.original(ctx, d, 0)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, r.missing(d, &w)
	}
	return merged(own, c), nil
}

// document is the capture at the place of d with what tells revisits from others.
func document(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Document, error) {
	at, err := query.NewCompare("timestamp", query.Equal, timeOf(d).Format(time.RFC3339Nano))
	if err != nil {
		return nil, err
	}
	// The index answers by key and time; the place tells captures of one second apart.
	page := &query.Compare{Field: "surt", Op: query.Equal, Value: query.Value{Text: d.SURT}}
	for one, err := range now.DB.Each(ctx, &query.And{List: []query.Expr{page, at}}, revisit.Columns) {
		if err != nil {
			return nil, err
		}
		if revisit.PlaceOf(one) == revisit.PlaceOf(d) {
			return one, nil
		}
	}
	// Only a run that ended between the two questions can cause this.
	return nil, fmt.Errorf("%s: %w", d.URL, holdings.ErrChanged)
}

// read reads a capture from its archive: the same way that "query" exports one, which makes sure that the record at the
// place is this one.
func (h *Handler) read(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Capture, error) {
	return h.v.Exporter(now.DB).Capture(ctx, d)
}

// original is what a revisit refers to, with its payload; nil where no collection has it.
func (r *resolver) original(ctx context.Context, d *schemas.Document, hop int) (*schemas.Capture, error) {
	// The first that has it counts: all copies have the same digest.
	for _, name := range r.names {
		c, err := r.in(ctx, name, d, hop)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// in looks in one collection. One that cannot be read has nothing.
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
		return nil, err
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

// payload reads a capture that may be the original; nil if its payload cannot be had.
func (r *resolver) payload(
	ctx context.Context, now *shelf.Snapshot, o *schemas.Document, hop int,
) (*schemas.Capture, error) {
	if o.RecordType == schemas.TypeRevisit {
		// Bounded, since a chain of revisits may be made to be long.
		if hop+1 >= maxHops {
			return nil, nil
		}
		return r.original(ctx, o, hop+1)
	}
	// Counted before it is read, so that what fails counts, too.
	// Only records that are read count here; steps from revisit to revisit are bounded by maxHops.
	r.reads++
	c, err := r.h.read(ctx, now, o)
	// A request that has ended does not make a capture unreadable.
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch {
	case err != nil:
		r.bad = append(r.bad, fmt.Sprintf("%s at byte %d: %v", o.Filename, o.Offset, err))
		return nil, nil
	// A damaged payload is not given in place of another capture's.
	case schemas.Damaged(c.Flags):
		r.bad = append(r.bad, fmt.Sprintf("%s at byte %d: damaged: %v", o.Filename, o.Offset, c.Flags))
		return nil, nil
	}
	return c, nil
}

// missing says what a revisit lacks.
func (r *resolver) missing(d *schemas.Document, w *revisit.Wanted) error {
	// All that the revisit says, since who reads it has to look for it elsewhere.
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
	// It is there, but cannot be read: that is another thing to mend.
	if len(r.bad) > 0 {
		e.Title = "The original of this revisit cannot be read"
		// Three are enough to see what is wrong.
		e.Detail = strings.Join(parts, ", ") + ". " + strings.Join(r.bad[:min(len(r.bad), 3)], "; ") + "."
		e.Remedy = "Start the server with --archives=FOLDER, if the archives were moved."
	}
	return e
}

// merged is an original as a revisit saw it: with the revisit's HTTP head where it has one (sections 6.7.2 and 6.7.3 of
// WARC/1.1). That of a 304 has the fields that are new, and says nothing of the others (RFC 9111, section 3.2).
func merged(own, original *schemas.Capture) *schemas.Capture {
	// A shallow copy: its header is replaced below, and not changed.
	out := *original
	if own == nil {
		return &out
	}
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

// Bounds of what is given of an archived HTTP head.
const (
	maxFields     = 100
	maxHeadBytes  = 32 << 10 // some clients take no more
	archivedField = "X-Archive-Orig-"
)

// archived puts an archived HTTP head into an answer, with a word before each name by which it means nothing to
// browsers: the one that replay tools use.
func archived(head http.Header, c *schemas.Capture) {
	if c.Status > 0 {
		head.Set(archivedField+"Status", fmt.Sprint(c.Status))
	}
	// Fields that do not fit are left out, one by one; small ones after may still fit.
	left := maxHeadBytes
	for _, f := range c.Header[:min(len(c.Header), maxFields)] {
		if size := len(f.Name) + len(f.Value); size <= left && isToken(f.Name) && isValue(f.Value) {
			head.Add(archivedField+f.Name, f.Value)
			left -= size
		}
	}
}

// isToken reports whether a name may be that of a field (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// isValue reports whether a value may be in a head: archived ones may have any byte.
func isValue(value string) bool {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
