package kafka

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// topic is a producer as a sink.
type topic struct{ p *Producer }

// Encode makes the message of a page.
func (t topic) Encode(p *sink.Page) (*sink.Message, error) {
	m, err := t.p.Encode(p.ID(), p.Capture, p.Content)
	switch {
	// The page is left out and listed among the rejects; any other error fails the unit.
	case errors.Is(err, ErrTooLarge):
		return nil, &sink.Refusal{Kind: schemas.KindLimit, Err: err}
	case errors.Is(err, dump.ErrNoPage):
		return nil, nil // nothing is written of it, which is no loss
	case errors.Is(err, dump.ErrRefused):
		return nil, &sink.Refusal{Kind: schemas.KindRefused, Err: err}
	case err != nil:
		return nil, err
	}
	return &sink.Message{ID: m.ID, Key: m.Key, Value: m.Value}, nil
}

// Begin begins a unit.
func (t topic) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	// Canceled by Abort alone: it makes the client drop the messages of this unit that were not sent yet.
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

// Commit waits until the brokers have acknowledged all messages, and tells of those that they did not take.
func (u unit) Commit() error {
	rejects, err := u.d.Commit(u.ctx)
	// Told only where all else was acknowledged: after an error the unit is sent again, and finds them
	// again.
	for _, r := range rejects {
		if err == nil {
			err = u.refuse(r)
		}
	}
	return err
}

// Abort takes back what was not sent yet, and waits for what is on its way. What was sent stays in the topic, and is
// known by its ids.
func (u unit) Abort() {
	u.cancel()
	u.d.Wait()
}
