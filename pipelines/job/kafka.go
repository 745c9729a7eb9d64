//go:build !local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// planTopic divides what is in a topic now.
func planTopic(ctx context.Context, url string, c Request) ([]schemas.Unit, map[string]string, error) {
	return kafka.Plan(ctx, url, c.Options.Sinks.KafkaProperties(), 0)
}

// openTopic reads messages; the properties hold the credentials, which are not in the unit.
func openTopic(e *engine, _ *blob.Store, in schemas.Unit, o archive.Options) reader {
	return kafka.NewReader(in, e.o.Sinks.KafkaProperties(), o)
}
