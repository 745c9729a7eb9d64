package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

// Producer sends messages to one topic. Its methods are safe for concurrent use.
type Producer struct {
	topic  string
	set    *settings
	limit  limit
	encode func([]byte, *schemas.Capture, *datastreamer.Content) ([]byte, error)
	client *kgo.Client
}

// NewProducer returns a producer without a request to the brokers. The caller has to close it.
func NewProducer(c Config) (*Producer, error) {
	set, encode, err := c.check()
	if err != nil {
		return nil, err
	}
	limit := c.limit(set)
	// The client has the same limit as Encode: an accepted message fits, with its overhead, into a batch.
	o, err := set.producer(limit.bytes)
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(o...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	return &Producer{topic: c.Topic, set: set, limit: limit, encode: encode, client: client}, nil
}

// Close closes the connections. Uncommitted messages are lost.
func (p *Producer) Close() { p.client.Close() }

// Ping returns an error if no broker answers, so that a run finds out before it begins.
func (p *Producer) Ping(ctx context.Context) error { return p.set.ping(ctx, p.client) }

// Delivery is the messages of one unit that are being sent. It is for one goroutine. An abandoned one needs no end: its
// sent messages stay in the topic.
type Delivery struct {
	// p is shared with the deliveries of other units; the fields below belong to this unit.
	p    *Producer
	sent int
	// pending counts messages without an answer. Each Send adds one, and its callback always removes it.
	pending sync.WaitGroup

	mu sync.Mutex
	// Under mu, because callbacks run in the client's goroutine while the unit continues sending.
	refused []refusal
	err     error // the first failure
}

// refusal is a message that the brokers refused.
type refusal struct {
	number int // of the message in its unit
	reject schemas.Reject
}

// Begin begins the delivery of a unit, which the caller ends with Commit.
func (p *Producer) Begin() *Delivery { return &Delivery{p: p} }

// Send sends a message, and waits only when buffer.memory is full. It keeps the message's memory. An error may belong
// to an earlier message, and is final.
func (d *Delivery) Send(ctx context.Context, m Message) error {
	d.mu.Lock()
	// A failed unit is sent again as a whole, so sending the rest of it now would only make more duplicates.
	err := d.err
	d.mu.Unlock()
	if err != nil {
		return err
	}
	// Callbacks come in the order of the partitions' answers. The number restores the order of the unit for rejects.
	number := d.sent
	d.sent++
	d.pending.Add(1)
	// Produce blocks while kgo.MaxBufferedBytes are waiting. If ctx ends, the callback gets an error.
	d.p.client.Produce(ctx, m.record(d.p.topic), func(_ *kgo.Record, err error) {
		if err != nil {
			d.failed(number, m.Reject, err)
		}
		d.pending.Done()
	})
	return nil
}

// failed handles an unacknowledged message. A message that is itself wrong is refused; any other error fails the unit.
func (d *Delivery) failed(number int, r schemas.Reject, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	// These two concern the message itself and come back with each attempt, so failing the unit would fail the run. The
	// topic may have become smaller since TopicLimit.
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.InvalidRecord):
		r.Stage, r.Kind = schemas.SinkKafka, schemas.KindRefused
		r.Message = fmt.Sprintf("kafka: the broker does not take it: %v", err)
		d.refused = append(d.refused, refusal{number, r})
	// Later failures mostly follow from the first, for example from a lost connection, so only the first is kept.
	case d.err == nil:
		d.err = fmt.Errorf("kafka: topic %s: %w", d.p.topic, err)
	}
}

// Wait waits for messages that are being sent after the context of Send has ended. Otherwise a canceled message would
// fail later ones for the same partition, and so the next attempt at the unit.
func (d *Delivery) Wait() { d.pending.Wait() }

// Commit waits until the brokers have acknowledged all messages, and returns the refused ones in the order of sending.
// After an error the state of the messages is unknown, and the unit has to be sent again.
func (d *Delivery) Commit(ctx context.Context) (rejects []schemas.Reject, err error) {
	// A WaitGroup cannot wait together with a context. If ctx ends first, the goroutine ends with the last callback.
	done := make(chan struct{})
	go func() {
		d.pending.Wait() // each acknowledgement comes within delivery.timeout.ms
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	slices.SortFunc(d.refused, func(a, b refusal) int { return a.number - b.number })
	for _, r := range d.refused {
		rejects = append(rejects, r.reject)
	}
	return rejects, d.err
}
