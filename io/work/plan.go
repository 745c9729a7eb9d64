package work

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// DefaultSize is the size of a unit when none is asked for, in compressed bytes: some seconds to minutes of work,
// and a shard that is neither a crumb nor too large to do again.
const DefaultSize = 64 << 20

// Files lists the files that args name, as [blob.Store.Expand] does, with pages that have a file each in groups of at
// most a unit's size.
func Files(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, size int64) ([]blob.Info, error) {
	l, err := list(ctx, s, args, stdin, size)
	return l.Files, err
}

// Pages of their own may be millions, and are never listed one by one.
func list(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, size int64) (blob.Listing, error) {
	l, err := s.ExpandGroups(ctx, args, stdin, blob.Grouping{Member: archive.InTree, Bytes: size})
	if err != nil {
		return l, err
	}
	return withBeside(ctx, s, l)
}

// Plan divides the files into units of about size compressed bytes, in the files' order: large files into ranges,
// small ones grouped. Groups of files stay as they are, unseen. A file that is not an archive becomes an empty range,
// and one that cannot be read a range that says so, so that reading the unit rejects it.
func Plan(ctx context.Context, s *blob.Store, files []blob.Info, size int64) ([]schemas.Unit, error) {
	return divide(ctx, s, files, FindOptions{UnitSize: size})
}

func divide(ctx context.Context, s *blob.Store, files []blob.Info, o FindOptions) ([]schemas.Unit, error) {
	// One place for each file, so that they can be looked at in any order and no lock is needed.
	ranges := make([][]schemas.Range, len(files))
	errs := make([]error, len(files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, planners)
	for i, f := range files {
		// What an earlier plan knows need not be opened again, which with remote files saves most of the time.
		if o.Known != nil {
			ranges[i] = o.Known(f)
		}
		if ranges[i] != nil {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			ranges[i], errs[i] = split(ctx, s, f, o.UnitSize)
		})
	}
	wg.Wait()
	// All of them, so that the user sees each file that is wrong.
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	all := slices.Concat(ranges...)
	// Before grouping, so that units are full of what is still to be read.
	if o.Taken != nil {
		all = slices.DeleteFunc(all, o.Taken)
	}
	return group(all, o.UnitSize), nil
}

// planners is how many files are looked at together; it hides the latency of object stores.
const planners = 8

// split cuts one file into ranges of about size bytes. One that cannot be read to where it could be cut is one range.
func split(ctx context.Context, s *blob.Store, f blob.Info, size int64) ([]schemas.Range, error) {
	whole := schemas.Range{File: f.Name, End: f.Size, Group: f.Group, Unreadable: f.Unreadable}
	// Groups are not looked into here, and what cannot be read need not be tried.
	if err := ctx.Err(); err != nil || f.Group != nil || f.Unreadable != "" {
		return []schemas.Range{whole}, err
	}
	o, err := s.Open(ctx, f.Name)
	if err != nil {
		return unreadable(whole, err)
	}
	defer o.Close()
	// The size of now, which Stamps hold as well.
	whole.End = o.Size()
	format, err := archive.Detect(f.Name, o, o.Size())
	if errors.Is(err, archive.ErrUnsupported) {
		// No archive: an empty range, which keeps the file in the plan so that it is told. One that is named like
		// an archive counts with all its bytes, as lost.
		if !archive.IsNamed(f.Name) {
			whole.End = 0
		}
		return []schemas.Range{whole}, nil
	}
	if err != nil {
		return unreadable(whole, err)
	}
	whole.Format = format.String()
	if !blob.GivesParts(o) {
		return []schemas.Range{whole}, nil // each range would have all before it sent as well
	}
	starts, err := archive.Starts(o, o.Size(), size, format)
	if _, bad := blob.Unreadable(err); bad {
		// Where it could be cut was looked for beyond a bad place, so it stays in one piece.
		return []schemas.Range{whole}, nil // what can be read of it is
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	ranges := make([]schemas.Range, len(starts))
	for i, start := range starts {
		ranges[i] = whole
		// Each start ends the range before.
		if ranges[i].Start = start; i > 0 {
			ranges[i-1].End = start
		}
	}
	return ranges, nil
}

// unreadable is the plan for a file of which nothing can be read, unless err is one that should end the run. Here a
// server's refusal is of this file: others of it were not refused.
func unreadable(r schemas.Range, err error) ([]schemas.Range, error) {
	why, bad := blob.Unreadable(err)
	var said *blob.InputError
	// Refused by the server, and only for this file, as far as is known here.
	if !bad && errors.Is(err, blob.ErrPermission) && errors.As(err, &said) {
		why, bad = said.Reason, true
	}
	if !bad {
		return nil, fmt.Errorf("%s: %w", r.File, err)
	}
	r.Unreadable = why
	return []schemas.Range{r}, nil
}

// maxFiles bounds the files of a unit, so that a million crumbs do not become one. A group of files, which is bounded
// itself, may be larger.
const maxFiles = 1000

// group fills units in the order of the ranges.
func group(ranges []schemas.Range, size int64) []schemas.Unit {
	var units []schemas.Unit
	for len(ranges) > 0 {
		n := fill(ranges, size)
		// A copy, so that a unit does not hold on to the list of all.
		units = append(units, schemas.Unit{ID: len(units), Inputs: slices.Clone(ranges[:n])})
		ranges = ranges[n:]
	}
	return units
}

// fill tells how many of the ranges the next unit takes. When not all fit, the unit ends where it is full or, if it has
// more than one range, at the place after its half that has the least hash of the range after it. So a file that is
// added somewhere changes the units around it, and not all that follow: soon a unit ends where it did before.
func fill(ranges []schemas.Range, size int64) int {
	var bytes, files int64
	cut, least := 0, uint64(math.MaxUint64)
	for i, r := range ranges {
		// The first range always fits, however large it is.
		if i > 0 && (bytes+r.End-r.Start > size || files+members(r) > maxFiles) {
			return cmp.Or(cut, i)
		}
		bytes, files = bytes+r.End-r.Start, files+members(r)
		// A unit may end after its half only, so that all are at least half full; the last range has none after
		// it.
		if i+1 == len(ranges) || bytes <= size/2 && files <= maxFiles/2 {
			continue
		}
		if h := hash(ranges[i+1]); h < least {
			cut, least = i+1, h
		}
	}
	return len(ranges)
}

// members is how many files a range is of.
func members(r schemas.Range) int64 {
	if r.Group != nil {
		return int64(r.Group.Files)
	}
	return 1
}

// hash is a number that depends on nothing but the name of the range.
// It must be the same on every machine and in every version, hence no faster hash.
func hash(r schemas.Range) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", StampName(r), r.Start))
	return binary.BigEndian.Uint64(sum[:])
}
