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

// clients are the sinks whose client libraries take long to compile: programs that are built with -tags local do
// without them.
var clients = []kind{
	{schemas.SinkKafka, "Apache Kafka", func() sink.Config { return new(kafka.Config) }},
	{schemas.SinkPostgres, "PostgreSQL", func() sink.Config { return new(postgres.Config) }},
}

// KafkaProperties are those of Kafka's clients, which topics are read with, too.
// Topics are inputs too, though they are sinks' flags that describe their servers.
func (s Sinks) KafkaProperties() map[string]string {
	if c, ok := s.configs[schemas.SinkKafka].(*kafka.Config); ok {
		return c.Properties
	}
	return nil
}

// The key, and what stands in for the rest where a part of a configuration is looked at alone.
const (
	kafkaKey    = "target_storage.data_format.kafka."
	acheBrokers = "localhost:9092" // what ACHE asks when no bootstrap.servers are named
	bootstrap   = "bootstrap.servers"
)

// setKafka checks each key for itself, by making a producer that has nothing else of the file.
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
		} else if !f.Set(part.flag) {
			return fmt.Errorf("%s%s: %w", kafkaKey, part.key, err)
		}
	}
	// A clone, because the file's own map must stay as it was read.
	properties := maps.Clone(c.Properties)
	brokers, named := properties[bootstrap]
	if delete(properties, bootstrap); !named {
		brokers = acheBrokers
	}
	unlessSet(f, "kafka", &to.Brokers, brokers)
	unlessSet(f, "kafka_topic", &to.Topic, c.TopicName)
	unlessSet(f, "kafka_format", &to.Format, format)
	// What the command line has of properties wins over the file.
	maps.Copy(properties, to.Properties)
	to.Properties = properties
	return nil
}
