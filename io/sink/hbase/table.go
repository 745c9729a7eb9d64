package hbase

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// table is a table as a sink.
type table struct {
	store  *hbase.Store
	layout webtable.Layout
	maxRow int
}

// Encode makes the row of a page.
func (t *table) Encode(p *sink.Page) (*sink.Message, error) {
	whole, err := p.JSON()
	if err != nil {
		return nil, err
	}
	row, err := t.layout.RowOf(p.Document, p.Capture, whole)
	if err != nil {
		return nil, err
	}
	value, err := hbase.EncodeRow(row)
	if err != nil {
		return nil, &sink.Refusal{Kind: schemas.KindRefused, Err: err}
	}
	if len(value) > t.maxRow {
		return nil, &sink.Refusal{
			Kind: schemas.KindLimit,
			Err:  fmt.Errorf("hbase: a row of %d bytes, and at most %d are written", len(value), t.maxRow),
		}
	}
	return &sink.Message{ID: p.ID(), Value: value}, nil
}

// Begin begins a unit.
func (t *table) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	ctx, cancel := context.WithCancel(ctx)
	return &unit{t: t, ctx: ctx, cancel: cancel, refuse: refuse}, nil
}

// Close closes the connections.
func (t *table) Close() error { return t.store.Close() }

// batchBytes is the size of a batch of rows. A unit holds twice as much: one batch is being sent while the next is
// collected.
const batchBytes = 4 << 20

// unit is the rows of a unit that are being sent.
type unit struct {
	t      *table
	ctx    context.Context // of the unit
	cancel context.CancelFunc
	refuse func(schemas.Reject) error

	batch []*sink.Message
	bytes int
	sent  chan sent // of the running batch; nil for none
	err   error     // the first; nothing is written after it
}

// sent is the result of a batch.
type sent struct {
	refused []schemas.Reject
	err     error
}

// Write adds a row to the batch, which is sent when it is full.
func (u *unit) Write(m *sink.Message) error {
	if u.err == nil && u.ctx.Err() != nil {
		u.err = fmt.Errorf("hbase: %w", context.Cause(u.ctx))
	}
	if u.err != nil {
		return u.err
	}
	u.batch, u.bytes = append(u.batch, m), u.bytes+len(m.Value)
	if u.bytes < batchBytes {
		return nil
	}
	return u.send()
}

// send sends the batch after the previous one is written.
func (u *unit) send() error {
	if err := u.wait(); err != nil {
		return err
	}
	batch, done := u.batch, make(chan sent, 1)
	u.batch, u.bytes, u.sent = nil, 0, done
	go func() {
		refused, err := u.t.put(u.ctx, batch)
		done <- sent{refused, err}
	}()
	return nil
}

// wait waits for the running batch, and reports its refused rows.
func (u *unit) wait() error {
	if u.sent == nil {
		return u.err
	}
	s := <-u.sent
	u.sent = nil
	for _, r := range s.refused {
		if err := u.refuse(r); err != nil && u.err == nil {
			u.err = err
		}
	}
	if u.err == nil {
		u.err = s.err
	}
	return u.err
}

// Commit waits until all rows are written.
func (u *unit) Commit() error {
	defer u.cancel()
	if u.err == nil && len(u.batch) > 0 {
		_ = u.send() // its error is u.err
	}
	return u.wait()
}

// Abort drops unwritten rows.
func (u *unit) Abort() {
	u.cancel()
	_ = u.wait() // it was given up
}

// put writes rows. It finds refused rows by halving, in their order. A missing table or family is not the fault of a
// row, so it is an error.
func (t *table) put(ctx context.Context, batch []*sink.Message) ([]schemas.Reject, error) {
	rows := make([]rowstore.Row, len(batch))
	for i, m := range batch {
		var err error
		if rows[i], err = hbase.DecodeRow(m.Value); err != nil {
			return nil, err
		}
	}
	err := t.store.Put(ctx, rows)
	if err == nil || errors.Is(err, hbase.ErrMissing) || !errors.Is(err, rowstore.ErrRefused) {
		return nil, err
	}
	if len(batch) == 1 {
		r := batch[0].Reject
		r.Kind, r.Message = schemas.KindRefused, err.Error()
		return []schemas.Reject{r}, nil
	}
	first, err := t.put(ctx, batch[:len(batch)/2])
	if err != nil {
		return first, err
	}
	last, err := t.put(ctx, batch[len(batch)/2:])
	return append(first, last...), err
}
