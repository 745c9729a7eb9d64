package unit

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// source opens the units of some kinds of inputs. All ranges of a unit have the same kind.
type source struct {
	kinds []schemas.RangeKind
	open  func(o Job, store *blob.Store, in schemas.Unit, read archive.Options) reader
}

// A new source is a line here, a schemas.RangeKind, a function to open it, and one in makePlan to plan its units.
var sources = []source{
	{[]schemas.RangeKind{schemas.KindFile, schemas.KindGroup, schemas.KindIndex}, openFiles},
	{[]schemas.RangeKind{schemas.KindTopic}, openTopic},
}

// openFiles reads archives, groups of small files and the records of indexes: package work tells them apart.
func openFiles(_ Job, store *blob.Store, in schemas.Unit, read archive.Options) reader {
	return work.NewReader(store, in, read)
}

// newReader opens a unit. Units of joined records do not come here; a unit without inputs counts as files.
func newReader(o Job, store *blob.Store, in schemas.Unit, read archive.Options) reader {
	kind := schemas.KindFile
	if len(in.Inputs) > 0 {
		kind = in.Inputs[0].Kind()
	}
	i := slices.IndexFunc(sources, func(s source) bool { return slices.Contains(s.kinds, kind) })
	return sources[i].open(o, store, in, read)
}
