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

// Scope is what arguments stand for at any time, whether the files are there or not: see Covers.
// It answers for files of an earlier run that are gone by now whether they would have been read by this one.
type Scope struct{ names []scoped }

// scoped is a name, folder or pattern of a scope.
type scoped struct {
	arg  string // as it was given
	name string // absolute where it is local, without a slash at its end
	re   *pattern
}

// NewScope returns the scope of args, which are those of Expand. What a list on standard input names is not in it.
func (s *Store) NewScope(ctx context.Context, args []string) (Scope, error) {
	var scope Scope
	for _, arg := range args {
		var err error
		switch {
		// A list on standard input can be read once only, and Expand does.
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

// scopeOfList adds what the lines of a list stand for.
func (s *Store) scopeOfList(ctx context.Context, name string, scope *Scope) error {
	file := name
	// As in listFile: the argument is in the system's bytes, and Open takes names as they are shown.
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

// Nothing is looked up here but links: what the argument stood for may be gone.
func (s *Scope) add(arg string) error {
	n := scoped{arg: arg, name: arg}
	if scheme(arg) == "" {
		var err error
		if n.name, err = filepath.Abs(arg); err != nil {
			return err
		}
		n.name = RealPath(n.name)
	}
	// So a folder has the same name with and without its final slash, and a slash can follow it.
	n.name = strings.TrimRight(n.name, "/")
	// In a URL "?" begins the query.
	if web := scheme(arg) == "http" || scheme(arg) == "https"; !web && strings.ContainsAny(arg, meta) {
		if p, err := compile(filepath.ToSlash(n.name)); err == nil { // else it is the name of a file that is there
			n.re = &p
		}
	}
	s.names = append(s.names, n)
	return nil
}

// RealPath is an absolute path with all links resolved, as far as it exists.
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

// Covers returns the first name, folder or pattern of the scope that a file is one of, and whether there is any. A
// local
// file is recognised by the RealPath of its path, and a remote one by its name.
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
