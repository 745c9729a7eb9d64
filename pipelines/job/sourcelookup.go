//go:build !local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/source/sourceindex"
)

// sourceLookup finds the source of a page in the database of --sources; nil finds none.
type sourceLookup = sourceindex.Lookup

// openSources opens that of o, and returns nil where there is none.
func openSources(o Options) (*sourceLookup, error) {
	return sourceindex.OpenLookup(context.Background(), o.Sources, o.SourcesMade)
}

// generationOf reads which generation the database at path is of.
func generationOf(ctx context.Context, path string) (string, error) {
	return sourceindex.GenerationOf(ctx, path)
}
