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

// DefaultSize is the default size of a unit, in compressed bytes. It means some seconds to minutes of work, and a shard
// that is neither tiny nor too large to repeat.
const DefaultSize = 64 << 20

// Files lists the files that args name, as [blob.Store.Expand] does. Pages with a file each are in groups of at most a
// unit's size.
func Files(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, size int64) ([]blob.Info, error) {
	l, err := list(ctx, s, args, stdin, size)
	return l.Files, err
}

// list lists files. There may be millions of single pages, which are never listed one by one.
func list(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, size int64) (blob.Listing, error) {
	l, err := s.ExpandGroups(ctx, args, Until(ctx, stdin), blob.Grouping{Member: archive.InTree, Bytes: size})
	if err != nil {
		return l, err
	}
	return withBeside(ctx, s, l)
}

// Plan divides the files into units of about size compressed bytes, in the files' order: large files into ranges, small
// ones grouped. Groups of files stay unopened. A file that is not an archive becomes an empty range. An unreadable one
// becomes a range with the reason, so that reading the unit rejects it.
func Plan(ctx context.Context, s *blob.Store, files []blob.Info, size int64) ([]schemas.Unit, error) {
	return divide(ctx, s, files, FindOptions{UnitSize: size})
}

func divide(ctx context.Context, s *blob.Store, files []blob.Info, o FindOptions) ([]schemas.Unit, error) {
	// Each file has its own place, so that they can be read in any order without a lock.
	ranges := make([][]schemas.Range, len(files))
	errs := make([]error, len(files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, planners)
	for i, f := range files {
		// Files in an earlier plan need not be opened again, which saves most of the time for remote files.
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
	// All errors, so that the user sees each bad file.
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	all := slices.Concat(ranges...)
	// Before grouping, so that units are full of unread ranges.
	if o.Taken != nil {
		all = slices.DeleteFunc(all, o.Taken)
	}
	return group(all, o.UnitSize), nil
}

// planners is the number of files that are read concurrently, to hide the latency of object stores.
const planners = 8

// split splits one file into ranges of about size bytes. If the file cannot be read far enough, it is one range.
func split(ctx context.Context, s *blob.Store, f blob.Info, size int64) ([]schemas.Range, error) {
	whole := schemas.Range{File: f.Name, End: f.Size, Group: f.Group, Unreadable: f.Unreadable}
	// Groups are not opened here, and unreadable files need no attempt.
	if err := ctx.Err(); err != nil || f.Group != nil || f.Unreadable != "" {
		return []schemas.Range{whole}, err
	}
	o, err := s.Open(ctx, f.Name)
	if err != nil {
		return unreadable(whole, err)
	}
	defer o.Close()
	// The size that the stamp holds too. A local file may have grown since it was listed.
	if whole.End = o.Size(); !blob.IsRemote(f.Name) {
		whole.End = min(whole.End, f.Size)
	}
	format, err := archive.Detect(f.Name, o, whole.End)
	if errors.Is(err, archive.ErrUnsupported) {
		// Not an archive: an empty range, which keeps the file in the plan for the report. If its name is that of an
		// archive, all its bytes count as lost.
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
		return []schemas.Range{whole}, nil // each range would receive everything before it too
	}
	starts, err := archive.Starts(o, whole.End, size, format)
	if _, bad := blob.Unreadable(err); bad {
		// The search for splits met a bad place, so the file stays in one piece.
		return []schemas.Range{whole}, nil // its readable part is read
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	ranges := make([]schemas.Range, len(starts))
	for i, start := range starts {
		ranges[i] = whole
		// Each start ends the previous range.
		if ranges[i].Start = start; i > 0 {
			ranges[i-1].End = start
		}
	}
	return ranges, nil
}

// unreadable returns the plan for an unreadable file, or err if it should end the run. A server's refusal here concerns
// this file, because the server did not refuse others.
func unreadable(r schemas.Range, err error) ([]schemas.Range, error) {
	why, bad := blob.Unreadable(err)
	var said *blob.InputError
	// The server refused only this file, as far as is known here.
	if !bad && errors.Is(err, blob.ErrPermission) && errors.As(err, &said) {
		why, bad = said.Reason, true
	}
	if !bad {
		return nil, fmt.Errorf("%s: %w", r.File, err)
	}
	r.Unreadable = why
	return []schemas.Range{r}, nil
}

// maxFiles limits the files of a unit, so that a million tiny files do not become one unit. A group of files, which has
// its own limit, may be larger.
const maxFiles = 1000

// group fills units in the order of the ranges.
func group(ranges []schemas.Range, size int64) []schemas.Unit {
	var units []schemas.Unit
	for len(ranges) > 0 {
		n := fill(ranges, size)
		// A copy, so that a unit does not keep the whole list in memory.
		units = append(units, schemas.Unit{ID: len(units), Inputs: slices.Clone(ranges[:n])})
		ranges = ranges[n:]
	}
	return units
}

// fill returns the number of ranges in the next unit. If not all fit, the unit ends where it is full. With several
// ranges it ends in its second half, before the range with the smallest hash. So a new file changes the units around
// it, but not all that follow: soon a unit ends where it did before.
func fill(ranges []schemas.Range, size int64) int {
	var bytes, files int64
	cut, least := 0, uint64(math.MaxUint64)
	for i, r := range ranges {
		// The first range always fits, even if it is too large.
		if i > 0 && (bytes+r.End-r.Start > size || files+members(r) > maxFiles) {
			return cmp.Or(cut, i)
		}
		bytes, files = bytes+r.End-r.Start, files+members(r)
		// A unit ends only in its second half, so that all are at least half full. No range follows the last one.
		if i+1 == len(ranges) || bytes <= size/2 && files <= maxFiles/2 {
			continue
		}
		if h := hash(ranges[i+1]); h < least {
			cut, least = i+1, h
		}
	}
	return len(ranges)
}

// members returns the number of files in a range.
func members(r schemas.Range) int64 {
	if r.Group != nil {
		return int64(r.Group.Files)
	}
	return 1
}

// hash returns a number that depends only on the name of the range. It must be the same on every machine and in every
// version, which excludes faster hashes.
func hash(r schemas.Range) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", StampName(r), r.Start))
	return binary.BigEndian.Uint64(sum[:])
}
