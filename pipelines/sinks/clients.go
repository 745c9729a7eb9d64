//go:build !local

package sinks

import (
	"fmt"
	"maps"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// clients are the sinks with client libraries that take long to compile. Programs built with -tags local lack them.
var clients = []kind{
	{schemas.SinkKafka, "Apache Kafka", func() sink.Config { return new(kafka.Config) }},
	{schemas.SinkPostgres, "PostgreSQL", func() sink.Config { return new(postgres.Config) }},
}

// KafkaProperties returns the properties of Kafka's clients, which also read topics as inputs.
func (s Sinks) KafkaProperties() map[string]string {
	if c, ok := s.configs[schemas.SinkKafka].(*kafka.Config); ok {
		return c.Properties
	}
	return nil
}

// The prefix of keys, and values for checking a part of a configuration alone.
const (
	kafkaKey    = "target_storage.data_format.kafka."
	acheBrokers = "localhost:9092" // ACHE's default for bootstrap.servers
	bootstrap   = "bootstrap.servers"
)

// setKafka checks each key separately, by making a producer with only this setting of the file.
func (s Sinks) setKafka(f *cli.Flags, c ache.KafkaConfig) error {
	to := s.configs[schemas.SinkKafka].(*kafka.Config)
	format := strings.ToLower(c.Format)
	for _, part := range []struct {
		flag, key string
		config    kafka.Config
	}{
		{"kafka_topic", "topic_name", kafka.Config{Topic: c.TopicName, Format: "json"}},
		{"kafka_format", "format", kafka.Config{Topic: "x", Format: format}},
		{"", "properties", kafka.Config{Topic: "x", Format: "json", Properties: c.Properties}},
	} {
		part.config.Brokers = acheBrokers
		p, err := kafka.NewProducer(part.config)
		if err == nil {
			p.Close()
		} else if !f.Given(part.flag) {
			return fmt.Errorf("%s%s: %w", kafkaKey, part.key, err)
		}
	}
	// Cloned, so that the file's map stays unchanged.
	properties := maps.Clone(c.Properties)
	brokers, named := properties[bootstrap]
	if delete(properties, bootstrap); !named {
		brokers = acheBrokers
	}
	unlessSet(f, "kafka", &to.Brokers, brokers)
	unlessSet(f, "kafka_topic", &to.Topic, c.TopicName)
	unlessSet(f, "kafka_format", &to.Format, format)
	// The command line wins over the file.
	maps.Copy(properties, to.Properties)
	to.Properties = properties
	return nil
}
