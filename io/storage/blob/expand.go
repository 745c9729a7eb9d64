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

// maxErrors limits the number of unusable arguments that are reported at once.
const maxErrors = 20

// Expand returns the files that args name, sorted by name and each once. The order of the arguments does not matter. It
// reads stdin if one of them is "-". The error joins an *InputError for each unusable argument, at most twenty. A
// pattern or list without files is unusable, and so is a folder if no argument has any.
func (s *Store) Expand(ctx context.Context, args []string, stdin io.Reader) ([]Info, error) {
	l, err := s.ExpandGroups(ctx, args, stdin, Grouping{})
	return l.Files, err
}

// ExpandGroups is Expand that lists some files in local folders by groups, and returns more information. It does not
// group files that are named themselves or by patterns; if they are in a group, it does not list them twice. In memory
// it holds the names of one folder's entries, a hash of 16 bytes for each folder and file, and its result.
func (s *Store) ExpandGroups(ctx context.Context, args []string, stdin io.Reader, g Grouping) (Listing, error) {
	// The flag on the command line is called input.
	if len(args) == 0 {
		return Listing{}, &InputError{"input", "no file is named", ErrEmpty}
	}
	g.Files = cmp.Or(g.Files, defaultFiles)
	// seen and roots are only used with groups, but always made: writing to a nil map would fail.
	e := expander{store: s, grouping: g, seen: map[id]bool{}, roots: map[id]string{}}
	if g.Member != nil {
		// A folder comes before its subfolders, which determines its groups. A folder also keeps only one of its names.
		args = inOrder(args)
	}
	for _, arg := range args {
		if err := ctx.Err(); err != nil {
			return Listing{}, err
		}
		// Enough to see the mistake: a list of 90,000 names with a wrong folder must not fill the terminal.
		if len(e.errs) == maxErrors {
			break
		}
		// Secrets are hidden before anything can fail, because each error repeats the argument.
		arg = shown(arg)
		e.fail(arg, e.argument(ctx, arg, stdin))
	}
	// Servers come last, and only without other errors, because they take longest.
	if len(e.errs) == 0 {
		e.ask(ctx)
	}
	// Checked before the errors: a canceled run has many, all of which only say so.
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	// Listing.Empty reports one folder without files among others. If all are empty, the run has nothing to do, which
	// is most likely a mistake.
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

// expander collects the files that arguments name.
type expander struct {
	store    *Store
	grouping Grouping
	seen     map[id]bool   // folders that were walked with groups, which other arguments do not walk again
	roots    map[id]string // those of them that arguments name
	found    []found
	twice    []Twice  // folders
	empty    []string // named folders without files
	asked    []int    // entries of found with only a name so far
	errs     []error
}

// fail adds err for arg, unless err is nil.
func (e *expander) fail(arg string, err error) {
	if err != nil && len(e.errs) < maxErrors {
		e.errs = append(e.errs, inputError(arg, err))
	}
}

// Shown returns arguments of Expand with secrets hidden. Expand accepts these too.
func Shown(args []string) []string {
	// A copy, because the caller's slice is the command line.
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = shown(arg)
	}
	return list
}

// shown returns an argument, or a line of a list, with secrets hidden.
func shown(arg string) string {
	// The sign stays outside, because it is not part of the URL for secret.Hide.
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
		// The id is a hash of a text that differs from every path's, since those begin with another word.
		e.found = append(e.found, found{
			Info: Info{Name: in.Name, Size: in.Size, Stamp: in.Stamp},
			id:   idOf("standard input"),
		})
		return nil
	case arg == "-" && stdin == nil:
		return &InputError{arg, "there is no standard input", ErrNotFound}
	// Standard input holds no archive, so it is a list. Its names are relative to the working directory.
	case arg == "-":
		r, err := inflated(stdin)
		if err != nil {
			return err
		}
		return e.list(ctx, arg, "", r)
	// Even if a file has this name: "./@name" names that file.
	case strings.HasPrefix(arg, "@"):
		return e.listFile(ctx, arg)
	}
	return e.name(ctx, arg)
}

// listFile expands "@name".
func (e *expander) listFile(ctx context.Context, arg string) error {
	name := arg[1:]
	// The argument has the system's bytes, and Open takes names as schemas.NameOf gives them.
	if scheme(name) == "" {
		name = schemas.NameOf(name)
	}
	o, err := e.store.Open(ctx, name)
	// The error has the argument with its "@", so that the user finds it on the command line.
	var unusable *InputError
	if errors.As(err, &unusable) {
		return &InputError{arg, unusable.Reason, unusable.Err}
	}
	if err != nil {
		return err
	}
	// The list is read while it is expanded, so that it is never whole in memory.
	r, err := inflated(io.NewSectionReader(o, 0, o.Size()))
	if err == nil {
		// arg[1:] has the original bytes, which the folder of relative names needs.
		err = e.list(ctx, arg, arg[1:], r)
	}
	return errors.Join(err, o.Close())
}

// list expands the names in r, which are relative to the place of the list called from.
func (e *expander) list(ctx context.Context, arg, from string, r io.Reader) error {
	none := true
	// An unreadable line ends the list, because the lines after it may be misplaced.
	for line, err := range readList(r) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		none = false
		// One wrong name does not end the list, so that all mistakes are reported at once.
		e.fail(shown(line), e.name(ctx, secret.Hide(nameIn(from, line))))
		if len(e.errs) == maxErrors {
			return nil
		}
	}
	// If there are errors already, this would only add noise.
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
		// No request is sent here: a list may name tens of thousands of files, which ask describes later, several at a
		// time.
		e.webName(secret.Hide(asURL(secret.Reveal(name))))
		return nil
	// Paths may have any bytes on some systems; the protocols of object stores forbid that.
	case !utf8.ValidString(name):
		return &InputError{name, "names of objects are UTF-8", ErrSyntax}
	}
	before := len(e.found)
	err := e.bucketName(ctx, name)
	if err == nil && len(e.found) == before {
		// An empty folder on a disk goes into Listing.Empty instead. A prefix without objects does not exist.
		return noFile(name)
	}
	return err
}

// noFile returns the error for a name without files.
func noFile(name string) error {
	reason := "holds no file"
	if strings.ContainsAny(name, meta) {
		reason = "matches no file"
	}
	return &InputError{name, reason, ErrEmpty}
}

// asURL escapes the bytes of a URL that are not UTF-8, as in the request. A URL with such bytes is invalid (RFC 3986,
// section 2), but browsers and lists have them, and clients send them like this.
func asURL(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		// A real U+FFFD takes 3 bytes, so the length distinguishes it from an invalid byte.
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}
