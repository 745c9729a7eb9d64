package standing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// Names finds the ids of files. It caches the real paths of folders, and is not safe for concurrent use.
type Names struct{ paths *blob.Paths }

// NewNames returns names for a process in its working directory.
func NewNames() (*Names, error) {
	paths, err := blob.NewPaths()
	return &Names{paths}, err
}

// Dir returns the working directory.
func (n *Names) Dir() string { return n.paths.Dir() }

// ID identifies a range's file. A local file has its absolute path without links, because "a.warc" of a run in
// another folder is another file. The ID of an index includes its lookup, since another lookup selects other lines.
// The range's name is relative to dir, or to the working directory if dir is "".
func (n *Names) ID(dir string, r schemas.Range) string {
	id := r.File
	if IsLocal(id) {
		id = n.paths.Real(dir, schemas.PathOf(id))
	}
	// The slash tells a group from its folder.
	if r.Group != nil {
		id += "/"
	}
	// The quotes end the path: see pathIn.
	if l := r.Lookup; l != nil {
		id += fmt.Sprintf(" %q %q", l.Filter, l.Base)
	}
	return id
}

// StampID returns the key of a file's stamp, or of a group's, for the id of its range.
func StampID(id string, r schemas.Range) string {
	return work.StampName(schemas.Range{File: id, Group: r.Group})
}

// nothingOf reports whether an input of a unit was unreadable as a whole. Then no documents of it could be lost.
// Indexes, groups and topics may have been read in part.
func nothingOf(u schemas.UnitResult, in schemas.Range) bool {
	return in.Unreadable != "" && (u.Captures == 0 || in.Format == "" && in.Kind() == schemas.KindFile)
}

// IsTopic reports whether a name is the URL of a topic and not of an archive.
func IsTopic(name string) bool { return strings.HasPrefix(name, schemas.TopicScheme) }

// IsLocal reports whether a name is one in the file system.
func IsLocal(name string) bool { return !blob.IsRemote(name) && !IsTopic(name) }

// Class is a kind of inputs.
type Class int

// ClassOf returns the class of a range.
func ClassOf(r schemas.Range) Class {
	switch r.Kind() {
	case schemas.KindIndex:
		return Indexes
	case schemas.KindTopic:
		return Topics
	}
	return Archives
}

// comparePlaces compares units by their order in a plan: archives, indexes, topics, each by the first range. Units of
// joined records, without ranges, are last.
func comparePlaces(a, b schemas.Unit) int {
	if len(a.Inputs) == 0 || len(b.Inputs) == 0 {
		// Reversed arguments put units without inputs last.
		return cmp.Compare(len(b.Inputs), len(a.Inputs))
	}
	x, y := a.Inputs[0], b.Inputs[0]
	return cmp.Or(
		cmp.Compare(ClassOf(x), ClassOf(y)), strings.Compare(x.File, y.File),
		comparePages(x.Group, y.Group), cmp.Compare(x.Start, y.Start),
	)
}

// compareRows orders rows as their units, and those of one place by their keys.
func compareRows(a, b ledger.Row) int {
	return cmp.Or(comparePlaces(a.Unit, b.Unit), strings.Compare(a.Key, b.Key))
}

// comparePages compares groups of one folder by their first files in the order of a walk. It compares path elements,
// because a walk visits "a/x" before "a.html" but "a.html" < "a/x" as strings.
func comparePages(a, b *schemas.Group) int {
	if a == nil || b == nil {
		return 0
	}
	return slices.Compare(strings.Split(a.First, "/"), strings.Split(b.First, "/"))
}

// The classes, in the order of a plan. Another order would change the bytes of collections.
const (
	Archives Class = iota
	Indexes
	Topics
)

// pathIn returns the path in an id, without the quoted lookup and a group's slash.
func pathIn(id string) string {
	name, _, _ := strings.Cut(id, ` "`) // of an index
	return strings.TrimSuffix(name, "/")
}

// firstOf returns a row's first input. For joined records it returns an empty range, which counts as an archive's.
func firstOf(r ledger.Row) schemas.Range {
	if len(r.Inputs) == 0 {
		return schemas.Range{}
	}
	return r.Inputs[0]
}
