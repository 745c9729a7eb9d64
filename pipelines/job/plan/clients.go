//go:build !local

package plan

import (
	"context"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// planTopic divides the current content of a topic.
func planTopic(ctx context.Context, url string, properties map[string]string) ([]schemas.Unit, map[string]string,
	error,
) {
	return kafka.Plan(ctx, url, properties, 0)
}

// generationOf returns the generation of the database at path.
func generationOf(ctx context.Context, path string) (string, error) {
	return sourceindex.GenerationOf(ctx, path)
}
