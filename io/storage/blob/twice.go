package blob

import (
	"cmp"
	"path/filepath"

	"github.com/gleaner-web/gleaner/schemas"
)

// Twice is a file that was named more than once. It may have two spellings of its path or URL, a link, or a named
// folder. It is listed under one of its names, which does not depend on the order of the arguments. Names without links
// come first, since a link may change its target; then shorter ones; then the order of bytes. So hard links are one
// file, and files with equal bytes are not.
type Twice struct {
	Name  string // the listed name
	Again string // the other one; the same if one name was given twice
}

// unique keeps each file once, under its best name. A file keeps the place of its first finding; names are sorted
// later.
func unique(all []found) (list []found, twice []Twice) {
	type other struct {
		of   int // index in list
		name string
	}
	// Names are filled in at the end, because a better one may still come.
	var others []other
	at := map[id]int{} // index in list
	for _, f := range all {
		if f.id == (id{}) {
			f.id = idOf("url " + canonical(f.Name))
		}
		i, again := at[f.id]
		// Two groups are never the same file: folders are walked once.
		if !again || f.Group != nil {
			if f.Group == nil {
				at[f.id] = len(list)
			}
			list = append(list, f)
			continue
		}
		// The better name takes the place, and the previous one becomes the other.
		if counts(f.Name, list[i].Name) < 0 {
			f, list[i] = list[i], f
		}
		others = append(others, other{i, f.Name})
	}
	for _, o := range others {
		twice = append(twice, Twice{list[o.of].Name, o.name})
	}
	return list, twice
}

// counts compares two names of one file; the better one sorts first. The order is total, so that the best name does not
// depend on the order of arguments.
func counts(a, b string) int {
	if a == b {
		return 0 // without a call to the file system
	}
	return cmp.Or(cmp.Compare(linked(a), linked(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// linked returns 1 for a name that leads through a link, and 0 for others.
func linked(name string) int {
	if scheme(name) != "" {
		return 0
	}
	// An unresolvable path counts as a link: a working name is better.
	path := filepath.Clean(schemas.PathOf(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || real != path {
		return 1
	}
	return 0
}
