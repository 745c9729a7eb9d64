package job

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// source is a kind of input: plan makes units from what a request names, and open opens one. All ranges of a unit
// have the same kind.
type source struct {
	kinds []schemas.RangeKind
	plan  func(p *Plan, ctx context.Context, store *blob.Store, c Request) error
	open  func(e *engine, store *blob.Store, in schemas.Unit, o archive.Options) reader
}

// sources are in the order of their units in a plan. A new source is a line here, a schemas.RangeKind, and two
// functions. Archives are first, because addArchives makes the Inputs to which the others add.
var sources = []source{
	{[]schemas.RangeKind{schemas.KindFile, schemas.KindGroup}, (*Plan).addArchives, openFiles},
	{[]schemas.RangeKind{schemas.KindIndex}, (*Plan).addIndexes, openFiles},
	{[]schemas.RangeKind{schemas.KindTopic}, (*Plan).addTopics, openTopic},
}

// openFiles reads archives, groups of small files and the records of indexes: package work tells them apart.
func openFiles(_ *engine, store *blob.Store, in schemas.Unit, o archive.Options) reader {
	return work.NewReader(store, in, o)
}

// reader opens a unit. Units of joined records do not come here; a unit without inputs counts as files.
func (e *engine) reader(store *blob.Store, in schemas.Unit, o archive.Options) reader {
	kind := schemas.KindFile
	if len(in.Inputs) > 0 {
		kind = in.Inputs[0].Kind()
	}
	i := slices.IndexFunc(sources, func(s source) bool { return slices.Contains(s.kinds, kind) })
	return sources[i].open(e, store, in, o)
}
