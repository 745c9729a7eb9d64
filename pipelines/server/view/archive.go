package view

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// fromArchive adds what stands in the archive alone: the HTTP head.
func (v *Views) fromArchive(_ context.Context, _ *shelf.Collection, _ *Resource, _ *schemas.Document) {
}

func (v *Views) sourcesOf(_ context.Context, _ *schemas.Document) []SourceRow { return []SourceRow{} }
