// Package unit divides archives into units of work and reads a unit's captures. Planning depends on the files' bytes
// and the unit size alone: the same input gives the same units, and the units' captures, in order, are those of an
// unsplit read.
//
//	infos, err := unit.Files(ctx, store, os.Args[1:], os.Stdin, 64<<20)
//	units, err := unit.Plan(ctx, store, infos, 64<<20)
//	r := unit.NewReader(store, units[0], capture.Options{})
//	for c, err := range r.All(ctx) {
//		…
//	}
package unit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/schemas"
)

// DefaultSize is the size of a unit when none is asked for, in compressed bytes: some seconds to minutes of work,
// and a shard that is neither a crumb nor too large to do again.
const DefaultSize = 64 << 20

// Files lists the files that args name, as [blob.Store.Expand] does, with pages that have a file each in groups of at most
// a unit's size.
func Files(ctx context.Context, s *blob.Store, args []string, stdin io.Reader, size int64) ([]blob.Info, error) {
	return s.ExpandGroups(ctx, args, stdin, blob.Grouping{Member: capture.InTree, Bytes: size})
}

// Plan divides the files into units of about size compressed bytes, in the files' order: large files into ranges,
// small ones grouped. Groups of files stay as they are, unseen. A file that is no archive becomes an empty range, so that reading the unit rejects it.
func Plan(ctx context.Context, s *blob.Store, files []blob.Info, size int64) ([]schemas.Unit, error) {
	ranges := make([][]schemas.Range, len(files))
	errs := make([]error, len(files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, planners)
	for i, f := range files {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			ranges[i], errs[i] = split(ctx, s, f, size)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return group(ranges, size), nil
}

// planners is how many files are looked at together; it hides the latency of object stores.
const planners = 8

// split cuts one file into ranges of about size bytes.
func split(ctx context.Context, s *blob.Store, f blob.Info, size int64) ([]schemas.Range, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.Group != nil {
		return []schemas.Range{{File: f.Name, End: f.Size, Group: f.Group}}, nil
	}
	o, err := s.Open(ctx, f.Name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	format, err := capture.Detect(f.Name, o, o.Size())
	if errors.Is(err, capture.ErrUnsupported) {
		return []schemas.Range{{File: f.Name}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	starts, err := capture.Starts(o, o.Size(), size, format)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	ranges := make([]schemas.Range, len(starts))
	for i, start := range starts {
		ranges[i] = schemas.Range{File: f.Name, Start: start, End: o.Size(), Format: format.String()}
		if i > 0 {
			ranges[i-1].End = start
		}
	}
	return ranges, nil
}

// maxFiles bounds the files of a unit, so that a million crumbs do not become one. A group of files, which is bounded
// itself, may be larger.
const maxFiles = 1000

// group fills units in the order of the ranges.
func group(files [][]schemas.Range, size int64) []schemas.Unit {
	var units []schemas.Unit
	room, count := int64(0), 0
	for _, ranges := range files {
		for _, r := range ranges {
			bytes, n := r.End-r.Start, 1
			if r.Group != nil {
				n = r.Group.Files
			}
			last := len(units) - 1
			if last < 0 || bytes > room || count+n > maxFiles {
				units = append(units, schemas.Unit{ID: len(units)})
				last, room, count = last+1, size, 0
			}
			units[last].Inputs = append(units[last].Inputs, r)
			room -= bytes
			count += n
		}
	}
	return units
}
