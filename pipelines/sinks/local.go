//go:build local

package sinks

import (
	"errors"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// clients are none: this program does without their libraries.
var clients []kind

// KafkaProperties are none.
func (s Sinks) KafkaProperties() map[string]string { return nil }

// setKafka refuses a configuration that asks for Kafka.
func (s Sinks) setKafka(*cli.Flags, ache.KafkaConfig) error {
	return errors.New("KAFKA: " + cli.LeftOut)
}
