package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxErrors bounds how many unusable arguments are reported at once.
const maxErrors = 20

// Expand returns the files that args name, sorted by name and each once: the order of the arguments does not matter.
// stdin is read when one of them is "-". The error joins an *InputError for each argument that cannot be used, at most
// twenty; a pattern or list that comes to no file is one, and so is a folder when no other argument comes to any.
func (s *Store) Expand(ctx context.Context, args []string, stdin io.Reader) ([]Info, error) {
	l, err := s.ExpandGroups(ctx, args, stdin, Grouping{})
	return l.Files, err
}

// ExpandGroups is Expand that lists some files in local folders by groups, and tells more. Files that are named
// themselves, or by patterns, are not grouped; those of them that are in a group are not listed twice. What it holds in
// memory is the names of one folder's entries, a hash of 16 bytes for each folder and file, and what it returns.
func (s *Store) ExpandGroups(ctx context.Context, args []string, stdin io.Reader, g Grouping) (Listing, error) {
	if len(args) == 0 {
		return Listing{}, &InputError{"input", "no file is named", ErrEmpty}
	}
	g.Files = cmp.Or(g.Files, defaultFiles)
	e := expander{store: s, grouping: g, seen: map[id]bool{}, roots: map[id]string{}}
	if g.Member != nil {
		// A folder before those in it: what groups it is in depends on that. And that a folder gets one of its names.
		args = inOrder(args)
	}
	for _, arg := range args {
		if err := ctx.Err(); err != nil {
			return Listing{}, err
		}
		if len(e.errs) == maxErrors {
			break
		}
		arg = shown(arg)
		e.fail(arg, e.argument(ctx, arg, stdin))
	}
	if len(e.errs) == 0 {
		e.ask(ctx)
	}
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	if len(e.found) == 0 && len(e.errs) == 0 {
		for _, name := range e.empty {
			e.fail(name, &InputError{name, "holds no file", ErrEmpty})
		}
	}
	if len(e.errs) > 0 {
		return Listing{}, errors.Join(e.errs...)
	}
	return e.listing(), nil
}

// expander collects what arguments name.
type expander struct {
	store    *Store
	grouping Grouping
	seen     map[id]bool   // the folders that were walked with groups: by another argument they are not walked again
	roots    map[id]string // those of them that arguments name
	found    []found
	twice    []Twice  // folders
	empty    []string // folders that were named and hold nothing
	asked    []int    // those of found of which only the name is known yet
	errs     []error
}

func (e *expander) fail(arg string, err error) {
	if err != nil && len(e.errs) < maxErrors {
		e.errs = append(e.errs, inputError(arg, err))
	}
}

// Shown are arguments of Expand as they may be shown, which Expand takes as well.
func Shown(args []string) []string {
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = shown(arg)
	}
	return list
}

// shown is an argument, or a line of a list, as it may be shown.
func shown(arg string) string {
	if list, ok := strings.CutPrefix(arg, "@"); ok {
		return "@" + secret.Hide(list)
	}
	return secret.Hide(arg)
}

// argument expands one argument of the command line.
func (e *expander) argument(ctx context.Context, arg string, stdin io.Reader) error {
	in := e.store.o.Stdin
	switch {
	case arg == "-" && in.Path != "":
		e.found = append(e.found, found{
			Info: Info{Name: in.Name, Size: in.Size, Stamp: in.Stamp},
			id:   idOf("standard input"),
		})
		return nil
	case arg == "-" && stdin == nil:
		return &InputError{arg, "there is no standard input", ErrNotFound}
	case arg == "-":
		r, err := inflated(stdin)
		if err != nil {
			return err
		}
		return e.list(ctx, arg, "", r)
	case strings.HasPrefix(arg, "@"):
		return e.listFile(ctx, arg)
	}
	return e.name(ctx, arg)
}

// listFile expands "@name".
func (e *expander) listFile(ctx context.Context, arg string) error {
	name := arg[1:]
	if scheme(name) == "" {
		name = schemas.NameOf(name)
	}
	o, err := e.store.Open(ctx, name)
	var unusable *InputError
	if errors.As(err, &unusable) {
		return &InputError{arg, unusable.Reason, unusable.Err}
	}
	if err != nil {
		return err
	}
	r, err := inflated(io.NewSectionReader(o, 0, o.Size()))
	if err == nil {
		err = e.list(ctx, arg, arg[1:], r)
	}
	return errors.Join(err, o.Close())
}

// list expands the names in r, which are relative to where the list called from is.
func (e *expander) list(ctx context.Context, arg, from string, r io.Reader) error {
	none := true
	for line, err := range readList(r) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		none = false
		e.fail(shown(line), e.name(ctx, secret.Hide(nameIn(from, line))))
		if len(e.errs) == maxErrors {
			return nil
		}
	}
	if none && len(e.errs) == 0 {
		return &InputError{arg, "the list names no file", ErrEmpty}
	}
	return nil
}

// name expands a name, folder or pattern.
func (e *expander) name(ctx context.Context, name string) error {
	kind := scheme(name)
	switch {
	case name == "":
		return &InputError{`""`, "an empty name", ErrSyntax}
	case kind == "":
		return e.localName(ctx, name)
	case kind == "http", kind == "https":
		e.webName(secret.Hide(asURL(secret.Reveal(name))))
		return nil
	case !utf8.ValidString(name):
		return &InputError{name, "names of objects are UTF-8", ErrSyntax}
	}
	before := len(e.found)
	err := e.bucketName(ctx, name)
	if err == nil && len(e.found) == before {
		return noFile(name)
	}
	return err
}

// noFile is the error of a name that comes to nothing.
func noFile(name string) error {
	reason := "holds no file"
	if strings.ContainsAny(name, meta) {
		reason = "matches no file"
	}
	return &InputError{name, reason, ErrEmpty}
}

// asURL escapes the bytes of a URL that are not UTF-8, as they are when it is asked for.
func asURL(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}
