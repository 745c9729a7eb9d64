package job

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// source is a way in which captures come in: how units are planned of what a request names, and how one is opened. What
// a unit is read from follows from the kind of its ranges, which are alike.
// Functions and not an interface, because nothing of it has a state: plan works on the Plan, open on the engine.
type source struct {
	kinds []schemas.RangeKind
	plan  func(p *Plan, ctx context.Context, store *blob.Store, c Request) error
	open  func(e *engine, store *blob.Store, in schemas.Unit, o archive.Options) reader
}

// sources are those that there are, in the order in which their units are in a plan. A source more is a line here, a
// schemas.RangeKind, and its two functions.
// Archives are first, since addArchives makes the Inputs that the others add to.
var sources = []source{
	{[]schemas.RangeKind{schemas.KindFile, schemas.KindGroup}, (*Plan).addArchives, openFiles},
	{[]schemas.RangeKind{schemas.KindIndex}, (*Plan).addIndexes, openFiles},
	{[]schemas.RangeKind{schemas.KindTopic}, (*Plan).addTopics, openTopic},
}

// openFiles reads archives, groups of small files and what indexes point to: package work tells them apart.
func openFiles(_ *engine, store *blob.Store, in schemas.Unit, o archive.Options) reader {
	return work.NewReader(store, in, o)
}

// reader opens a unit.
// The unit of joined records has no inputs and is read elsewhere; an empty unit reads as one of files.
func (e *engine) reader(store *blob.Store, in schemas.Unit, o archive.Options) reader {
	kind := schemas.KindFile
	if len(in.Inputs) > 0 {
		kind = in.Inputs[0].Kind()
	}
	i := slices.IndexFunc(sources, func(s source) bool { return slices.Contains(s.kinds, kind) })
	return sources[i].open(e, store, in, o)
}
