package kafka

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/schemas"
)

// Producer sends messages to one topic. Its methods may be called by several goroutines at the same time.
type Producer struct {
	topic  string
	set    *settings
	encode func([]byte, *schemas.Capture, *schemas.Content) ([]byte, error)
	client *kgo.Client // of all units; each transaction has its own
}

// NewProducer returns a producer. Nothing is asked of the brokers yet. Close it.
func NewProducer(c Config) (*Producer, error) {
	set, encode, err := c.check()
	if err != nil {
		return nil, err
	}
	o, err := set.producer("")
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(o...)
	if err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	return &Producer{topic: c.Topic, set: set, encode: encode, client: client}, nil
}

// Close closes the connections. What was not committed is lost.
func (p *Producer) Close() { p.client.Close() }

// pingTime is how long brokers may take to answer for the first time.
const pingTime = 30 * time.Second

// Ping tells whether a broker answers, so that a run finds out before it begins.
func (p *Producer) Ping(ctx context.Context) error { return p.set.ping(ctx, p.client) }

func (s *settings) ping(ctx context.Context, c *kgo.Client) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	if err := c.Ping(ctx); err != nil {
		return fmt.Errorf("kafka: no broker of %s answers (security.protocol=%s): %w", strings.Join(s.brokers, ","), s.security.protocol, err)
	}
	return nil
}

// Delivery is the messages of one unit on their way. It is for one goroutine.
type Delivery struct {
	p       *Producer
	client  *kgo.Client
	tx      *transaction // nil without transactions
	sent    int64
	pending sync.WaitGroup

	mu       sync.Mutex
	awaiting int64 // messages that were not acknowledged yet
	err      error // the first failure
}

// Begin begins the delivery of a unit, whose key names the same messages each time. The caller ends it with Commit and,
// always, Abort.
//
// With transactions, an attempt at the same unit that is still under way is fenced off: its messages are never seen. When an earlier
// one has committed, this one sends nothing.
func (p *Producer) Begin(ctx context.Context, unit string) (*Delivery, error) {
	d := &Delivery{p: p, client: p.client}
	if p.set.transactionalID == "" {
		return d, nil
	}
	tx, err := p.beginTransaction(ctx, unit)
	if err != nil {
		return nil, err
	}
	d.tx, d.client = tx, tx.client
	return d, nil
}

// Send sends a message, and waits only when buffer.memory is full. It keeps the message's memory. An error may be that of
// an earlier message, and is final.
func (d *Delivery) Send(ctx context.Context, m Message) error {
	if d.tx != nil && d.tx.there {
		return nil
	}
	if err := d.failure(); err != nil {
		return err
	}
	d.sent++
	d.await(1)
	d.client.Produce(ctx, &kgo.Record{Topic: d.p.topic, Key: m.Key, Value: m.Value}, d.acknowledge)
	return nil
}

// acknowledge takes the answer to one message.
func (d *Delivery) acknowledge(_ *kgo.Record, err error) {
	if err != nil {
		d.fail(err)
	}
	d.await(-1)
}

// await counts the messages that are under way.
func (d *Delivery) await(n int) {
	d.pending.Add(n)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.awaiting += int64(n)
	if d.tx != nil {
		d.tx.watch(d.awaiting > 0)
	}
}

func (d *Delivery) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.err = fmt.Errorf("kafka: topic %s: %w", d.p.topic, err)
	}
}

func (d *Delivery) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Commit waits until the brokers have all messages. With transactions, they become visible, all or none. After an error
// that is not known; the unit is begun again, and that finds out.
func (d *Delivery) Commit(ctx context.Context) error {
	if d.tx != nil && d.tx.there {
		return nil
	}
	if err := d.wait(ctx); err != nil {
		return err
	}
	if err := d.failure(); err != nil || d.tx == nil || d.sent == 0 {
		return err
	}
	return d.tx.commit(ctx, d.p.topic, d.sent)
}

// wait waits for the acknowledgements. Each comes within delivery.timeout.ms.
func (d *Delivery) wait(ctx context.Context) error {
	if d.tx != nil {
		if err := d.client.Flush(ctx); err != nil {
			return fmt.Errorf("kafka: topic %s: %w", d.p.topic, err)
		}
	}
	done := make(chan struct{})
	go func() {
		d.pending.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Abort ends the delivery wherever it stands. Without transactions, what was sent stays. It does nothing after Commit
// has succeeded or after another Abort, so that it can be deferred.
func (d *Delivery) Abort() {
	if d.tx != nil {
		d.tx.abort()
	}
}
