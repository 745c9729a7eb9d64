package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// Document is what is written.
type Document struct {
	ID     string // of the document in the index; see URLID and CaptureID
	Source []byte // a JSON object on one line; not changed, and kept until it is written
	// what is said when the server refuses it, or one that takes its place; Stage, Kind and Message are filled in
	Reject schemas.Reject
}

// URLID is the id of the document about the page at url, as ACHE makes it: the URL. In place of one that is longer
// than an id may be, which ACHE loses, it is the URL's hash.
// ACHE's own documents have the URL for their id, so that a second fetch takes the place of the first.
func URLID(url string) string { return sink.ShortID(url) }

// CaptureID is the id of the document about one capture: where it is in which archive.
func CaptureID(d *schemas.Document) string { return (&sink.Page{Document: d}).ID() }

// FromDocument returns the document of d for an index of Gleaner's model, with the id that is given.
func FromDocument(d *schemas.Document, id string) (Document, error) {
	source, err := json.Marshal(d)
	if err != nil {
		return Document{}, fmt.Errorf("elastic: %w", err)
	}
	return Document{ID: id, Source: source, Reject: RejectOf(d)}, nil
}

// RejectOf is what is said of d when the server refuses it. No bytes are lost, since the document is elsewhere.
func RejectOf(d *schemas.Document) schemas.Reject {
	return schemas.Reject{File: d.Filename, Offset: d.Offset, Length: d.Length, URL: d.URL, Record: d.RecordID}
}

// Writer gathers documents in batches, one of which is under way while the next is gathered. A document takes the
// place of one in the same batch that has its id. A Writer is used by one goroutine at a time.
type Writer struct {
	c      *Client
	ctx    context.Context
	cancel context.CancelFunc
	reject func(schemas.Reject) error

	batch []*entry
	byID  map[string]*entry
	bytes int
	sent  chan sent // of the batch under way; nil for none
	err   error     // the first; nothing is written after it
}

// sent is what became of a batch.
type sent struct {
	rejects []schemas.Reject
	err     error
}

// NewWriter returns a writer. It calls reject, from its own methods, with each document that the server refuses; an
// error of reject ends the writing. ctx ends it as well.
func (c *Client) NewWriter(ctx context.Context, reject func(schemas.Reject) error) *Writer {
	// A context of its own, by which Abort ends requests that are under way.
	ctx, cancel := context.WithCancel(ctx)
	return &Writer{c: c, ctx: ctx, cancel: cancel, reject: reject, byID: map[string]*entry{}}
}

// Write writes d with the batch that it comes to be in. An error may concern an earlier batch; nothing is written
// after one.
func (w *Writer) Write(d Document) error {
	if w.err != nil {
		return w.err
	}
	l, err := lines(d)
	if err != nil {
		return err
	}
	// Never before the first document: one that is larger than a batch goes alone.
	if len(w.batch) > 0 && (w.bytes+len(l) > w.c.o.BatchBytes || len(w.batch) >= w.c.o.BatchDocuments) {
		if err := w.send(); err != nil {
			return err
		}
	}
	// Of two documents with one id in a batch the server may write either last; so only the later is sent.
	e, ok := w.byID[d.ID]
	if !ok {
		e = &entry{id: d.ID}
		w.byID[d.ID], w.batch = e, append(w.batch, e)
	}
	// Only the difference counts where another one was replaced.
	w.bytes += len(l) - len(e.lines)
	d.Reject.Stage = schemas.SinkElastic
	// The rejects of both are kept: if it is refused, neither is in the index.
	e.lines, e.rejects = l, append(e.rejects, d.Reject)
	return nil
}

// Flush returns when all that was written is in the index, or was rejected.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.batch) > 0 {
		// The error stays in the writer.
		_ = w.send() // it is w.err
	}
	return w.wait()
}

// Close is Flush, and ends the writer. After an error, or to give up, it must be called as well; it may be called
// again.
func (w *Writer) Close() error {
	err := w.Flush()
	w.cancel()
	return err
}

// Abort gives up what is not in the index yet. After Close it does nothing.
func (w *Writer) Abort() {
	// Cancelled first, so that there is not long to wait.
	w.cancel()
	_ = w.wait() // it was given up
}

// send puts the batch under way when the one before is done.
// One batch under way and one that is gathered: that bounds memory, and keeps the order of batches.
func (w *Writer) send() error {
	if err := w.wait(); err != nil {
		return err
	}
	// Room for one result, so that the goroutine can end even if nobody waits.
	batch, done := w.batch, make(chan sent, 1)
	// New ones, for the goroutine has the old batch.
	w.batch, w.byID, w.bytes, w.sent = nil, map[string]*entry{}, 0, done
	go func() {
		rejects, err := w.c.bulk(w.ctx, batch)
		done <- sent{rejects, err}
	}()
	return nil
}

// wait waits for the batch that is under way and tells of its rejects.
func (w *Writer) wait() error {
	if w.sent == nil {
		return w.err
	}
	// It comes even when the context has ended, for then bulk returns.
	s := <-w.sent
	w.sent = nil
	// All of them are told, also after an error: they were refused all the same.
	for _, r := range s.rejects {
		if err := w.reject(r); err != nil && w.err == nil {
			w.err = err
		}
	}
	if w.err == nil {
		w.err = s.err
	}
	return w.err
}

func hasLineEnd(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }
