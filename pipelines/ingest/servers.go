package main

import (
	"fmt"
	"log/slog"
	"maps"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// serverFlags are those about servers that documents and pages are sent to, beside the output.
type serverFlags struct {
	elastic elasticFlags
	kafka   kafkaFlags
	ache    *string // the name of an ache.yml
}

func (s *serverFlags) flags(f *run.Flags) {
	s.elastic.flags(f)
	s.kafka.flags(f)
	s.ache = f.String(cli.Flag{Name: "ache_config", Help: "send pages where ACHE would with this ache.yml, and as it would: where target_storage.data_formats or data_format.type has ELASTICSEARCH or KAFKA, the keys of that are followed. Flags about servers that are given besides win", Example: "ache.yml", Group: output})
}

// options are what the flags say, and the ache.yml where they say nothing.
func (s *serverFlags) options(f *run.Flags) (job.ElasticOptions, kafka.Config, error) {
	if *s.ache != "" {
		if err := s.configure(f, *s.ache); err != nil {
			return job.ElasticOptions{}, kafka.Config{}, cli.Usagef("--ache_config: %v", err)
		}
	}
	o, err := s.elastic.options()
	return o, s.kafka.config(), err
}

// configure sets the flags that are not on the command line as an ache.yml has it. Errors name the file and the key.
func (s *serverFlags) configure(f *run.Flags, name string) error {
	c, err := ache.ReadConfig(name)
	if err != nil {
		return err
	}
	var others []string
	for _, format := range c.DataFormats {
		switch format {
		case "ELASTICSEARCH":
			err = s.elastic.configure(f, c.Elasticsearch)
		case "KAFKA":
			err = s.kafka.configure(f, c.Kafka)
		default:
			others = append(others, format)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(others) == len(c.DataFormats) {
		return fmt.Errorf("%s: target_storage.data_formats, or data_format.type: %s is no server; pipelines/convert writes files as ACHE does", name, strings.Join(others, ", "))
	}
	if len(others) > 0 {
		slog.Warn(fmt.Sprintf("%s: %s: not written; pipelines/convert writes files as ACHE does", name, strings.Join(others, ", ")))
	}
	return nil
}

// unlessSet sets the value of a flag that is not on the command line.
func unlessSet[T any](f *run.Flags, flag string, to *T, value T) {
	if !f.Set(flag) {
		*to = value
	}
}

const elasticKey = "target_storage.data_format.elasticsearch."

func (e *elasticFlags) configure(f *run.Flags, c ache.ElasticsearchConfig) error {
	if err := (elastic.Options{Hosts: c.Hosts}).Check(); err != nil && !f.Set("elastic") {
		return fmt.Errorf("%srest.hosts: %w", elasticKey, err)
	}
	if err := (elastic.Options{Hosts: []string{"http://localhost"}, Index: c.IndexName}).Check(); err != nil && !f.Set("elastic_index") {
		return fmt.Errorf("%sindex_name: %w", elasticKey, err)
	}
	unlessSet(f, "elastic", e.hosts, c.Hosts)
	unlessSet(f, "elastic_documents", e.model, string(elastic.ACHE))
	unlessSet(f, "elastic_index", e.index, c.IndexName)
	unlessSet(f, "elastic_type", e.kind, c.TypeName)
	unlessSet(f, "elastic_connect_timeout", &e.connect, timeSpan(c.ConnectTimeout))
	unlessSet(f, "elastic_socket_timeout", &e.socket, timeSpan(c.SocketTimeout))
	unlessSet(f, "elastic_start_timeout", &e.start, timeSpan(c.InitialConnectionTimeout))
	if c.MaxRetryTimeout > 0 {
		unlessSet(f, "elastic_retry_timeout", &e.giveUp, timeSpan(c.MaxRetryTimeout))
	}
	if c.Username != "" && c.Password != "" && !f.Set("elastic_user") {
		*e.user, e.password = c.Username, secret.Text(c.Password)
	}
	return nil
}

// The key, and what stands in for the rest where a part of a configuration is looked at alone.
const (
	kafkaKey    = "target_storage.data_format.kafka."
	acheBrokers = "localhost:9092" // what ACHE asks when no bootstrap.servers are named
	bootstrap   = "bootstrap.servers"
)

func (k *kafkaFlags) configure(f *run.Flags, c ache.KafkaConfig) error {
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
	properties := maps.Clone(c.Properties)
	brokers, named := properties[bootstrap]
	if delete(properties, bootstrap); !named {
		brokers = acheBrokers
	}
	unlessSet(f, "kafka", k.brokers, brokers)
	unlessSet(f, "kafka_topic", k.topic, c.TopicName)
	unlessSet(f, "kafka_format", k.format, format)
	maps.Copy(properties, k.properties)
	k.properties = properties
	return nil
}
