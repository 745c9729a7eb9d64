package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// kafkaFlags are those about messages.
type kafkaFlags struct {
	brokers, topic, format *string
	properties             kafkaProperties
}

func (k *kafkaFlags) flags(f *run.Flags) {
	k.brokers = f.String(cli.Flag{Name: "kafka", Default: "", Help: "also send each page to a topic of Apache Kafka: its brokers, host:port, several with commas", Example: "localhost:9092", Group: output})
	k.topic = f.String(cli.Flag{Name: "kafka_topic", Default: "", Help: "the topic that pages are sent to", Example: "pages", Group: output})
	k.format = f.String(cli.Flag{
		Name:    "kafka_format",
		Default: "json",
		Help:    "of the messages: " + strings.Join(kafka.Formats(), ", ") + "; that of ACHE, CDR 3.1, and Datastreamer's with what was extracted",
		Example: kafka.FormatContent,
		Group:   output,
		Values:  kafka.Formats(),
	})
	f.Var(&k.properties, cli.Flag{Name: "kafka_property", Help: "a property of Kafka's producers, name=value, or @file with such lines; may be repeated. Those about security hold for reading, too", Example: "compression.type=zstd", Group: output})
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
