package blob

import (
	"cmp"
	"path/filepath"

	"github.com/gleaner-web/gleaner/schemas"
)

// Twice is a file that was named more than once: with two spellings of its path or URL, by a link, by a folder and by
// itself. It is listed under one of its names, which does not depend on the order of the arguments: first those count
// that lead through no link, since a link may lead elsewhere tomorrow, then the shorter ones, then the order of bytes.
// So hard links are one file, and files that are equal byte for byte are not.
type Twice struct {
	Name  string // that it is listed under
	Again string // the other one; the same when one name was given twice
}

// unique leaves each file once, under the name that counts most.
// The place in the result is that of the first finding, so that it grows in the order of the arguments; names are
// sorted later.
func unique(all []found) (list []found, twice []Twice) {
	type other struct {
		of   int // in list
		name string
	}
	// Names are filled in at the end: until then a better one may still come.
	var others []other
	at := map[id]int{} // in list
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
		// The better name takes the place, and the one that was there becomes the other.
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

// counts compares two names of one file, the one that counts more first.
// It is a total order of names, so that which one wins does not depend on the order in which they come.
func counts(a, b string) int {
	if a == b {
		return 0 // without asking the file system
	}
	return cmp.Or(cmp.Compare(linked(a), linked(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// linked is 1 for a name that leads through a link, and 0 for others.
func linked(name string) int {
	if scheme(name) != "" {
		return 0
	}
	// A path that cannot be resolved counts as a link: a working name is better.
	path := filepath.Clean(schemas.PathOf(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || real != path {
		return 1
	}
	return 0
}
