//go:build local

package sinks

import (
	"errors"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// clients is empty, because this program lacks their libraries.
var clients []kind

// KafkaProperties returns nil.
func (s Sinks) KafkaProperties() map[string]string { return nil }

// setKafka returns an error, because this program lacks Kafka.
func (s Sinks) setKafka(*cli.Flags, ache.KafkaConfig) error {
	return errors.New("KAFKA: " + cli.LeftOut)
}
