package blob

import (
	"cmp"
	"crypto/sha256"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Listing is what arguments name.
type Listing struct {
	Files []Info   // sorted by name, each file once
	Twice []Twice  // files that were named more than once, in the order of their names
	Empty []string // folders that were named and hold no file, as they were named
}

// found is one finding of an argument.
type found struct {
	Info
	id   id     // of the file, or none
	real string // of a file or folder of groups: its path with all links resolved
}

// id reports whether two names are of one file.
// It is the first 16 bytes of a SHA-256: short, because there is one for each of millions of files, and long enough
// that nobody can make two that are equal by chance.
type id [16]byte

// The text begins with a word for its kind, so that a path never equals a URL or a number.
func idOf(text string) id {
	sum := sha256.Sum256([]byte(text))
	return id(sum[:16])
}

// local is the finding of the file at a path. Of a page in a tree the name says what it is: there two hard links are
// two pages.
func (e *expander) local(path string, info fs.FileInfo) found {
	f := found{Info: Info{
		Name:     schemas.NameOf(path),
		Size:     info.Size(),
		Stamp:    localStamp(info),
		Modified: info.ModTime(),
	}}
	// A path that cannot be resolved is treated as any other file: it existed a moment ago, and opening it will fail if it
	// is gone.
	if e.grouping.Member != nil && e.grouping.Member(path) {
		if dir, err := realPath(filepath.Dir(path)); err == nil {
			f.real = filepath.Join(dir, filepath.Base(path))
			f.id = idOf("page " + f.real)
			return f
		}
	}
	if number := inode(info); number != "" {
		// Some network file systems give one number to several files: then these differ.
		// The stamp is the size and time of change, which differ for files that only share a number.
		f.id = idOf(number + " " + f.Stamp)
	} else if real, err := realPath(path); err == nil {
		f.id = idOf("path " + real)
	}
	return f
}

// unreadable notes something that was met in a folder and cannot be read.
// It is listed and does not fail: one bad file in a folder of a million must not end a run, and must not be silent
// either.
func (e *expander) unreadable(path string, err error) {
	why, _ := Unreadable(err)
	e.found = append(e.found, found{Info: Info{
		// Its id is of the name, since there is nothing else to know it by.
		Name: schemas.NameOf(path), Unreadable: cmp.Or(why, err.Error()),
	}, id: idOf("name " + path)})
}

// listing returns the files in the order of names, each once.
func (e *expander) listing() Listing {
	l := Listing{Empty: e.empty, Twice: e.twice}
	// Groups first: the files that they hold need no further comparison.
	list, twice := unique(e.outsideGroups(&l))
	for _, f := range list {
		l.Files = append(l.Files, f.Info)
	}
	// Stable, since several groups of one folder have its name, and their order is that of the files.
	slices.SortStableFunc(l.Files, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	l.Twice = append(l.Twice, twice...)
	slices.SortFunc(l.Twice, func(a, b Twice) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Again, b.Again))
	})
	return l
}

// outsideGroups are the findings except for the files that are in groups, too.
// A page in a tree may be named by itself and lie beneath a folder that is named as well: then the group has it.
func (e *expander) outsideGroups(l *Listing) []found {
	var groups []found
	for _, f := range e.found {
		if f.Group != nil {
			groups = append(groups, f)
		}
	}
	// The array of e.found is used again; nobody reads it afterwards.
	return slices.DeleteFunc(e.found, func(f found) bool {
		if f.Group != nil || f.real == "" {
			return false
		}
		// Groups are few, one for thousands of files, and files with a real path are those named themselves: so a
		// plain search will do.
		i := slices.IndexFunc(groups, func(g found) bool { return g.holds(f.real) })
		if i >= 0 {
			l.Twice = append(l.Twice, Twice{groups[i].Name, f.Name})
		}
		return i >= 0
	})
}

// inOrder sorts arguments as the names of one file are.
// They are resolved once each and not in each comparison, of which there are many more.
func inOrder(args []string) []string {
	links := map[string]int{}
	for _, a := range args {
		links[a] = linked(schemas.NameOf(a))
	}
	return slices.SortedFunc(slices.Values(args), func(a, b string) int {
		return cmp.Or(cmp.Compare(links[a], links[b]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
