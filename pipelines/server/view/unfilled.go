package view

import (
	"slices"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Unfilled is a field that no capture of the collection has, because of how its archives were read.
type Unfilled struct {
	Field  string `json:"field" doc:"as in the query language: entities.sentiment"`
	Option string `json:"option" doc:"of ingest that fills the field: --extract=sentiment; empty of source_id"`
}

// renew sets the state of the collection, which may have changed since the answer was made. The reasons stay.
func (a *Answer) renew(c *shelf.Collection, took float64) { a.Index, a.Took = answer(c).Index, took }

// explain says why an answer may have nothing: the collection is empty, or no capture has a field of the filter or of
// the list.
func (a *Answer) explain(now *shelf.Snapshot, where query.Expr, fields ...string) {
	if a.Empty = now.Whole().Manifest.Totals.Documents == 0; a.Empty {
		return
	}
	for _, l := range slices.Concat(now.DB.Lacks(where), now.DB.LacksOf(fields...)) {
		if u := (Unfilled{l.Field, l.Option}); !slices.Contains(a.Unfilled, u) {
			a.Unfilled = append(a.Unfilled, u)
			if l.Extractor != "" && !slices.Contains(a.Lacks, l.Extractor) {
				a.Lacks = append(a.Lacks, l.Extractor)
			}
		}
	}
	slices.Sort(a.Lacks)
}
