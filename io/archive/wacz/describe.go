package wacz

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// maxDescription bounds the description, of some 200 bytes for each file; in bytes.
const maxDescription = 16 << 20

// resource is a file in the description, in the form of today or that of 2020.
type resource struct {
	Path  string `json:"path"`
	Hash  string `json:"hash"` // "sha256:…"
	Bytes int64  `json:"bytes"`
	Stats struct {
		Hash  string `json:"hash"` // without the algorithm
		Bytes int64  `json:"bytes"`
	} `json:"stats"`
}

// maxDescriptions bounds how many descriptions of a file are read: packages that were joined have one each.
const maxDescriptions = 16

// describe reads the values of the descriptions for the parts.
func (p *Package) describe(w *window, l *layout) {
	// By path, since resources may be in any order, and other files among them.
	known := map[string][]declared{}
	found := 0
	for _, f := range l.files {
		if path.Base(f.name()) != description || found == maxDescriptions {
			continue
		}
		found++
		dir, _ := path.Split(f.name())
		if err := p.resources(w, l, f, func(r resource) {
			at := path.Clean(dir + r.Path)
			h := declared{bareHash(cmp.Or(r.Hash, r.Stats.Hash)), cmp.Or(r.Bytes, r.Stats.Bytes)}
			known[at] = append(known[at], h)
		}); err != nil {
			p.problem(Problem{}, "%.200q: %v", f.name(), err)
		}
	}
	// Without a description the archives can still be read, so it is only a problem.
	if found == 0 {
		p.problem(Problem{Missing: true}, "%s: there is none", description)
	}
	// Of a part that is not described nothing is compared. Of two names one may be damaged.
	for i := range p.Parts {
		part := &p.Parts[i]
		if known[part.Name] == nil && known[part.alias] != nil {
			part.Name = part.alias
		}
		part.declared = known[part.Name]
	}
}

// resources calls each for the resources of a description, and compares that with its own hash, where there is one.
func (p *Package) resources(w *window, l *layout, f *file, each func(resource)) error {
	raw, err := content(w, f)
	if err != nil {
		return err
	}
	type description struct {
		Profile   string     `json:"profile"`
		Resources []resource `json:"resources"`
	}
	// A size that is a text, or another odd value, is not compared.
	d, _, err := dump.Object[description](bytes.TrimPrefix(raw, []byte("\ufeff")))
	if err != nil {
		return err
	}
	// What a description of several packages names may be beside the ZIP file: see Beside.
	if d.Profile != multi {
		p.absent(l, f.name(), d.Resources)
	}
	for _, r := range d.Resources {
		each(r)
	}
	var s struct {
		Hash string `json:"hash"`
	}
	dir, _ := path.Split(f.name())
	sum := sha256.Sum256(raw)
	got, differs := hex.EncodeToString(sum[:]), false
	// It may be absent, and of joined packages there are several.
	for _, other := range l.files {
		if other.name() != dir+signature {
			continue
		}
		b, err := content(w, other)
		if err != nil || json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &s) != nil || bareHash(s.Hash) == "" {
			continue
		}
		if bareHash(s.Hash) == got {
			return nil
		}
		differs = true
	}
	if differs {
		return fmt.Errorf("it has another SHA-256 than %s says", signature)
	}
	return nil
}

// absent notes archives that a description has and the ZIP file has not: by their base names, because programs write
// different paths.
func (p *Package) absent(l *layout, name string, resources []resource) {
	base := func(name string) string { return strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))) }
	inside := map[string]bool{}
	for _, f := range l.files {
		inside[base(f.name())], inside[base(f.head.name)] = true, true
	}
	for _, r := range resources {
		if isArchive(r.Path) && !strings.Contains(r.Path, "://") && !inside[base(r.Path)] && len(p.Problems) < maxSaid {
			p.problem(Problem{}, "%.200q, which %.200q describes, is not in the ZIP file", r.Path, name)
		}
	}
}

// bareHash is a SHA-256 without its name; other algorithms are not known.
func bareHash(s string) string {
	s = strings.TrimPrefix(strings.ToLower(s), "sha256:")
	// Its letters are not checked: a hash that holds others will not be equal to any.
	if len(s) != 2*sha256.Size || strings.Contains(s, ":") {
		return ""
	}
	return s
}

// content reads a small file of the ZIP.
func content(w *window, f *file) ([]byte, error) {
	method, supported := f.method(w)
	var r io.Reader = io.NewSectionReader(w.src, f.data, f.end-f.data)
	switch {
	case !supported:
		return nil, errors.New("it is encrypted, or compressed in a way that is not read")
	case method == deflated:
		r = flate.NewReader(r)
	}
	// One byte more than allowed, by which a longer one is noticed.
	b, err := io.ReadAll(io.LimitReader(r, maxDescription+1))
	if err == nil && len(b) > maxDescription {
		err = fmt.Errorf("it has more than %d bytes", maxDescription)
	}
	return b, err
}
