package kafka

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// topic is a producer as a sink.
type topic struct {
	p       *Producer
	content bool // messages are records
}

// Encode makes the message of a page.
func (t topic) Encode(p *sink.Page) (*sink.Message, error) {
	// The key is the requested URL.
	if p.Withheld && t.content || p.TakenDown {
		return nil, nil
	}
	m, err := t.p.Encode(p.ID(), p.Capture, p.Content)
	switch {
	// The page is left out and listed among the rejects; any other error fails the unit.
	case errors.Is(err, ErrTooLarge):
		return nil, &sink.Refusal{Kind: schemas.KindLimit, Err: err}
	case errors.Is(err, dump.ErrNoPage):
		return nil, nil // the format has no message for it, so nothing is lost
	case errors.Is(err, dump.ErrRefused):
		return nil, &sink.Refusal{Kind: schemas.KindRefused, Err: err}
	case err != nil:
		return nil, err
	}
	return &sink.Message{ID: m.ID, Key: m.Key, Value: m.Value}, nil
}

// Begin begins a unit.
func (t topic) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	// Only Abort cancels it: then the client drops the unsent messages of this unit.
	ctx, cancel := context.WithCancel(ctx)
	return unit{ctx, cancel, t.p.Begin(), refuse}, nil
}

// Close closes the connections.
func (t topic) Close() error {
	t.p.Close()
	return nil
}

// unit is a delivery as the writer of a sink.
type unit struct {
	ctx    context.Context // of the unit
	cancel context.CancelFunc
	d      *Delivery
	refuse func(schemas.Reject) error
}

// Write sends a message.
func (u unit) Write(m *sink.Message) error {
	return u.d.Send(u.ctx, Message{ID: m.ID, Key: m.Key, Value: m.Value, Reject: m.Reject})
}

// Commit waits until the brokers have acknowledged all messages, and reports the refused ones.
func (u unit) Commit() error {
	rejects, err := u.d.Commit(u.ctx)
	// Reported only if all others were acknowledged: after an error the unit is sent again, with the same refusals.
	for _, r := range rejects {
		if err == nil {
			err = u.refuse(r)
		}
	}
	return err
}

// Abort drops unsent messages, and waits for those that are being sent. Sent messages stay in the topic, with their
// ids.
func (u unit) Abort() {
	u.cancel()
	u.d.Wait()
}
