package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// Document is a document to write.
type Document struct {
	ID     string // of the document in the index; see URLID and CaptureID
	Source []byte // a JSON object on one line; not changed, and kept until it is written
	// Reject is used when the server refuses it, or one that replaces it. Stage, Kind and Message are filled in.
	Reject schemas.Reject
}

// URLID returns the id of the document about the page at url: the URL, as in ACHE, so that a second fetch replaces the
// first. For a URL longer than an id may be, which ACHE loses, it is the URL's hash.
func URLID(url string) string { return sink.ShortID(url) }

// CaptureID returns the id of the document about one capture: its archive and position.
func CaptureID(d *schemas.Document) string { return (&sink.Page{Document: d}).ID() }

// FromDocument returns the document of d for an index of Gleaner's model, with the given id.
func FromDocument(d *schemas.Document, id string) (Document, error) {
	source, err := json.Marshal(d)
	if err != nil {
		return Document{}, fmt.Errorf("elastic: %w", err)
	}
	return Document{ID: id, Source: source, Reject: RejectOf(d)}, nil
}

// RejectOf returns the reject for d if the server refuses it. No bytes are lost, since the document is elsewhere.
func RejectOf(d *schemas.Document) schemas.Reject {
	return schemas.Reject{File: d.Filename, Offset: d.Offset, Length: d.Length, URL: d.URL, Record: d.RecordID}
}

// Writer collects documents in batches. One batch is being written while the next is collected. A document replaces one
// in the same batch with its id. A Writer is for one goroutine at a time.
type Writer struct {
	c      *Client
	ctx    context.Context
	cancel context.CancelFunc
	reject func(schemas.Reject) error

	batch []*entry
	byID  map[string]*entry
	bytes int
	sent  chan sent // of the current batch; nil for none
	err   error     // the first; nothing is written after it
}

// sent is the result of a batch.
type sent struct {
	rejects []schemas.Reject
	err     error
}

// NewWriter returns a writer. Its methods call reject with each document that the server refuses. An error of reject
// ends the writing, and so does the end of ctx.
func (c *Client) NewWriter(ctx context.Context, reject func(schemas.Reject) error) *Writer {
	// Its own context lets Abort end running requests.
	ctx, cancel := context.WithCancel(ctx)
	return &Writer{c: c, ctx: ctx, cancel: cancel, reject: reject, byID: map[string]*entry{}}
}

// Write adds d to the current batch. An error may concern an earlier batch, and nothing is written after it.
func (w *Writer) Write(d Document) error {
	if w.err != nil {
		return w.err
	}
	l, err := w.c.o.Model.lines(d)
	if err != nil {
		return err
	}
	// Never before the first document: one that is larger than a batch goes alone.
	if len(w.batch) > 0 && (w.bytes+len(l) > w.c.o.BatchBytes || len(w.batch) >= w.c.o.BatchDocuments) {
		if err := w.send(); err != nil {
			return err
		}
	}
	// Of two documents with one id in a batch the server may write either last, so only the later is sent.
	e, ok := w.byID[d.ID]
	if !ok {
		e = &entry{id: d.ID}
		w.byID[d.ID], w.batch = e, append(w.batch, e)
	}
	// If it replaces another one, only the difference counts.
	w.bytes += len(l) - len(e.lines)
	d.Reject.Stage = schemas.SinkElastic
	// The rejects of both are kept: if it is refused, neither is in the index.
	e.lines, e.rejects = l, append(e.rejects, d.Reject)
	return nil
}

// Flush waits until all documents are in the index or rejected.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.batch) > 0 {
		// The error stays in the writer.
		_ = w.send() // it is w.err
	}
	return w.wait()
}

// Close is Flush, and ends the writer. It must be called after an error too, and may be called again.
func (w *Writer) Close() error {
	err := w.Flush()
	w.cancel()
	return err
}

// Abort drops the documents that are not in the index yet. After Close it does nothing.
func (w *Writer) Abort() {
	// Canceled first, so that the wait is short.
	w.cancel()
	_ = w.wait() // it was given up
}

// send starts the batch after the previous one is done. With one running batch and one growing, memory is limited and
// batches keep their order.
func (w *Writer) send() error {
	if err := w.wait(); err != nil {
		return err
	}
	// The buffer lets the goroutine end even if nobody waits.
	batch, done := w.batch, make(chan sent, 1)
	// New ones, because the goroutine has the old batch.
	w.batch, w.byID, w.bytes, w.sent = nil, map[string]*entry{}, 0, done
	go func() {
		rejects, err := w.c.bulk(w.ctx, batch)
		done <- sent{rejects, err}
	}()
	return nil
}

// wait waits for the running batch and reports its rejects.
func (w *Writer) wait() error {
	if w.sent == nil {
		return w.err
	}
	// It comes even if the context has ended, because bulk returns then.
	s := <-w.sent
	w.sent = nil
	// All of them are reported, also after an error, because the server has refused them.
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
