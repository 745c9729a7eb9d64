package blob

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// Scope is the set of names that arguments cover, whether or not the files exist: see Covers. It answers whether this
// run would have read files of an earlier run that are gone by now.
type Scope struct{ names []scoped }

// scoped is a name, folder or pattern of a scope.
type scoped struct {
	arg  string // as it was given
	name string // absolute if it is local, without a final slash
	re   *pattern
}

// NewScope returns the scope of args, which are those of Expand. It leaves out a list on standard input.
func (s *Store) NewScope(ctx context.Context, args []string) (Scope, error) {
	var scope Scope
	for _, arg := range args {
		var err error
		switch {
		// A list on standard input can be read only once, and Expand does.
		case arg == "-":
		case strings.HasPrefix(arg, "@"):
			err = s.scopeOfList(ctx, arg[1:], &scope)
		default:
			err = scope.add(arg)
		}
		if err != nil {
			return Scope{}, inputError(arg, err)
		}
	}
	return scope, nil
}

// scopeOfList adds the lines of a list.
func (s *Store) scopeOfList(ctx context.Context, name string, scope *Scope) error {
	file := name
	// As in listFile: the argument has the system's bytes, and Open takes names as they are shown.
	if scheme(name) == "" {
		file = schemas.NameOf(name)
	}
	o, err := s.Open(ctx, file)
	if err != nil {
		return err
	}
	defer o.Close()
	r, err := inflated(io.NewSectionReader(o, 0, o.Size()))
	if err != nil {
		return err
	}
	for line, err := range readList(r) {
		if err = errors.Join(err, ctx.Err()); err == nil {
			err = scope.add(secret.Hide(nameIn(name, line)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds an argument. It only looks up links, because the files may be gone.
func (s *Scope) add(arg string) error {
	n := scoped{arg: arg, name: arg}
	if scheme(arg) == "" {
		var err error
		if n.name, err = filepath.Abs(arg); err != nil {
			return err
		}
		n.name = RealPath(n.name)
	}
	// A folder then has the same name with and without its final slash, and a slash can follow it.
	n.name = strings.TrimRight(n.name, "/")
	// In a URL "?" begins the query.
	if web := scheme(arg) == "http" || scheme(arg) == "https"; !web && strings.ContainsAny(arg, meta) {
		if p, err := compile(filepath.ToSlash(n.name)); err == nil { // otherwise it is the name of an existing file
			n.re = &p
		}
	}
	s.names = append(s.names, n)
	return nil
}

// RealPath returns an absolute path with all links resolved, as far as it exists.
func RealPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(RealPath(dir), filepath.Base(path))
}

// Covers returns the first name, folder or pattern of the scope that covers a file, and whether there is any. It
// recognizes a local file by the RealPath of its path, and a remote one by its name.
func (s Scope) Covers(name string) (arg string, ok bool) {
	for _, n := range s.names {
		// The next byte has to be a slash: "crawl" does not cover "crawl-2/a".
		rest, within := strings.CutPrefix(name, n.name)
		if within && (rest == "" || strings.HasPrefix(rest, "/")) || n.re != nil && n.re.matches(filepath.ToSlash(name)) {
			return n.arg, true
		}
	}
	return "", false
}
