// Package wacz reads and writes the container of WACZ files. It is a ZIP file of WARC files, an index, a list of pages,
// and a description that has the SHA-256 of each. The format is version 1.1.1 of the WACZ specification of Webrecorder
// (specs.webrecorder.net/wacz/1.1.1); that of the older description, whose hashes are in "stats", is read too.
//
// The archives in it are stored as they are, so that records are read in place: [Package.Parts] says where. One that is
// deflated is read as a gzip member, by [Package.Source]. A WACZ file in a WACZ file is opened, too. Reading the
// archives is package archive's matter.
//
// A damaged ZIP file is read from its parts: the directory and the headers in front of the files are two witnesses.
// Where they differ, or leave bytes uncovered, the file is searched for headers, and archives for their beginnings.
// Bytes that stay uncovered are a part without a name. No two parts overlap.
//
//	p, err := wacz.Open(file, size)
//	for _, part := range p.Parts {
//		fmt.Println(part.Name, part.Offset, part.Size)
//	}
package wacz

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

const (
	folder      = "archive/"
	description = "datapackage.json"
	signature   = "datapackage-digest.json"
)

// ErrFormat is the kind of errors about files that are not WACZ.
var ErrFormat = errors.New("not a WACZ file")

// Role is what a part is for.
type Role int

// The roles of parts.
const (
	RoleArchive Role = iota // an archive, by its place or its name
	RoleOther               // another file, which is an archive only if it begins as one
	RoleBare                // bytes that no file covers, in which archives, or their remains, may be
	RoleFront               // bytes in front of a sound ZIP file, which are likewise looked into
)

// Part is a run of bytes of a WACZ file that may hold an archive.
type Part struct {
	Name         string // "archive/data.warc.gz"; "" if it has none
	Offset, Size int64  // of its bytes in what Source returns, which are those of the WACZ file unless Packed
	// Tail is where the file ends by what the ZIP file says. Bytes that no file covers follow up to the part's end.
	Tail   int64
	Role   Role
	Packed bool // deflated

	alias    string // the name by the file's own header
	declared []declared
	crcs     []uint32 // of the ZIP file's directory and headers
	length   uint32   // of a deflated archive, modulo 1<<32
}

// declared has the values of a description for an archive.
type declared struct {
	sha256 string // hexadecimal, or empty
	bytes  int64  // 0 when they are not declared
}

// Problem is a fault of a WACZ file.
type Problem struct {
	Offset, Length int64 // of the bytes that cannot be read; 0 and 0 when all can
	Unsupported    bool  // the file may be sound
	Changed        bool  // the archive's bytes are not those that were written
	Missing        bool  // something is not there that nothing is lost by
	Message        string
}

// Package is an open WACZ file.
type Package struct {
	Parts    []Part    // in the order of their offsets; they do not overlap
	Problems []Problem // of archives that are not among the parts, and of the description
	Sound    bool      // nothing is wrong with the ZIP file
	src      io.ReaderAt
}

// Is reports, by the first bytes and the directory, whether a file is WACZ. Its errors are those of reading src.
func Is(src io.ReaderAt, size int64) (bool, error) {
	w := &window{src: src, size: size}
	if !mayBeZIP(w) {
		return false, w.err
	}
	found := is(w, readDirectory(w))
	return found && w.err == nil, w.err
}

// maxFront is how far into a file its first header is looked for where there is no directory; bytes.
const maxFront = 64 << 10

// mayBeZIP reports by its first bytes whether a file can be a ZIP file. So most files need no search for a directory at
// the end. A ZIP file's first header may be damaged, or have other bytes before it.
func mayBeZIP(w *window) bool {
	head := w.at(0, 8)
	if bytes.HasPrefix(head, []byte(localSig)) {
		return true
	}
	if len(head) < 8 || begins(head) {
		return false
	}
	// Pages and lines of JSON are many and small.
	text := bytes.ContainsAny(head[:1], "{[< ")
	if at, _ := findEnd(w, !text); at >= 0 || text {
		return at >= 0
	}
	l := &layout{w: w}
	front := min(w.size, maxFront)
	return l.search(0, front) < front
}

// is reports whether a ZIP file has archives, or declares to be WACZ. Folders called archive are found in many ZIP
// files: only one that stands first in the path is a sign.
func is(w *window, d *directory) bool {
	sign := func(name string) bool {
		return isArchive(name) && (strings.HasPrefix(name, folder) || isRecords(name) || extension(name) == ".wacz")
	}
	if slices.ContainsFunc(d.entries, func(e *header) bool { return sign(e.name) }) {
		return true
	}
	// That of another ZIP file has no reason to be looked through.
	described := slices.ContainsFunc(d.entries, func(e *header) bool { return path.Base(e.name) == description })
	if len(d.entries) > 0 && d.damage == "" && !described {
		return false
	}
	l := newLayout(w)
	return slices.ContainsFunc(l.files, func(f *file) bool { return sign(f.name()) || saysWACZ(w, f) })
}

// saysWACZ reports whether a file is a description that is one of a WACZ file.
func saysWACZ(w *window, f *file) bool {
	if path.Base(f.name()) != description {
		return false
	}
	raw, err := content(w, f)
	return err == nil && bytes.Contains(raw, []byte("wacz"))
}

// Open reads the directory and the description of a WACZ file. An error is ErrFormat, or an error of reading src.
func Open(src io.ReaderAt, size int64) (*Package, error) { return open(src, size, 0) }

// Bare returns a file that is not a WACZ file as a package: of one part, which no file covers.
func Bare(src io.ReaderAt, size int64) *Package {
	return &Package{Parts: []Part{{Size: size, Tail: size, Role: RoleBare}}, src: src}
}

// maxDepth bounds how deep WACZ files may be in each other.
const maxDepth = 4

func open(src io.ReaderAt, size int64, depth int) (*Package, error) {
	w := &window{src: src, size: size}
	if !mayBeZIP(w) || !is(w, readDirectory(w)) {
		return nil, cmp.Or(w.err, ErrFormat)
	}
	l := newLayout(w)
	p := &Package{src: src, Sound: !l.damaged}
	for _, why := range l.damage {
		p.problem(Problem{}, "%s", why)
	}
	for _, f := range l.files {
		if part, ok := p.part(w, f); ok {
			p.Parts = append(p.Parts, part)
		}
	}
	for _, s := range l.raw {
		role := RoleBare
		if s.from == 0 && p.Sound {
			role = RoleFront
		}
		p.Parts = append(p.Parts, Part{Offset: s.from, Size: s.to - s.from, Tail: s.to, Role: role})
	}
	p.describe(w, l)
	slices.SortStableFunc(p.Parts, func(a, b Part) int { return cmp.Compare(a.Offset, b.Offset) })
	p.Sound = p.Sound && !slices.ContainsFunc(p.Parts, func(part Part) bool { return part.Role == RoleBare })
	if err := p.unpack(w, depth); err != nil {
		return nil, err
	}
	// A failure of the disk, which would be taken for damage.
	return p, w.err
}

// part returns the part of a file in the ZIP file to read; ok is false if there is none.
func (p *Package) part(w *window, f *file) (part Part, ok bool) {
	name := f.name()
	if isFolder(name) && f.data == f.end {
		return part, false
	}
	part = Part{Name: name, Offset: f.data, Size: f.end - f.data, Tail: f.tail, Role: RoleOther}
	part.alias, part.crcs = f.head.name, f.crcs
	if isArchive(name) {
		part.Role = RoleArchive
	}
	method, supported := f.method(w)
	switch {
	case part.Role == RoleOther && f.exact && (isOther(name) || !supported):
		return part, false
	case !supported:
		p.problem(Problem{Offset: f.data, Length: part.Size, Unsupported: true},
			"%.200q is encrypted inside the ZIP file, or compressed in a way that is not read", name)
		return part, false
	case method == deflated:
		part.Packed = true
		part.Offset, part.Size, part.Tail = f.data-gzipHead, part.Size+gzipHead+gzipTail, f.end+gzipTail
		part.length = uint32(f.length())
	}
	return part, true
}

// method returns how a file is compressed: as both of its headers say or, where anything is wrong with them, as its
// first bytes show. It is not supported if it is encrypted or compressed in another way.
func (f *file) method(w *window) (method uint16, supported bool) {
	heads := []*header{&f.head.header}
	if f.dir != nil {
		heads = append(heads, f.dir)
	}
	if f.exact {
		h := heads[0]
		return h.method, h.flags&flagEncrypted == 0 && (h.method == stored || h.method == deflated)
	}
	b := w.at(f.data, int(min(maxBlock, f.end-f.data)))
	switch {
	case begins(b):
		return stored, true
	case inflates(b):
		return deflated, true
	}
	for _, h := range heads {
		if h.flags&flagEncrypted == 0 && (h.method == stored || h.method == deflated) {
			return h.method, true
		}
	}
	return 0, false
}

// deflated reports whether a file is.
func (f *file) deflated(w *window) bool {
	method, _ := f.method(w)
	return method == deflated
}

// length is the decoded size of a file, as the directory or its header states it.
func (f *file) length() int64 {
	if f.dir != nil && f.dir.size >= 0 {
		return f.dir.size
	}
	return f.head.size
}

func (p *Package) problem(j Problem, format string, args ...any) {
	j.Message = fmt.Sprintf(format, args...)
	p.Problems = append(p.Problems, j)
}

// unpack replaces WACZ files among the parts by their own parts.
func (p *Package) unpack(w *window, depth int) error {
	var parts []Part
	for _, part := range p.Parts {
		inner, err := p.inner(w, part, depth)
		if err != nil {
			return err
		}
		if inner == nil {
			parts = append(parts, part)
			continue
		}
		p.Sound = p.Sound && inner.Sound
		for _, j := range inner.Problems {
			if j.Length > 0 {
				j.Offset += part.Offset
			}
			j.Message = part.Name + ": " + j.Message
			p.Problems = append(p.Problems, j)
		}
		for _, sub := range inner.Parts {
			sub.Offset, sub.Tail, sub.Name = sub.Offset+part.Offset, sub.Tail+part.Offset, part.Name+"/"+sub.Name
			parts = append(parts, sub)
		}
	}
	p.Parts = parts
	return nil
}

// inner returns the WACZ file that a part is, or nil.
func (p *Package) inner(w *window, part Part, depth int) (*Package, error) {
	if part.Packed || part.Role >= RoleBare || depth == maxDepth || isRecords(part.Name) {
		return nil, nil
	}
	// One whose first byte is damaged is recognised by its name.
	if string(w.at(part.Offset, 4)) != localSig && extension(part.Name) != ".wacz" {
		return nil, nil
	}
	inner, err := open(io.NewSectionReader(p.src, part.Offset, part.Size), part.Size, depth+1)
	if errors.Is(err, ErrFormat) {
		return nil, nil
	}
	return inner, err
}
