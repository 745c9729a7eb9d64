package sink

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Set is the sinks of a run with their names, which are also those of the stages of rejects, and of [schemas.Counts].
type Set []Named

// Named is an open sink.
type Named struct {
	Name string
	Sink Sink
}

// Encode makes each sink's message for a page.
func (s Set) Encode(p *Page) ([]*Message, error) {
	if len(s) == 0 {
		return nil, nil
	}
	messages := make([]*Message, len(s))
	for i, to := range s {
		m, err := to.Sink.Encode(p)
		var refused *Refusal
		if errors.As(err, &refused) {
			m = &Message{Reject: schemas.Reject{Kind: refused.Kind, Message: refused.Error()}}
		} else if err != nil {
			return nil, err
		}
		if m != nil {
			m.Reject = about(p.Document, m.Reject)
		}
		messages[i] = m
	}
	return messages, nil
}

// about returns a reject of a document. No bytes are lost, since the document is in the output.
func about(d *schemas.Document, r schemas.Reject) schemas.Reject {
	return schemas.Reject{
		File: d.Filename, Offset: d.Offset, Length: d.Length, URL: d.URL, Record: d.RecordID, Kind: r.Kind,
		Message: r.Message,
	}
}

// Close closes all sinks.
func (s Set) Close() (err error) {
	for _, to := range s {
		err = errors.Join(err, to.Sink.Close())
	}
	return err
}

// Delivery is a unit that is being sent to all sinks. It is for one goroutine.
type Delivery struct {
	set     Set
	writers []Writer
	counts  *schemas.Counts
	reject  func(schemas.Reject) error
}

// Begin begins a unit, which the caller ends with Commit or Abort. The Delivery counts offered and refused documents in
// counts, and its methods call reject with the refused ones.
func (s Set) Begin(ctx context.Context, counts *schemas.Counts, reject func(schemas.Reject) error) (*Delivery, error) {
	d := &Delivery{set: s, counts: counts, reject: reject}
	for _, to := range s {
		w, err := to.Sink.Begin(ctx, func(r schemas.Reject) error { return d.refuse(to.Name, r) })
		if err != nil {
			d.Abort()
			return nil, err
		}
		d.writers = append(d.writers, w)
	}
	return d, nil
}

// Write sends the messages that Encode made for a page.
func (d *Delivery) Write(messages []*Message) (err error) {
	for i, m := range messages {
		if m == nil {
			continue
		}
		d.counts.Offer(d.set[i].Name)
		if m.Reject.Message != "" {
			err = d.refuse(d.set[i].Name, m.Reject)
		} else {
			err = d.writers[i].Write(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refuse counts a document that a sink refuses. It counts by reason: the message up to the first colon, without names
// of packages. Numbers and names after the colon would make each message its own reason.
func (d *Delivery) refuse(name string, r schemas.Reject) error {
	r.Stage = name
	reason := strings.TrimPrefix(r.Message, name+": ")
	reason, _, _ = strings.Cut(strings.TrimPrefix(reason, "cdr: "), ": ")
	d.counts.Refuse(r.Stage, fmt.Sprintf("%.120s", reason), r)
	d.counts.Rejects++
	schemas.Count(&d.counts.ByReject, string(r.Kind), 1)
	return d.reject(r)
}

// Commit waits until all sinks have accepted or refused all messages.
func (d *Delivery) Commit() error {
	for _, w := range d.writers {
		if err := w.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Abort drops uncommitted messages.
func (d *Delivery) Abort() {
	for _, w := range d.writers {
		w.Abort()
	}
}
