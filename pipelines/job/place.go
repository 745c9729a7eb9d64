package job

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// id identifies a range's file. A local file has its absolute path without links, because "a.warc" of a run in
// another folder is another file. The id of an index includes its lookup, since another lookup selects other lines.
func (k *keeper) id(dir string, r schemas.Range) string {
	id := r.File
	if isLocal(id) {
		id = k.real(dir, id)
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

// real returns the path of a local file without links. Relative names are relative to dir, the folder of the run that
// read the file.
func (k *keeper) real(dir, name string) string {
	if name = schemas.PathOf(name); !filepath.IsAbs(name) {
		name = filepath.Join(cmp.Or(dir, k.wd), name)
	}
	// Caching folders resolves the links of a folder of a million archives once. The file itself may be a link too.
	parent, base := filepath.Split(filepath.Clean(name))
	there, known := k.dirs[parent]
	if !known {
		there = blob.RealPath(filepath.Clean(parent))
		k.dirs[parent] = there
	}
	path := filepath.Join(there, base)
	// The folders above have no links now, so one Lstat replaces RealPath.
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink == 0 {
		return path
	}
	return blob.RealPath(path)
}

func classOf(r schemas.Range) int {
	switch r.Kind() {
	case schemas.KindIndex:
		return classIndex
	case schemas.KindTopic:
		return classTopic
	}
	return classArchive
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
		cmp.Compare(classOf(x), classOf(y)), strings.Compare(x.File, y.File),
		comparePages(x.Group, y.Group), cmp.Compare(x.Start, y.Start),
	)
}

// comparePages compares groups of one folder by their first files in the order of a walk. It compares path elements,
// because a walk visits "a/x" before "a.html" but "a.html" < "a/x" as strings.
func comparePages(a, b *schemas.Group) int {
	if a == nil || b == nil {
		return 0
	}
	return slices.Compare(strings.Split(a.First, "/"), strings.Split(b.First, "/"))
}

func plannedAll(inputs []schemas.Range) []schemas.Range {
	list := make([]schemas.Range, len(inputs))
	for i, in := range inputs {
		list[i] = planned(in)
	}
	return list
}

// The kinds of inputs, in the order of sources and of a plan. Another order would change the bytes of collections.
const (
	classArchive = iota
	classIndex
	classTopic
)

// isLost reports whether arg, an argument relative to dir, names a local file that is gone.
func (k *keeper) isLost(arg, dir string) bool {
	if !isLocal(arg) || isTopic(arg) || arg == "-" || strings.ContainsAny(arg, "*?[@") {
		return false
	}
	return k.isGone(k.id(dir, schemas.Range{File: arg}), true)
}

// pathIn returns the path in an id, without the quoted lookup and a group's slash.
func pathIn(id string) string {
	name, _, _ := strings.Cut(id, ` "`) // of an index
	return strings.TrimSuffix(name, "/")
}

// firstOf returns a row's first input. For joined records it returns an empty range, which counts as an archive's.
func firstOf(r collection.Row) schemas.Range {
	if len(r.Inputs) == 0 {
		return schemas.Range{}
	}
	return r.Inputs[0]
}
