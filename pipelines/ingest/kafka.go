package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/io/kafka"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// kafkaFlags are those about messages.
type kafkaFlags struct {
	brokers, topic, format *string
	properties             kafkaProperties
}

func (k *kafkaFlags) flags(f *run.Flags) {
	k.brokers = f.String(run.Flag{Name: "kafka", Default: "", Help: "also send each page to a topic of Apache Kafka: its brokers, host:port, several with commas", Example: "localhost:9092", Group: output})
	k.topic = f.String(run.Flag{Name: "kafka_topic", Default: "", Help: "the topic that pages are sent to", Example: "pages", Group: output})
	k.format = f.String(run.Flag{Name: "kafka_format", Default: "json", Help: "of the messages: " + strings.Join(kafka.Formats(), ", ") + "; that of ACHE, CDR 3.1, and Datastreamer's with what was extracted", Example: kafka.FormatContent, Group: output})
	f.Var(&k.properties, run.Flag{Name: "kafka_property", Help: "a property of Kafka's producers, name=value, or @file with such lines; may be repeated. transactional.id has each page sent exactly once. Those about security hold for reading, too", Example: "compression.type=zstd", Group: output})
}

// config is what the flags say. Without brokers nothing is sent; the properties may be those of inputs.
func (k *kafkaFlags) config() kafka.Config {
	return kafka.Config{Brokers: *k.brokers, Topic: *k.topic, Format: strings.ToLower(*k.format), Properties: k.properties}
}

// kafkaProperties is the flag --kafka_property.
type kafkaProperties map[string]string

// String shows the names alone: values may be secret.
func (p *kafkaProperties) String() string { return strings.Join(slices.Sorted(maps.Keys(*p)), " ") }

// maxProperties bounds a file of properties, in bytes.
const maxProperties = 1 << 20

// Set reads name=value or @file.
func (p *kafkaProperties) Set(s string) error {
	lines := []byte(s)
	if name, ok := strings.CutPrefix(s, "@"); ok {
		info, err := os.Stat(name)
		if err == nil && info.Size() > maxProperties {
			err = fmt.Errorf("%s has more than %d bytes", name, maxProperties)
		}
		if err == nil {
			lines, err = os.ReadFile(name)
		}
		if err != nil {
			return err
		}
	}
	values, err := kafka.ReadProperties(lines)
	if err != nil {
		return err
	}
	if *p == nil {
		*p = kafkaProperties{}
	}
	maps.Copy(*p, values)
	return nil
}

// checkKafka finds what is wrong with what is said about messages.
func (c *config) checkKafka() error {
	k := c.options.Kafka
	switch {
	case k.Brokers == "" && k.Topic != "":
		return run.Usagef("--kafka_topic is about --kafka, which is not there")
	case k.Brokers == "" && len(k.Properties) > 0 && !slices.ContainsFunc(c.inputs, kafka.IsURL):
		return run.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case k.Brokers == "":
		return nil
	case c.options.indexOnly():
		return run.Usagef("--format=cdxj reads no pages that could be sent to Kafka: write documents too, as with --format=jsonl,cdxj")
	}
	p, err := kafka.NewProducer(k)
	if err != nil {
		return run.Usagef("--kafka: %v", err)
	}
	p.Close()
	return nil
}

// pingKafka finds out whether messages can be sent, before anything is begun.
func (o Options) pingKafka(ctx context.Context) error {
	if o.Kafka.Brokers == "" {
		return nil
	}
	p, err := kafka.NewProducer(o.Kafka)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Ping(ctx)
}

// settleKafka waits until consumers of committed messages can read all that the run has sent.
func (o Options) settleKafka(ctx context.Context) error {
	p, err := openKafka(o)
	if p == nil || err != nil {
		return err
	}
	defer p.Close()
	written, err := p.Settle(ctx)
	if written > 0 {
		slog.Warn(fmt.Sprintf("a broker had not marked transactions as ended in %d places (partitions): done", written))
	}
	if errors.Is(err, kafka.ErrUnknown) {
		slog.Warn(err.Error())
		return nil
	}
	if err != nil {
		return fmt.Errorf("the output is complete, and all pages are sent. Run the same command again to look again: %w", err)
	}
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

// message makes the message of a page, where they are asked for. One that cannot be made is an error of the document.
func (e *engine) message(it *item) error {
	if e.kafka == nil {
		return nil
	}
	m, err := e.kafka.Encode(it.cap, it.record)
	kind := schemas.KindRefused
	switch {
	case err == nil:
		it.message = &m
		return nil
	case errors.Is(err, kafka.ErrTooLarge):
		kind = schemas.KindLimit
	case !errors.Is(err, codec.ErrRefused):
		return err
	}
	it.doc.Errors = append(it.doc.Errors, schemas.StageError{Stage: "kafka", Kind: kind, Message: err.Error()})
	return nil
}

// deliver begins to send a unit's messages, where they are asked for, and returns what ends that after a failure.
func (e *engine) deliver(ctx context.Context, t task, u *unitRun) (end func(), err error) {
	if e.kafka == nil {
		return func() {}, nil
	}
	d, err := e.kafka.Begin(ctx, e.o.delivery(t))
	if err != nil {
		return nil, err
	}
	u.send = func(m kafka.Message) error { return d.Send(ctx, m) }
	u.sent = func() error { return d.Commit(ctx) }
	return d.Abort, nil
}

// delivery names the messages of a unit. Other than its key, the name changes when an input does: else what is in a file
// now would count as sent because what was in it is.
func (o Options) delivery(t task) string {
	h := sha256.New()
	fmt.Fprintln(h, t.Key) // a hash never fails to write
	if t.Unit.ID == o.Units {
		fmt.Fprintln(h, o.Inputs)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Stamps)) {
		fmt.Fprintf(h, "%q %q\n", name, t.Stamps[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// fingerprintInputs names the state of all inputs together.
func (p *plan) fingerprintInputs() (string, error) {
	b, err := json.Marshal(p.Stamps) // in the order of the names
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// addTopics plans to read topics, up to what is in them now.
func (p *plan) addTopics(ctx context.Context, c config, urls []string) error {
	var all []schemas.Unit
	found := map[string]string{}
	for _, url := range urls {
		units, stamps, err := kafka.Plan(ctx, url, c.options.Kafka.Properties, 0)
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
func (e *engine) reader(store *blob.Store, in schemas.Unit, o capture.Options) reader {
	if len(in.Inputs) > 0 && kafka.IsURL(in.Inputs[0].File) {
		return kafka.NewReader(in, e.o.Kafka.Properties, o)
	}
	return unit.NewReader(store, in, o)
}
