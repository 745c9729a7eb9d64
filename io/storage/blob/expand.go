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
	// It comes from the command line, where the flag is called input.
	if len(args) == 0 {
		return Listing{}, &InputError{"input", "no file is named", ErrEmpty}
	}
	g.Files = cmp.Or(g.Files, defaultFiles)
	// seen and roots are used with groups alone, but made always: reading a nil map would do, writing not.
	e := expander{store: s, grouping: g, seen: map[id]bool{}, roots: map[id]string{}}
	if g.Member != nil {
		// A folder before those in it: what groups it is in depends on that. And that a folder gets one of its names.
		args = inOrder(args)
	}
	for _, arg := range args {
		if err := ctx.Err(); err != nil {
			return Listing{}, err
		}
		// Enough to see the mistake; a list of 90,000 names with a wrong folder must not fill the terminal.
		if len(e.errs) == maxErrors {
			break
		}
		// Secrets are hidden before anything can fail, because each error repeats the argument.
		arg = shown(arg)
		e.fail(arg, e.argument(ctx, arg, stdin))
	}
	// Asking servers comes last, and only when nothing else is wrong: it takes longest.
	if len(e.errs) == 0 {
		e.ask(ctx)
	}
	// Before the errors: a cancelled run has many, all of which only say so.
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	// One folder without files among others is reported in Listing.Empty. If all are empty, a run would have nothing to
	// do, and that is most likely a mistake.
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

// fail notes err for arg, unless err is nil.
func (e *expander) fail(arg string, err error) {
	if err != nil && len(e.errs) < maxErrors {
		e.errs = append(e.errs, inputError(arg, err))
	}
}

// Shown are arguments of Expand as they may be shown, which Expand takes as well.
func Shown(args []string) []string {
	// A copy: the caller's slice is that of the command line.
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = shown(arg)
	}
	return list
}

// shown is an argument, or a line of a list, as it may be shown.
func shown(arg string) string {
	// The sign stays outside, because it is not part of the URL that secret.Hide reads.
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
		// The id is of a text that no path hashes to, since those begin with another word.
		e.found = append(e.found, found{
			Info: Info{Name: in.Name, Size: in.Size, Stamp: in.Stamp},
			id:   idOf("standard input"),
		})
		return nil
	case arg == "-" && stdin == nil:
		return &InputError{arg, "there is no standard input", ErrNotFound}
	// No archive was put aside from standard input, so it is a list. Names in it are relative to the working
	// directory.
	case arg == "-":
		r, err := inflated(stdin)
		if err != nil {
			return err
		}
		return e.list(ctx, arg, "", r)
	// Also where a file is called so: "./@name" names that one.
	case strings.HasPrefix(arg, "@"):
		return e.listFile(ctx, arg)
	}
	return e.name(ctx, arg)
}

// listFile expands "@name".
func (e *expander) listFile(ctx context.Context, arg string) error {
	name := arg[1:]
	// The name in the argument is in the system's bytes, and Open takes what schemas.NameOf makes of it.
	if scheme(name) == "" {
		name = schemas.NameOf(name)
	}
	o, err := e.store.Open(ctx, name)
	// Said of the argument with its "@", so that the user finds it on the command line.
	var unusable *InputError
	if errors.As(err, &unusable) {
		return &InputError{arg, unusable.Reason, unusable.Err}
	}
	if err != nil {
		return err
	}
	// The list is read while it is expanded and closed after that, so that it is never whole in memory.
	r, err := inflated(io.NewSectionReader(o, 0, o.Size()))
	if err == nil {
		// From arg[1:], as it was written: what its names are relative to is looked up in the same bytes.
		err = e.list(ctx, arg, arg[1:], r)
	}
	return errors.Join(err, o.Close())
}

// list expands the names in r, which are relative to where the list called from is.
func (e *expander) list(ctx context.Context, arg, from string, r io.Reader) error {
	none := true
	// A line that cannot be read ends the list, for the lines after it may not be where they seem.
	for line, err := range readList(r) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		none = false
		// One name that is wrong does not end the list: all of its mistakes are told at once.
		e.fail(shown(line), e.name(ctx, secret.Hide(nameIn(from, line))))
		if len(e.errs) == maxErrors {
			return nil
		}
	}
	// When there are errors already, this would only add noise.
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
		// A server is not asked here: a list may name tens of thousands of files, which ask describes later,
		// several at a time.
		e.webName(secret.Hide(asURL(secret.Reveal(name))))
		return nil
	// Paths may be in any bytes, for systems allow that; the protocols of object stores do not.
	case !utf8.ValidString(name):
		return &InputError{name, "names of objects are UTF-8", ErrSyntax}
	}
	before := len(e.found)
	err := e.bucketName(ctx, name)
	if err == nil && len(e.found) == before {
		// A folder on a disk that is empty goes into Listing.Empty instead; beneath a prefix there is no folder at
		// all if there is no object.
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
// A URL that holds such bytes is not valid (RFC 3986, section 2), but browsers and lists have them: this is what a
// client sends in their place.
func asURL(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		// A U+FFFD that really is there takes 3 bytes, so the length tells it from a byte that is not UTF-8.
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}
