package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkKafka finds what is wrong with what is said about messages.
func (c *Request) checkKafka() error {
	k := c.Options.Kafka
	switch {
	case k.Brokers == "" && k.Topic != "":
		return cli.Usagef("--kafka_topic is about --kafka, which is not there")
	case k.Brokers == "" && len(k.Properties) > 0 && !slices.ContainsFunc(c.Inputs, kafka.IsURL):
		return cli.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case k.Brokers == "":
		return nil
	case c.Options.indexOnly():
		return cli.Usagef("--format=cdxj reads no pages that could be sent to Kafka: write documents too, as with --format=jsonl,cdxj")
	}
	p, err := kafka.NewProducer(k)
	if err != nil {
		return cli.Usagef("--kafka: %v", err)
	}
	p.Close()
	return nil
}

// askKafka finds out whether messages can be sent, and how large they may be, before anything is begun.
func (o *Options) askKafka(ctx context.Context) error {
	p, err := openKafka(*o)
	if p == nil || err != nil {
		return err
	}
	defer p.Close()
	if err := p.Ping(ctx); err != nil {
		return err
	}
	most, err := p.TopicLimit(ctx)
	if err != nil {
		slog.Warn(fmt.Sprintf("%v; max.request.size holds alone", err))
		return ctx.Err()
	}
	o.Kafka.MaxMessage = most
	slog.Info(fmt.Sprintf("the topic %s takes messages of up to %s (max.message.bytes %d): larger ones are refused, "+
		"and listed in rejects-*", o.Kafka.Topic, cli.FormatBytes(most), most))
	return nil
}

// openKafka returns what sends messages, nil when none are asked for.
func openKafka(o Options) (*kafka.Producer, error) {
	if o.Kafka.Brokers == "" {
		return nil, nil
	}
	return kafka.NewProducer(o.Kafka)
}

// records tells whether Datastreamer's records are made of pages, for whomever.
func (o Options) records() bool {
	return o.content() || o.Kafka.Brokers != "" && o.Kafka.Format == kafka.FormatContent
}

// message makes the message of a page, where they are asked for, or the reject of one that cannot be made.
func (e *engine) message(it *item) error {
	if e.kafka == nil {
		return nil
	}
	m, err := e.kafka.Encode(elastic.CaptureID(it.doc), it.cap, it.record)
	m.Reject = elastic.RejectOf(it.doc)
	m.Reject.Stage, m.Reject.Kind = schemas.SinkKafka, schemas.KindRefused
	it.message = &m
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kafka.ErrTooLarge):
		m.Reject.Kind = schemas.KindLimit
	case !errors.Is(err, shape.ErrRefused):
		return err
	}
	m.Reject.Message = err.Error()
	return nil
}

// deliver has u send messages, where they are asked for.
func (e *engine) deliver(ctx context.Context, u *unitRun) {
	if e.kafka == nil {
		return
	}
	d := e.kafka.Begin()
	u.send = func(m *kafka.Message) error {
		u.counts.Offer(schemas.SinkKafka)
		if m.Reject.Message != "" {
			return u.refuse(m.Reject)
		}
		return d.Send(ctx, *m)
	}
	u.sent = func() error {
		rejects, err := d.Commit(ctx)
		for _, r := range rejects {
			err = cmp.Or(err, u.refuse(r))
		}
		return err
	}
}

// addTopics plans to read topics, up to what is in them now.
func (p *Plan) addTopics(ctx context.Context, c Request, urls []string) error {
	var all []schemas.Unit
	found := map[string]string{}
	for _, url := range urls {
		units, stamps, err := kafka.Plan(ctx, url, c.Options.Kafka.Properties, 0)
		if err != nil {
			return inputError(ctx, err)
		}
		all = append(all, units...)
		maps.Copy(found, stamps)
	}
	all, err := p.keeper.topics(ctx, all, found)
	if err != nil {
		return err
	}
	maps.Copy(p.Stamps, found)
	for _, u := range all {
		u.ID = len(p.Units)
		p.Bytes += u.Bytes()
		p.Units = append(p.Units, u)
	}
	return nil
}

// reader is what reads the captures of a unit.
type reader interface {
	All(ctx context.Context) iter.Seq2[*schemas.Capture, error]
	Counts() schemas.Counts
	Inputs() []schemas.Range
}

// reader returns the reader of a unit's captures.
func (e *engine) reader(store *blob.Store, in schemas.Unit, o archive.Options) reader {
	if len(in.Inputs) > 0 && kafka.IsURL(in.Inputs[0].File) {
		return kafka.NewReader(in, e.o.Kafka.Properties, o)
	}
	return work.NewReader(store, in, o)
}
