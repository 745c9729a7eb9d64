package blob

import (
	"cmp"
	"crypto/sha256"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Listing is the set of files that arguments name.
type Listing struct {
	Files []Info   // sorted by name, each file once
	Twice []Twice  // files that were named more than once, in the order of their names
	Empty []string // named folders without files, as they were named
}

// found is a file or group that an argument names.
type found struct {
	Info
	id   id     // of the file, or zero
	real string // for a page file or group: its path with all links resolved
}

// id identifies a file, so that two names of one file have the same id. It is the first 16 bytes of a SHA-256: short,
// because there are millions, and long enough to avoid accidental collisions.
type id [16]byte

// idOf returns the id of a text. The text begins with a word for its kind, so that a path never equals a URL or a
// number.
func idOf(text string) id {
	sum := sha256.Sum256([]byte(text))
	return id(sum[:16])
}

// local returns the entry for the file at a path. In a tree of pages the name identifies the page, so two hard links
// are two pages.
func (e *expander) local(path string, info fs.FileInfo) found {
	f := found{Info: Info{
		Name:     schemas.NameOf(path),
		Size:     info.Size(),
		Stamp:    localStamp(info),
		Modified: info.ModTime(),
	}}
	// An unresolvable path is treated like any other file: it existed a moment ago, and opening it fails if it is gone.
	if e.grouping.Member != nil && e.grouping.Member(path) {
		if dir, err := realPath(filepath.Dir(path)); err == nil {
			f.real = filepath.Join(dir, filepath.Base(path))
			f.id = idOf("page " + f.real)
			return f
		}
	}
	if number := inode(info); number != "" {
		// Some network file systems give one number to several files. The stamp, with size and time of change,
		// distinguishes them.
		f.id = idOf(number + " " + f.Stamp)
	} else if real, err := realPath(path); err == nil {
		f.id = idOf("path " + real)
	}
	return f
}

// unreadable adds an unreadable entry of a folder to the list. One bad file in a folder of a million must not end a
// run, and must not be silent either.
func (e *expander) unreadable(path string, err error) {
	why, _ := Unreadable(err)
	e.found = append(e.found, found{Info: Info{
		// The id comes from the name, since nothing else is known.
		Name: schemas.NameOf(path), Unreadable: cmp.Or(why, err.Error()),
	}, id: idOf("name " + path)})
}

// listing returns the files in the order of names, each once.
func (e *expander) listing() Listing {
	l := Listing{Empty: e.empty, Twice: e.twice}
	// Groups come first: the files in them need no further comparison.
	list, twice := unique(e.outsideGroups(&l))
	for _, f := range list {
		l.Files = append(l.Files, f.Info)
	}
	// Stable, since several groups of one folder share its name, and their order is that of the files.
	slices.SortStableFunc(l.Files, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	l.Twice = append(l.Twice, twice...)
	slices.SortFunc(l.Twice, func(a, b Twice) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Again, b.Again))
	})
	return l
}

// outsideGroups returns the findings except for the files that are also in groups. A page in a tree may be named by
// itself and lie beneath a named folder: then the group has it.
func (e *expander) outsideGroups(l *Listing) []found {
	var groups []found
	for _, f := range e.found {
		if f.Group != nil {
			groups = append(groups, f)
		}
	}
	// This reuses the array of e.found, which nobody reads afterwards.
	return slices.DeleteFunc(e.found, func(f found) bool {
		if f.Group != nil || f.real == "" {
			return false
		}
		// Groups are few, one for thousands of files, and only files named by themselves have a real path. So a linear
		// search is enough.
		i := slices.IndexFunc(groups, func(g found) bool { return g.holds(f.real) })
		if i >= 0 {
			l.Twice = append(l.Twice, Twice{groups[i].Name, f.Name})
		}
		return i >= 0
	})
}

// inOrder sorts arguments as the names of one file are sorted. It resolves each once, because there are many more
// comparisons.
func inOrder(args []string) []string {
	links := map[string]int{}
	for _, a := range args {
		links[a] = linked(schemas.NameOf(a))
	}
	return slices.SortedFunc(slices.Values(args), func(a, b string) int {
		return cmp.Or(cmp.Compare(links[a], links[b]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
