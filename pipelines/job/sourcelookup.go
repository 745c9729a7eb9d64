//go:build !local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/source/sourceindex"
)

// sourceLookup finds the source of a page in the database of --sources. A nil one finds nothing.
type sourceLookup = sourceindex.Lookup

// openSources opens the database of --sources, or returns nil if there is none.
func openSources(o Job) (*sourceLookup, error) {
	return sourceindex.OpenLookup(context.Background(), o.Sources, o.SourcesMade)
}

// generationOf returns the generation of the database at path.
func generationOf(ctx context.Context, path string) (string, error) {
	return sourceindex.GenerationOf(ctx, path)
}
