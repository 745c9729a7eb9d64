//go:build !local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// planTopic divides the current content of a topic.
func planTopic(ctx context.Context, url string, c Request) ([]schemas.Unit, map[string]string, error) {
	return kafka.Plan(ctx, url, c.Sinks.KafkaProperties(), 0)
}

// openTopic reads messages. Credentials come from the properties, not from the unit.
func openTopic(e *engine, _ *blob.Store, in schemas.Unit, o archive.Options) reader {
	return kafka.NewReader(in, e.o.Sinks.KafkaProperties(), o)
}
