// Package kafka writes captures to topics of Apache Kafka, and reads them from there. A message is a page in one of several
// formats, and its key is the URL that was asked for. Who writes chooses between at least once, with a producer whose own
// repetitions the broker knows (idempotence), and exactly once, with a transaction for each unit.
//
//	p, err := kafka.NewProducer(kafka.Config{Brokers: "localhost:9092", Topic: "pages", Format: "json"})
//	d, err := p.Begin(ctx, unit)
//	for _, c := range captures {
//		m, err := p.Encode(c, nil)
//		err = d.Send(ctx, m)
//	}
//	err = d.Commit(ctx)
//
// and back, up to what is in the topic when the plan is made:
//
//	units, stamps, err := kafka.Plan(ctx, "kafka://localhost:9092/pages", nil, 0)
//	r := kafka.NewReader(units[0], nil, capture.Options{})
//	for c, err := range r.All(ctx) {
//		…
//	}
//
// Producers are configured by Kafka's own names of properties: docs/formats/kafka.md has their table, and tells what is
// promised when processes die.
package kafka

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/ache"
	"github.com/gleaner-web/gleaner/io/cdr"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/io/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

// Version changes when the same page makes another message.
const Version = "1"

// Config says where messages go, and in which form. It is plain data, so that it travels to workers; secret properties
// are known to this process alone.
type Config struct {
	Brokers    string            // host:port, several with commas: the property bootstrap.servers
	Topic      string            //
	Format     string            // of Formats
	Properties map[string]string // of Kafka's producers, by their names
}

// formats is the table of the formats of messages; a new one is a line here. What is extracted from a page, the record, is
// nil where nobody has extracted anything.
var formats = []struct {
	name   string
	encode func(b []byte, c *schemas.Capture, r *schemas.Content) ([]byte, error)
}{
	{"json", func(b []byte, c *schemas.Capture, _ *schemas.Content) ([]byte, error) { return ache.AppendJSON(b, c) }},
	{"cdr31", func(b []byte, c *schemas.Capture, _ *schemas.Content) ([]byte, error) {
		return cdr.Append(b, c, time.Time{})
	}},
	{FormatContent, appendContent},
}

// FormatContent is the format that holds what was extracted from a page.
const FormatContent = "content"

// Formats are the names of the formats of messages: that of ACHE's KAFKA, CDR 3.1, and Datastreamer's content.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

func appendContent(b []byte, c *schemas.Capture, r *schemas.Content) ([]byte, error) {
	if r == nil {
		r = datastreamer.FromCapture(c)
	}
	return datastreamer.Append(b, r)
}

// Message is a message that is to be sent.
type Message struct{ Key, Value []byte }

// ErrTooLarge is the kind of errors about messages that are longer than max.request.size.
var ErrTooLarge = errors.New("the message is larger than max.request.size")

// overhead bounds what a record and its batch take beside key and value: 61 bytes for the batch (KIP-98), and some
// numbers of variable length.
const overhead = 128

// Encode makes the message of a capture, with r as its record where the format is FormatContent; nil makes one of the
// capture alone. What the format cannot hold is an error of kind [codec.ErrRefused], and a message that is too long one of
// kind ErrTooLarge. It may be called by several goroutines at the same time.
func (p *Producer) Encode(c *schemas.Capture, r *schemas.Content) (Message, error) {
	key := []byte(c.RequestedURL())
	if len(key) == 0 {
		return Message{}, fmt.Errorf("kafka: %w: its URL is not known", codec.ErrRefused)
	}
	value, err := p.encode(nil, c, r)
	if err != nil {
		return Message{}, err
	}
	if n := int64(len(key) + len(value) + overhead); n > p.set.maxRequest {
		return Message{}, fmt.Errorf("kafka: %w: it has %d bytes, and may have %d", ErrTooLarge, n, p.set.maxRequest)
	}
	return Message{Key: key, Value: value}, nil
}

// check finds what is wrong with c, and returns what its properties say and what its messages are made by.
func (c Config) check() (*settings, func([]byte, *schemas.Capture, *schemas.Content) ([]byte, error), error) {
	if err := checkTopic(c.Topic); err != nil {
		return nil, nil, err
	}
	set, err := parseProperties(c.Brokers, c.Properties)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range formats {
		if f.name == strings.ToLower(c.Format) {
			return set, f.encode, nil
		}
	}
	return nil, nil, fmt.Errorf("kafka: unknown format %q: there are %s", c.Format, strings.Join(Formats(), ", "))
}

// topicName is what Kafka takes for the name of a topic.
var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

func checkTopic(name string) error {
	if !topicName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("kafka: %.80q is no name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens", name)
	}
	return nil
}
