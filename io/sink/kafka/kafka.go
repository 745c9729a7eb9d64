// Package kafka writes captures to topics of Apache Kafka, and reads them. A message is a page in one of several
// formats, its key is the requested URL, and its header [HeaderID] names the capture. Each message is sent at least
// once, by an idempotent producer. A unit that is sent again has the same messages with the same ids.
//
//	p, err := kafka.NewProducer(kafka.Config{Brokers: "localhost:9092", Topic: "pages", Format: "json"})
//	d := p.Begin()
//	for _, c := range captures {
//		m, err := p.Encode(id, c, nil)
//		err = d.Send(ctx, m)
//	}
//	refused, err := d.Commit(ctx)
//
// Reading goes up to the last message at the time of the plan:
//
//	units, stamps, err := kafka.Plan(ctx, "kafka://localhost:9092/pages", nil, 0)
//	r := kafka.NewReader(units[0], nil, archive.Options{})
//	for item, err := range r.All(ctx) {
//		…
//	}
//
// Producers have Kafka's own names of properties. docs/formats/kafka.md lists them, and the guarantees when processes
// die.
package kafka

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/cdr"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Version changes when the same page makes another message.
const Version = "1"

// Config selects the topic and the form of messages. It is plain data, so that it travels to workers. Only this process
// knows its secret properties.
type Config struct {
	Brokers    string            // host:port, several with commas: the property bootstrap.servers
	Topic      string            //
	Format     string            // one of Formats
	Properties map[string]string // of Kafka's producers, by name
	MaxMessage int64             // limit of the topic in bytes, see Producer.TopicLimit; 0 if unknown
}

// formats is the table of the formats of messages; a new one is a line here. The record, which has the extracted
// content of a page, is nil without an extraction.
var formats = []struct {
	name   string
	encode func(b []byte, c *schemas.Capture, r *datastreamer.Content) ([]byte, error)
}{
	{"json", func(b []byte, c *schemas.Capture, _ *datastreamer.Content) ([]byte, error) {
		return ache.AppendJSON(b, c)
	}},
	{"cdr31", func(b []byte, c *schemas.Capture, _ *datastreamer.Content) ([]byte, error) {
		return cdr.Append(b, c, time.Time{})
	}},
	{FormatContent, appendContent},
}

// FormatContent is the format with the extracted content of a page.
const FormatContent = "content"

// Formats returns the names of the formats of messages: ACHE's KAFKA, CDR 3.1, and Datastreamer's content.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

func appendContent(b []byte, c *schemas.Capture, r *datastreamer.Content) ([]byte, error) {
	if r == nil {
		r = datastreamer.FromCapture(c)
	}
	return datastreamer.Append(b, r)
}

// HeaderID is the header with the id of a message.
const HeaderID = "gleaner-id"

// Message is a message to send.
type Message struct {
	ID         string // of the capture, by which consumers recognize repeated messages; empty for no header
	Key, Value []byte
	Reject     schemas.Reject // used when the brokers refuse it; Stage, Kind and Message are filled in
}

func (m Message) record(topic string) *kgo.Record {
	r := &kgo.Record{Topic: topic, Key: m.Key, Value: m.Value}
	if m.ID != "" {
		r.Headers = []kgo.RecordHeader{{Key: HeaderID, Value: []byte(m.ID)}}
	}
	return r
}

// ErrTooLarge is the kind of errors about messages over the size limit.
var ErrTooLarge = errors.New("the message is too large")

// overhead limits the bytes of a record and its batch besides key, value and id. These are 61 bytes for the batch
// (KIP-98), the name of the header, and some numbers of variable length.
const overhead = 128

// Encode makes the message of a capture. r is its record for FormatContent; nil makes one from the capture alone. id
// names the capture. If the format cannot hold the capture, the error is of kind [dump.ErrRefused], and for a message
// that is too large of kind ErrTooLarge. It is safe for concurrent use.
func (p *Producer) Encode(id string, c *schemas.Capture, r *datastreamer.Content) (Message, error) {
	key := []byte(c.RequestedURL())
	if len(key) == 0 {
		return Message{}, fmt.Errorf("kafka: %w: its URL is not known", dump.ErrRefused)
	}
	value, err := p.encode(nil, c, r)
	if err != nil {
		return Message{}, err
	}
	if n := int64(len(key) + len(value) + len(id) + overhead); n > p.limit.bytes {
		return Message{}, tooLarge{p.limit.reason, n}
	}
	return Message{ID: id, Key: key, Value: value}, nil
}

// tooLarge is the limit that a message exceeds, with the size of the message.
type tooLarge struct {
	reason string
	bytes  int64
}

func (e tooLarge) Error() string        { return fmt.Sprintf("kafka: %s: it has %d bytes", e.reason, e.bytes) }
func (e tooLarge) Is(target error) bool { return target == ErrTooLarge }

// check checks c, and returns its properties and the encoder of its messages.
func (c Config) check() (*settings, func([]byte, *schemas.Capture, *datastreamer.Content) ([]byte, error), error) {
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

// topicName matches valid names of topics.
var topicName = pattern.Lazy(`^[a-zA-Z0-9._-]{1,249}$`)

func checkTopic(name string) error {
	if !topicName().MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("kafka: %.80q is no name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens", name)
	}
	return nil
}
