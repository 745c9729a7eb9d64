// Package kafka writes captures to topics of Apache Kafka, and reads them from there. A message is a page in one of
// several formats, its key is the URL that was asked for, and its header [HeaderID] names the capture. Each message
// is sent at least once, by a producer whose own repetitions the broker knows (idempotence): a unit that is sent
// again has the same messages with the same ids.
//
//	p, err := kafka.NewProducer(kafka.Config{Brokers: "localhost:9092", Topic: "pages", Format: "json"})
//	d := p.Begin()
//	for _, c := range captures {
//		m, err := p.Encode(id, c, nil)
//		err = d.Send(ctx, m)
//	}
//	refused, err := d.Commit(ctx)
//
// and back, up to what is in the topic when the plan is made:
//
//	units, stamps, err := kafka.Plan(ctx, "kafka://localhost:9092/pages", nil, 0)
//	r := kafka.NewReader(units[0], nil, archive.Options{})
//	for item, err := range r.All(ctx) {
//		…
//	}
//
// Producers are configured by Kafka's own names of properties: docs/formats/kafka.md has their table, and tells what
// is promised when processes die.
package kafka

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/cdr"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
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
	MaxMessage int64             // bytes that the topic takes, see Producer.TopicLimit; 0 when nobody has asked
}

// formats is the table of the formats of messages; a new one is a line here. What is extracted from a page, the
// record, is nil where nobody has extracted anything.
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

func appendContent(b []byte, c *schemas.Capture, r *datastreamer.Content) ([]byte, error) {
	if r == nil {
		r = datastreamer.FromCapture(c)
	}
	return datastreamer.Append(b, r)
}

// HeaderID is the header of messages that holds their id.
const HeaderID = "gleaner-id"

// Message is a message that is to be sent.
type Message struct {
	ID         string // of the capture: by it, consumers tell a message that they have had. Empty for no header
	Key, Value []byte
	Reject     schemas.Reject // what is said when the brokers refuse it; Stage, Kind and Message are filled in
}

func (m Message) record(topic string) *kgo.Record {
	r := &kgo.Record{Topic: topic, Key: m.Key, Value: m.Value}
	if m.ID != "" {
		r.Headers = []kgo.RecordHeader{{Key: HeaderID, Value: []byte(m.ID)}}
	}
	return r
}

// ErrTooLarge is the kind of errors about messages that are larger than may be sent.
var ErrTooLarge = errors.New("the message is too large")

// overhead bounds what a record and its batch take beside key, value and id: 61 bytes for the batch (KIP-98), the
// name of the header, and some numbers of variable length.
const overhead = 128

// Encode makes the message of a capture, with r as its record where the format is FormatContent; nil makes one of the
// capture alone. id names the capture. What the format cannot hold is an error of kind [dump.ErrRefused], and a
// message that is too large one of kind ErrTooLarge. It may be called by several goroutines at the same time.
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

// tooLarge says which limit a message of so many bytes is above.
type tooLarge struct {
	reason string
	bytes  int64
}

func (e tooLarge) Error() string        { return fmt.Sprintf("kafka: %s: it has %d bytes", e.reason, e.bytes) }
func (e tooLarge) Is(target error) bool { return target == ErrTooLarge }

// check finds what is wrong with c, and returns what its properties say and what its messages are made by.
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

// topicName is what Kafka takes for the name of a topic.
var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

func checkTopic(name string) error {
	if !topicName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("kafka: %.80q is no name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens", name)
	}
	return nil
}
