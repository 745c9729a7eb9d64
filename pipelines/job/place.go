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

// id is what a range's file is distinguished from others by: its name, behind all links and from the root on where it
// is local. Ranges of an index that ask for other lines are others.
// Names alone do not tell files apart: "a.warc" of a run in
// another folder is another file, and a link is the same.
func (k *keeper) id(dir string, r schemas.Range) string {
	id := r.File
	if isLocal(id) {
		id = k.real(dir, id)
	}
	// A group is named by its folder, and so is the folder itself; the slash keeps the two apart.
	if r.Group != nil {
		id += "/"
	}
	// The quotes end the path: pathIn cuts there.
	if l := r.Lookup; l != nil {
		id += fmt.Sprintf(" %q %q", l.Filter, l.Base)
	}
	return id
}

// real is the path of a local file behind links; folders are looked at once.
// The row's folder counts for a relative name, and not that
// of this process: dir is where the run was that made it.
func (k *keeper) real(dir, name string) string {
	if name = schemas.PathOf(name); !filepath.IsAbs(name) {
		name = filepath.Join(cmp.Or(dir, k.wd), name)
	}
	// A folder of a million archives has its links resolved once. The
	// file itself is looked at each time, since it may be a link.
	parent, base := filepath.Split(filepath.Clean(name))
	there, known := k.dirs[parent]
	if !known {
		there = blob.RealPath(filepath.Clean(parent))
		k.dirs[parent] = there
	}
	path := filepath.Join(there, base)
	// Nothing before the last name is a link any more: one look, where RealPath would look at each folder again.
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

// comparePlaces compares units by where they are in a plan: archives, indexes, topics, by the first range of each.
// Those without any, of joined records, are last.
func comparePlaces(a, b schemas.Unit) int {
	if len(a.Inputs) == 0 || len(b.Inputs) == 0 {
		// Greater first: the one that has inputs comes before the one that has none.
		return cmp.Compare(len(b.Inputs), len(a.Inputs))
	}
	x, y := a.Inputs[0], b.Inputs[0]
	// A file is of one class only, so that names compare like with like.
	return cmp.Or(
		cmp.Compare(classOf(x), classOf(y)), strings.Compare(x.File, y.File),
		comparePages(x.Group, y.Group), cmp.Compare(x.Start, y.Start),
	)
}

// comparePages compares groups of one folder by their first files, in the order of a walk.
// A walk visits "a/x" before "a.html", but strings compare the other way round: hence the parts are compared.
func comparePages(a, b *schemas.Group) int {
	if a == nil || b == nil {
		return 0
	}
	return slices.Compare(strings.Split(a.First, "/"), strings.Split(b.First, "/"))
}

// plannedAll are the ranges as a plan has them.
func plannedAll(inputs []schemas.Range) []schemas.Range {
	list := make([]schemas.Range, len(inputs))
	for i, in := range inputs {
		list[i] = planned(in)
	}
	return list
}

// The kinds of inputs, in their order in a plan.
// They are the order of sources as well; a collection whose units stand otherwise would not be the same bytes.
const (
	classArchive = iota
	classIndex
	classTopic
)

// isLost reports whether an argument of an earlier command, in the folder dir, names a local file that is gone.
func (k *keeper) isLost(arg, dir string) bool {
	if !isLocal(arg) || isTopic(arg) || arg == "-" || strings.ContainsAny(arg, "*?[@") {
		return false
	}
	return k.isGone(k.id(dir, schemas.Range{File: arg}), true)
}

// pathIn is the path in an id.
// The quoted words of a lookup follow the path, and the slash of a group ends it: see keeper.id.
func pathIn(id string) string {
	name, _, _ := strings.Cut(id, ` "`) // of an index
	return strings.TrimSuffix(name, "/")
}

// firstOf is a row's first input, and of joined records, which have none, a range of no kind: an archive's.
func firstOf(r collection.Row) schemas.Range {
	if len(r.Inputs) == 0 {
		return schemas.Range{}
	}
	return r.Inputs[0]
}
