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
type id [16]byte

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
	if e.grouping.Member != nil && e.grouping.Member(path) {
		if dir, err := realPath(filepath.Dir(path)); err == nil {
			f.real = filepath.Join(dir, filepath.Base(path))
			f.id = idOf("page " + f.real)
			return f
		}
	}
	if number := inode(info); number != "" {
		// Some network file systems give one number to several files: then these differ.
		f.id = idOf(number + " " + f.Stamp)
	} else if real, err := realPath(path); err == nil {
		f.id = idOf("path " + real)
	}
	return f
}

// unreadable notes something that was met in a folder and cannot be read.
func (e *expander) unreadable(path string, err error) {
	why, _ := Unreadable(err)
	e.found = append(e.found, found{Info: Info{
		Name: schemas.NameOf(path), Unreadable: cmp.Or(why, err.Error()),
	}, id: idOf("name " + path)})
}

// canonical is a URL as it is after the normalization of RFC 3986, section 6.2, that changes nothing for any server.
func canonical(name string) string {
	kind := scheme(name)
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
	u = u.ResolveReference(&url.URL{RawQuery: u.RawQuery, Path: u.Path, RawPath: u.RawPath}) // without dots and fragment
	u.Scheme, u.Host = kind, strings.ToLower(u.Host)
	if port := u.Port(); kind == "http" && port == "80" || kind == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	user := ""
	if u.User != nil {
		user = u.User.String() + "@"
	}
	path := plainEscapes(cmp.Or(u.EscapedPath(), "/"))
	return fmt.Sprintf("%s://%s%s%s?%s%s", u.Scheme, user, u.Host, path, u.RawQuery, hidden)
}

// plainEscapes writes the escapes of a path in upper case, and letters, digits and -._~ without one.
func plainEscapes(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] != '%' || i+3 > len(path) {
			b.WriteByte(path[i])
			continue
		}
		code := strings.ToUpper(path[i : i+3])
		c, err := url.PathUnescape(code)
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
	list, twice := unique(e.outsideGroups(&l))
	for _, f := range list {
		l.Files = append(l.Files, f.Info)
	}
	slices.SortStableFunc(l.Files, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	l.Twice = append(l.Twice, twice...)
	slices.SortFunc(l.Twice, func(a, b Twice) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Again, b.Again))
	})
	return l
}

// outsideGroups are the findings but for the files that are in groups, too.
func (e *expander) outsideGroups(l *Listing) []found {
	var groups []found
	for _, f := range e.found {
		if f.Group != nil {
			groups = append(groups, f)
		}
	}
	return slices.DeleteFunc(e.found, func(f found) bool {
		if f.Group != nil || f.real == "" {
			return false
		}
		i := slices.IndexFunc(groups, func(g found) bool { return g.holds(f.real) })
		if i >= 0 {
			l.Twice = append(l.Twice, Twice{groups[i].Name, f.Name})
		}
		return i >= 0
	})
}

// unique leaves each file once, under the name that counts most.
func unique(all []found) (list []found, twice []Twice) {
	type other struct {
		of   int // in list
		name string
	}
	var others []other
	at := map[id]int{} // in list
	for _, f := range all {
		if f.id == (id{}) {
			f.id = idOf("url " + canonical(f.Name))
		}
		i, again := at[f.id]
		if !again || f.Group != nil {
			if f.Group == nil {
				at[f.id] = len(list)
			}
			list = append(list, f)
			continue
		}
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
	path := filepath.Clean(schemas.PathOf(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || real != path {
		return 1
	}
	return 0
}

// inOrder sorts arguments as the names of one file are.
func inOrder(args []string) []string {
	links := map[string]int{}
	for _, a := range args {
		links[a] = linked(schemas.NameOf(a))
	}
	return slices.SortedFunc(slices.Values(args), func(a, b string) int {
		return cmp.Or(cmp.Compare(links[a], links[b]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
