package kafka

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// Settings returns the flags.
func (c *Config) Settings() []setting.Setting {
	return []setting.Setting{
		{
			Name: "kafka", Value: &c.Brokers, Example: "localhost:9092",
			Help: "also send each page to a topic of Apache Kafka: its brokers, host:port, several with commas",
		},
		{Name: "kafka_topic", Value: &c.Topic, Example: "pages", Help: "the topic that pages are sent to"},
		{
			// Complete converts the value to lower case.
			Name: "kafka_format", Value: &c.Format, Default: "json", Example: FormatContent, Values: Formats(),
			Help: "of the messages: " + strings.Join(Formats(), ", ") +
				"; that of ACHE, CDR 3.1, and Datastreamer's with what was extracted",
		},
		{
			Name: "kafka_property", Value: (*propertyFlag)(&c.Properties), Example: "compression.type=zstd",
			Help: "a property of Kafka's producers, name=value, or @file with such lines; may be repeated. Those about " +
				"security hold for reading, too",
		},
	}
}

// propertyFlag is the value of --kafka_property.
type propertyFlag map[string]string

// String shows only the names, because values may be secret.
func (p *propertyFlag) String() string { return strings.Join(slices.Sorted(maps.Keys(*p)), " ") }

// maxProperties limits a file of properties, in bytes.
const maxProperties = 1 << 20

// Set reads name=value or @file.
func (p *propertyFlag) Set(s string) error {
	lines := []byte(s)
	if name, ok := strings.CutPrefix(s, "@"); ok {
		// Checked first, so that a large file of another kind is refused before it is read.
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
	values, err := ReadProperties(lines)
	if err != nil {
		return err
	}
	if *p == nil {
		*p = propertyFlag{}
	}
	// The flag may be repeated: later properties override earlier ones.
	maps.Copy(*p, values)
	return nil
}

// Wanted reports whether pages are sent. Without brokers, properties may be for topics that are read.
func (c *Config) Wanted() bool { return c.Brokers != "" }

// Complete checks the options.
func (c *Config) Complete() error {
	c.Format = strings.ToLower(c.Format)
	if !c.Wanted() {
		if c.Topic != "" {
			return errors.New("--kafka_topic is about --kafka, which is not there")
		}
		return nil
	}
	p, err := NewProducer(*c)
	if err != nil {
		return fmt.Errorf("--kafka: %w", err)
	}
	p.Close()
	return nil
}

// Lasting returns the settings that change the content or place of messages.
func (c *Config) Lasting() map[string]any {
	// Properties are left out: they may be secret, and another linger.ms makes no other collection.
	return map[string]any{"brokers": c.Brokers, "topic": c.Topic, "format": c.Format}
}

// Versions returns the version of the messages.
func (c *Config) Versions() map[string]string { return map[string]string{"kafka": Version} }

// WantsContent reports whether messages have extracted content.
func (c *Config) WantsContent() bool { return c.Format == FormatContent }

// Elsewhere returns an error for secret properties, which only this process knows.
func (c *Config) Elsewhere() error {
	// The first one is enough for the error. Secrets lists them in a fixed order.
	for _, name := range c.Secrets() {
		return fmt.Errorf("--kafka_property: %s would travel with the job, to be read by whoever sees jobs: "+
			"have it in the environment of this command and of the workers instead, as %s", name, Variable(name))
	}
	return nil
}

// Ask finds out whether messages can be sent, and their size limit.
func (c *Config) Ask(ctx context.Context) error {
	p, err := NewProducer(*c)
	if err != nil {
		return fmt.Errorf("--kafka: %w", err)
	}
	defer p.Close()
	if err := p.Ping(ctx); err != nil {
		return fmt.Errorf("--kafka: %w", err)
	}
	most, err := p.TopicLimit(ctx)
	if err != nil {
		// A user may write to a topic without the permission to describe it, so this does not stop the run.
		slog.Warn(fmt.Sprintf("%v; max.request.size holds alone", err))
		return ctx.Err()
	}
	c.MaxMessage = most
	slog.Info(fmt.Sprintf("the topic %s takes messages of so many bytes (max.message.bytes %d): larger ones are refused, "+
		"and listed in rejects-*", c.Topic, most))
	return nil
}

// Open makes the producer.
func (c *Config) Open(context.Context) (sink.Sink, error) {
	p, err := NewProducer(*c)
	if err != nil {
		return nil, err
	}
	return topic{p, c.WantsContent()}, nil
}
