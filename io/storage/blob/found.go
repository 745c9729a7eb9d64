package blob

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// Listing is what arguments name.
type Listing struct {
	Files []Info   // sorted by name, each file once
	Twice []Twice  // files that were named more than once, in the order of their names
	Empty []string // folders that were named and hold no file, as they were named
}

// Twice is a file that was named more than once: with two spellings of its path or URL, by a link, by a folder and by
// itself. It is listed under one of its names, which does not depend on the order of the arguments: first those count
// that lead through no link, since a link may lead elsewhere tomorrow, then the shorter ones, then the order of bytes.
// So hard links are one file, and files that are equal byte for byte are not.
type Twice struct {
	Name  string // that it is listed under
	Again string // the other one; the same when one name was given twice
}

// found is one finding of an argument.
type found struct {
	Info
	id   id     // of the file, or none
	real string // of a file or folder of groups: where it is behind all links
}

// id tells whether two names are of one file.
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
	// What cannot be resolved is treated as any other file: it was there a moment ago, and opening it will tell.
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

// canonical is a URL as it is after the normalization of RFC 3986, section 6.2, that changes nothing for any server.
func canonical(name string) string {
	kind := scheme(name)
	// Names of objects are compared byte by byte: "a//b" and "a/./b" are other objects than "a/b".
	if kind != "http" && kind != "https" {
		return kind + name[len(kind):]
	}
	u, err := url.Parse(name)
	if err != nil {
		return name
	}
	hidden := ""
	if i := strings.LastIndex(name, "#q="); i >= 0 && secret.Hides(name) {
		hidden = name[i:] // tells apart what is not shown, and is no fragment
	}
	// ResolveReference drops "." and ".." from the path as RFC 3986, section 5.2.4, says. The fragment is left out
	// because it is never sent.
	u = u.ResolveReference(&url.URL{RawQuery: u.RawQuery, Path: u.Path, RawPath: u.RawPath}) // without dots and fragment
	u.Scheme, u.Host = kind, strings.ToLower(u.Host)
	// The ports that the schemes stand for.
	if port := u.Port(); kind == "http" && port == "80" || kind == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	user := ""
	if u.User != nil {
		user = u.User.String() + "@"
	}
	// An empty path and "/" are the same request.
	path := plainEscapes(cmp.Or(u.EscapedPath(), "/"))
	// The query stays as it is: servers may tell apart what looks equal there.
	return fmt.Sprintf("%s://%s%s%s?%s%s", u.Scheme, user, u.Host, path, u.RawQuery, hidden)
}

// plainEscapes writes the escapes of a path in upper case, and letters, digits and -._~ without one.
func plainEscapes(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		// Also a "%" with less than two characters behind it, which is no escape.
		if path[i] != '%' || i+3 > len(path) {
			b.WriteByte(path[i])
			continue
		}
		code := strings.ToUpper(path[i : i+3])
		c, err := url.PathUnescape(code)
		// Unreserved characters mean the same with an escape and without one (RFC 3986, section 2.3); others, such
		// as %2F, do not.
		if plain := err == nil && strings.Trim(c, letters) == ""; plain {
			code = c
		}
		b.WriteString(code)
		i += 2
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"

// listing returns what was found in the order of names, each file once.
func (e *expander) listing() Listing {
	l := Listing{Empty: e.empty, Twice: e.twice}
	// Groups first: which files they hold decides what is left to compare.
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

// outsideGroups are the findings but for the files that are in groups, too.
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
	// What cannot be resolved counts as a link: a name that works is better.
	path := filepath.Clean(schemas.PathOf(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || real != path {
		return 1
	}
	return 0
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
