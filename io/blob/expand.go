package blob

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/secret"
)

// maxErrors bounds how many unusable arguments are reported at once.
const maxErrors = 20

// Expand returns the files that args name, sorted by name and without duplicates: the order of the arguments does not
// matter. stdin is read when one of them is "-". The error joins an *InputError for each argument that cannot be used,
// at most twenty; a folder, pattern or list that comes to no file is one.
func (s *Store) Expand(ctx context.Context, args []string, stdin io.Reader) ([]Info, error) {
	return s.ExpandGroups(ctx, args, stdin, Grouping{})
}

// ExpandGroups is Expand that lists some files in local folders by groups. Files that are named themselves, or by
// patterns, are not grouped; those of them that are in a group are not listed twice. What it holds in memory is the names
// of one folder's entries, a hash of 16 bytes for each folder, and what it returns.
func (s *Store) ExpandGroups(ctx context.Context, args []string, stdin io.Reader, g Grouping) ([]Info, error) {
	if len(args) == 0 {
		return nil, &InputError{"input", "no file is named", ErrEmpty}
	}
	g.Files = cmp.Or(g.Files, defaultFiles)
	e := expander{store: s, grouping: g, seen: map[folderID]bool{}}
	if g.Member != nil {
		args = slices.Sorted(slices.Values(args)) // a folder before those in it: what groups it is in depends on that
	}
	for _, arg := range args {
		if err := ctx.Err(); err != nil {
			return nil, err
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
		return nil, err
	}
	if len(e.errs) > 0 {
		return nil, errors.Join(e.errs...)
	}
	return e.sorted(), nil
}

// expander collects what arguments name.
type expander struct {
	store    *Store
	grouping Grouping
	seen     map[folderID]bool // the folders that were walked with groups: by another argument they are not walked again
	found    []Info
	asked    []int // those of found of which only the name is known yet
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
	switch {
	case arg == "-" && stdin == nil:
		return &InputError{arg, "there is no standard input", ErrNotFound}
	case arg == "-":
		return e.list(ctx, arg, "", stdin)
	case strings.HasPrefix(arg, "@"):
		return e.listFile(ctx, arg)
	}
	return e.name(ctx, arg)
}

// walked tells whether name is a folder that was walked for another argument.
func (e *expander) walked(name string) bool {
	if len(e.seen) == 0 || scheme(name) != "" {
		return false
	}
	real, err := realPath(name)
	return err == nil && e.seen[idOf(real)]
}

// sorted returns what was found in the order of names, without duplicates.
func (e *expander) sorted() []Info {
	var groups []Info
	for _, f := range e.found {
		if f.Group != nil {
			groups = append(groups, f)
		}
	}
	inGroup := func(f Info) bool {
		return f.Group == nil && len(groups) > 0 && e.grouping.Member(f.Name) &&
			slices.ContainsFunc(groups, func(g Info) bool { return g.holds(f.Name) })
	}
	list := slices.DeleteFunc(e.found, inGroup)
	slices.SortStableFunc(list, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b Info) bool { return a.Name == b.Name && a.Group == nil && b.Group == nil })
}

// listFile expands "@name".
func (e *expander) listFile(ctx context.Context, arg string) error {
	name := arg[1:]
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
		err = e.list(ctx, arg, name, r)
	}
	return errors.Join(err, o.Close())
}

// list expands the names in r, which are relative to where the list called from is.
func (e *expander) list(ctx context.Context, arg, from string, r io.Reader) error {
	before := len(e.found)
	for line, err := range readList(r) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		e.fail(shown(line), e.name(ctx, secret.Hide(nameIn(from, line))))
		if len(e.errs) == maxErrors {
			return nil
		}
	}
	if len(e.found) == before && len(e.errs) == 0 {
		return &InputError{arg, "the list names no file", ErrEmpty}
	}
	return nil
}

// name expands a name, folder or pattern.
func (e *expander) name(ctx context.Context, name string) error {
	if name == "" {
		return &InputError{`""`, "an empty name", ErrSyntax}
	}
	before := len(e.found)
	var err error
	switch scheme(name) {
	case "":
		err = e.localName(ctx, name)
	case "http", "https":
		e.webName(name)
	default:
		err = e.bucketName(ctx, name)
	}
	if err == nil && len(e.found) == before && !e.walked(name) {
		reason := "holds no file"
		if strings.ContainsAny(name, meta) {
			reason = "matches no file"
		}
		err = &InputError{name, reason, ErrEmpty}
	}
	return err
}
