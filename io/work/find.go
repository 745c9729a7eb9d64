package work

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Inputs are the archives that were found, and their units.
type Inputs struct {
	Units  []schemas.Unit
	Stamps map[string]string    // by StampName: changes when a file, or a group of files, does
	Times  map[string]time.Time // by StampName: last change of the file, or of the newest in a group
	Bytes  int64                // of all units
	Others []string             // files that are not archives
	Unread []string             // unreadable files and folders, with the reasons
	Twice  []blob.Twice         // files that were named more than once
	Empty  []string             // named folders without files
	Left   int                  // number of files, or groups, that Wanted rejected
	Loose  []string             // files that the server gives no version of
}

// FindOptions control the division of Find and its omissions. One goroutine calls the functions, before and after files
// are opened.
type FindOptions struct {
	UnitSize int64  // compressed bytes of a unit
	Output   string // files beneath this folder are left out, so that nobody reads their own output
	// Wanted reports whether to read a file; nil: all.
	Wanted func(blob.Info) (bool, error)
	// Known returns the ranges of an unchanged file in an earlier plan with this unit size, or nil. It saves the search
	// for them.
	Known func(blob.Info) []schemas.Range
	// Listed gets the files to read, and those with several names, before the division. Its error ends the division.
	Listed func([]blob.Info, []blob.Twice) error
	// Taken reports whether to leave out a range because it was read successfully.
	Taken func(schemas.Range) bool
}

// Find finds the archives that args name and divides them into units. If there is no archive, it returns an error, but
// not if Wanted rejects all.
func Find(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, o FindOptions) (*Inputs, error) {
	l, err := list(ctx, s, args, stdin, o.UnitSize)
	if err != nil {
		return nil, err
	}
	// Left out before anything is opened: the output of an earlier run is not input.
	out, err := newOutput(o.Output)
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(l.Files, func(f blob.Info) bool { return out.holds(f.Name) })
	if len(files) == 0 {
		return nil, fmt.Errorf("all files named are in the output folder %s", o.Output)
	}
	p := &Inputs{Stamps: map[string]string{}, Times: map[string]time.Time{}, Twice: l.Twice, Empty: l.Empty}
	// Stamps come first: the chosen version has to be the one that is read later.
	if files, err = p.Add(files, o.Wanted); err != nil {
		return nil, err
	}
	if o.Listed != nil {
		if err := o.Listed(files, l.Twice); err != nil {
			return nil, err
		}
	}
	// The slow part: files are opened to detect their formats.
	if p.Units, err = divide(ctx, s, files, o); err != nil {
		return nil, err
	}
	for _, u := range p.Units {
		p.Bytes += u.Bytes()
		for _, in := range u.Inputs {
			p.addOdd(in)
		}
	}
	// If there is at least one archive, other files are only reported.
	if len(files) > 0 && len(p.Others)+len(p.Unread) == len(files) {
		return nil, p.noArchive(len(files))
	}
	return p, nil
}

// addOdd records a range without captures.
func (p *Inputs) addOdd(in schemas.Range) {
	switch {
	case in.Unreadable != "":
		p.Unread = append(p.Unread, in.File+": "+in.Unreadable)
	// A group has no format of its own, and a range of an archive has an end.
	case in.Format == "" && in.Group == nil && in.End == 0:
		p.Others = append(p.Others, in.File)
	}
}

// noArchive returns the error for input without any usable file.
func (p *Inputs) noArchive(files int) error {
	// The first one is named as an example.
	if len(p.Others) == 0 {
		return fmt.Errorf("none of the %d files named can be read; the first is %s", files, schemas.Printable(p.Unread[0]))
	}
	first := schemas.Printable(p.Others[0])
	return fmt.Errorf("none of the %d files named is an archive of a known format; the first is %s", files, first)
}

// maxNotes limits the individual notes of each kind.
const maxNotes = 5

// Notes returns lines for users about arguments that do not name what they seem to.
func (p *Inputs) Notes() (notes []string) {
	for i, t := range p.Twice {
		if i == maxNotes {
			notes = append(notes, fmt.Sprintf("%d more are named more than once, and read once", len(p.Twice)-i))
			break
		}
		name, again := schemas.Printable(t.Name), schemas.Printable(t.Again)
		// The same name twice is most likely a mistake in a list.
		if name == again {
			notes = append(notes, name+" is named twice, and read once")
		} else {
			notes = append(notes, fmt.Sprintf("%s and %s are one, and read once, under the first of these names", name, again))
		}
	}
	for _, name := range p.Empty {
		notes = append(notes, schemas.Printable(name)+": the folder holds no file, and nothing is read of it")
	}
	if n := len(p.Loose); n > 0 {
		notes = append(notes, fmt.Sprintf("the server gives no version of %d files, such as %s: a change that keeps "+
			"the length is not noticed, and only --fresh reads them again", n, schemas.Printable(p.Loose[0])))
	}
	if n := len(p.Unread); n > 0 {
		first := schemas.Printable(p.Unread[0])
		notes = append(notes, fmt.Sprintf("%d files or folders cannot be read, which rejects-* will list; the first is %s", n,
			first))
	}
	return notes
}

// Add records stamps and times of the files that wanted selects, and returns these files. A nil wanted selects all.
func (p *Inputs) Add(files []blob.Info, wanted func(blob.Info) (bool, error)) ([]blob.Info, error) {
	var chosen []blob.Info
	for _, f := range files {
		ok, err := true, error(nil)
		if wanted != nil {
			ok, err = wanted(f)
		}
		if err != nil {
			return nil, err
		}
		// Rejected by the options, not by the expander.
		if !ok {
			p.Left++
			continue
		}
		name := StampName(schemas.Range{File: f.Name, Group: f.Group})
		p.Stamps[name], p.Times[name] = f.Stamp, f.Modified
		if f.Unversioned() {
			p.Loose = append(p.Loose, f.Name)
		}
		chosen = append(chosen, f)
	}
	return chosen, nil
}

// StampsOf returns the stamps of a unit's files.
func (p *Inputs) StampsOf(u schemas.Unit) map[string]string {
	stamps := map[string]string{}
	for _, in := range u.Inputs {
		// By name, since several ranges may belong to one file.
		name := StampName(in)
		stamps[name] = p.Stamps[name]
	}
	return stamps
}

// StampName returns the key for the stamp of a range's file, or of its group of files.
func StampName(r schemas.Range) string {
	if r.Group == nil {
		return r.File
	}
	return r.File + "//" + r.Group.First // no cleaned name has two slashes
}
