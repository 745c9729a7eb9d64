//go:build !local

package unit

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// openTopic reads messages. Credentials come from the properties, not from the unit.
func openTopic(o Job, _ *blob.Store, in schemas.Unit, read archive.Options) reader {
	return kafka.NewReader(in, o.Sinks.KafkaProperties(), read)
}

// sourceLookup finds the source of a page in the database of --sources. A nil one finds nothing.
type sourceLookup = sourceindex.Lookup

// openSources opens the database of --sources, or returns nil if there is none.
func openSources(o Job) (*sourceLookup, error) {
	return sourceindex.OpenLookup(context.Background(), o.Sources, o.SourcesMade)
}
