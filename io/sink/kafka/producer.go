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

// Producer sends messages to one topic. Its methods may be called by several goroutines at the same time.
type Producer struct {
	topic  string
	set    *settings
	limit  limit
	encode func([]byte, *schemas.Capture, *datastreamer.Content) ([]byte, error)
	client *kgo.Client
}

// NewProducer returns a producer. Nothing is asked of the brokers yet. Close it.
func NewProducer(c Config) (*Producer, error) {
	set, encode, err := c.check()
	if err != nil {
		return nil, err
	}
	limit := c.limit(set)
	// The client's bound is that of Encode: what Encode lets through fits, with its overhead, into a
	// batch.
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

// Close closes the connections. What was not committed is lost.
func (p *Producer) Close() { p.client.Close() }

// Ping reports whether a broker answers, so that a run finds out before it begins.
func (p *Producer) Ping(ctx context.Context) error { return p.set.ping(ctx, p.client) }

// Delivery is the messages of one unit on their way. It is for one goroutine. One that is given up needs no end: what
// was sent stays in the topic.
type Delivery struct {
	// Shared with the deliveries of other units; what is below is this unit's alone.
	p    *Producer
	sent int
	// Messages without an answer. Each Send adds one, and its callback takes it off whatever became of the
	// message.
	pending sync.WaitGroup

	mu sync.Mutex
	// Under mu: callbacks run in the client's goroutine while the unit goes on sending.
	refused []refusal
	err     error // the first failure
}

// refusal is a message that the brokers did not take.
type refusal struct {
	number int // of the message in its unit
	reject schemas.Reject
}

// Begin begins the delivery of a unit, which the caller ends with Commit.
func (p *Producer) Begin() *Delivery { return &Delivery{p: p} }

// Send sends a message, and waits only when buffer.memory is full. It keeps the message's memory. An error may be
// that of an earlier message, and is final.
func (d *Delivery) Send(ctx context.Context, m Message) error {
	d.mu.Lock()
	// A unit that has failed is sent again as a whole, so sending the rest of it now would only make more
	// duplicates.
	err := d.err
	d.mu.Unlock()
	if err != nil {
		return err
	}
	// Callbacks come in the order of the partitions' answers. By the number rejects are put back in the
	// order of the unit.
	number := d.sent
	d.sent++
	d.pending.Add(1)
	// Produce blocks while kgo.MaxBufferedBytes are waiting, or until ctx ends, which reaches the callback
	// as an error.
	d.p.client.Produce(ctx, m.record(d.p.topic), func(_ *kgo.Record, err error) {
		if err != nil {
			d.failed(number, m.Reject, err)
		}
		d.pending.Done()
	})
	return nil
}

// failed takes a message that was not acknowledged. One that is itself wrong is refused; what else fails fails the
// unit.
func (d *Delivery) failed(number int, r schemas.Reject, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	// These two are about the message itself and come again with each attempt: failing the unit would fail
	// the run. The topic may have been made smaller since TopicLimit asked.
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.InvalidRecord):
		r.Stage, r.Kind = schemas.SinkKafka, schemas.KindRefused
		r.Message = fmt.Sprintf("kafka: the broker does not take it: %v", err)
		d.refused = append(d.refused, refusal{number, r})
	// Later failures mostly follow from the first, as when a connection is lost: the first says why.
	case d.err == nil:
		d.err = fmt.Errorf("kafka: topic %s: %w", d.p.topic, err)
	}
}

// Wait waits for what is on its way when the context of Send has ended: messages after one that is taken back while it
// waits for the same partition would share its fate, and so would the next attempt at the unit.
func (d *Delivery) Wait() { d.pending.Wait() }

// Commit waits until the brokers have acknowledged all messages, and returns what they did not take, in the order in
// which it was sent. After an error, nobody knows which of the messages are there: the unit is to be sent again.
func (d *Delivery) Commit(ctx context.Context) (rejects []schemas.Reject, err error) {
	// WaitGroup cannot be waited for along with a context. Where ctx ends first the goroutine ends with
	// the last callback.
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
