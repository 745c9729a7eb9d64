package work

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// places finds the archives that the lines of an index name. It accepts them below one folder only. An index may come
// from anywhere, and must not lead to files elsewhere on the disk or the web.
type places struct {
	base  string   // the folder
	whole []string // absolute forms of the folder with a final slash; absolute names begin with one of them
}

// newPlaces returns the places of an index. Without a base, archives are in the folder of the index.
func newPlaces(base, index string) places {
	switch {
	case base != "":
	case blob.IsRemote(index):
		base = secret.Folder(index)
	default:
		base = filepath.Dir(index)
	}
	p := places{base: base}
	if blob.IsRemote(base) {
		p.whole = []string{withoutLogin(secret.Reveal(base))}
		return p
	}
	abs, err := filepath.Abs(base)
	if err != nil {
		return p // the working directory is gone
	}
	p.whole = []string{slashed(abs)}
	// The program that wrote the index may have seen the folder by its other name.
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		p.whole = append(p.whole, slashed(real))
	}
	return p
}

// slashed returns a path with slashes, and one at its end.
func slashed(p string) string { return strings.TrimSuffix(filepath.ToSlash(p), "/") + "/" }

// withoutLogin returns the URL of a folder in the form of an index: without user and query.
func withoutLogin(u string) string {
	scheme, rest, _ := strings.Cut(u, "://")
	if scheme = strings.ToLower(scheme); strings.HasPrefix(scheme, "http") {
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
	}
	host, below, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	return strings.TrimSuffix(scheme+"://"+strings.ToLower(host)+"/"+below, "/") + "/"
}

// of returns the name of the archive that a line refers to.
func (p places) of(l cdx.Line) (string, error) {
	if l.Offset < 0 || l.Filename == "" {
		return "", fmt.Errorf("the line does not say where its record is")
	}
	below, ok := p.below(l.Filename)
	if !ok {
		return "", fmt.Errorf("%.200q is no file below the folder of the archives, which --warc_base names", l.Filename)
	}
	if blob.IsRemote(p.base) {
		return secret.Below(p.base, below), nil
	}
	return filepath.Join(p.base, filepath.FromSlash(below)), nil
}

// below returns the path of a file below the folder. If it is elsewhere, ok is false.
func (p places) below(name string) (rel string, ok bool) {
	if rest, is := cutScheme(name, "file"); is {
		host, below, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "/")
		// Also without an authority: file:/data/a.warc.gz.
		if strings.HasPrefix(rest, "//") && host != "" && !strings.EqualFold(host, "localhost") {
			return "", false
		}
		plain, err := url.PathUnescape("/" + below)
		if err != nil {
			return "", false
		}
		name = plain
	}
	if blob.IsRemote(name) || strings.HasPrefix(name, "/") || filepath.IsAbs(name) {
		if name, ok = p.cut(name); !ok {
			return "", false
		}
	}
	// "./name" and "a//b" are below the folder. A path that leads out keeps ".." at its beginning.
	name = path.Clean(name)
	if plain, err := url.PathUnescape(name); blob.IsRemote(p.base) && (err != nil || !filepath.IsLocal(plain)) {
		return "", false // servers take %2e%2e for ".."
	}
	return name, name != "." && fs.ValidPath(name) && !blob.IsRemote(name) && filepath.IsLocal(schemas.PathOf(name))
}

// cut removes the folder from an absolute name.
func (p places) cut(name string) (rel string, ok bool) {
	if blob.IsRemote(name) {
		scheme, rest, _ := strings.Cut(name, "://")
		host, below, _ := strings.Cut(rest, "/")
		name = strings.ToLower(scheme) + "://" + strings.ToLower(host) + "/" + below
	} else {
		name = path.Clean(filepath.ToSlash(name))
	}
	for _, whole := range p.whole {
		if rel, ok = strings.CutPrefix(name, whole); ok {
			return rel, true
		}
	}
	return "", false
}

// cutScheme returns the part of s after a scheme of URLs.
func cutScheme(s, scheme string) (rest string, is bool) {
	before, rest, found := strings.Cut(s, ":")
	return rest, found && strings.EqualFold(before, scheme) && strings.HasPrefix(rest, "/")
}
