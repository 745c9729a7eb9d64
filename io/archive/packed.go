package archive

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gleaner-web/gleaner/io/archive/member"
	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/schemas"
)

// packedReader reads the archives in a WACZ file, in place: positions are those in the WACZ file. Where its directory
// cannot be read, the file is searched for records as a damaged archive is.
type packedReader struct {
	in       Input
	src      io.ReaderAt
	o        Options
	pack     *wacz.Package
	problems []wacz.Problem // that are not told: those of the directory, and at most two of the part that was opened last
	parts    []wacz.Part    // that are not begun
	now      *recordReader
	counts   schemas.Counts
}

func newPackedReader(src io.ReaderAt, in Input, o Options) (*packedReader, error) {
	o.MaxSegments = 0 // segments are joined from files of records
	r := &packedReader{in: in, src: src, o: o}
	var err error
	r.pack, err = wacz.Open(src, in.Size)
	if errors.Is(err, wacz.ErrFormat) {
		// One part that is the whole file: what follows searches it for records, as with any damaged
		// archive.
		r.pack = &wacz.Package{Parts: []wacz.Part{{Name: in.Name, Size: in.Size}}}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	r.parts = r.pack.Parts
	if in.Start == 0 { // once for all ranges
		r.problems = r.pack.Problems
	}
	return r, nil
}

// Next is that of Reader.
func (r *packedReader) Next() (Item, error) {
	for {
		switch {
		// Problems come before the captures of the part that they are about.
		case len(r.problems) > 0:
			p := r.problems[0]
			r.problems = r.problems[1:]
			return r.reject(p), nil
		case r.now != nil:
			item, err := r.now.Next()
			if err != io.EOF {
				return item, err
			}
			r.end()
		case len(r.parts) == 0:
			r.counts.BytesRead = r.in.End - r.in.Start
			return Item{}, io.EOF
		default:
			p := r.parts[0]
			r.parts = r.parts[1:]
			if err := r.open(p); err != nil {
				return Item{}, err
			}
		}
	}
}

// open begins to read a part, of which it takes what is in the range, and notes what is wrong with it.
func (r *packedReader) open(p wacz.Part) error {
	end := p.Offset + p.Size
	// A range may have several parts, and a part may be in several ranges.
	start, stop := max(r.in.Start, p.Offset), min(r.in.End, end)
	if start >= stop {
		return nil
	}
	changed := false
	if start == p.Offset { // once for all ranges
		if problem, err := r.pack.Check(p); err != nil {
			return err
		} else if problem != nil {
			r.problems = append(r.problems, *problem)
			changed = problem.Changed
		}
	}
	// By content: names in a WACZ file are whatever its writer chose.
	format, err := Detect(p.Name, io.NewSectionReader(r.src, p.Offset, p.Size), p.Size)
	if errors.Is(err, ErrUnsupported) || err == nil && format.grammar() == nil {
		why := fmt.Sprintf("%.200q holds no WARC or ARC", p.Name)
		r.problems = append(r.problems, wacz.Problem{Offset: start, Length: stop - start, Unsupported: true, Message: why})
		return nil
	}
	if err != nil {
		return err
	}
	// Over the whole source, and ending where the part does, so that offsets are those of the WACZ file.
	now, err := newRecordReader(r.src, Input{Name: r.in.Name, Size: end, Start: start, End: stop}, format, r.o)
	if err == nil {
		// All of the part: those that only its own hash could vouch for are read as one range, see packedStarts.
		now.changed = changed
		r.now = now
	}
	return err
}

// end counts what the part gave.
func (r *packedReader) end() {
	r.counts.Add(r.now.Counts())
	r.now.Close()
	r.now = nil
}

// reject reports a problem of the container.
func (r *packedReader) reject(p wacz.Problem) Item {
	kind := schemas.KindDamaged
	if p.Unsupported {
		kind = schemas.KindUnsupported
	}
	r.counts.Rejects++
	r.counts.BytesLost += p.Length
	schemas.Count(&r.counts.ByReject, string(kind), 1)
	return Item{Reject: &schemas.Reject{
		File: r.in.Name, Offset: p.Offset, Length: p.Length, Lost: p.Length, Stage: "read", Kind: kind, Message: p.Message,
	}}
}

// Counts returns what was seen so far; after io.EOF, BytesRead is the length of the range.
func (r *packedReader) Counts() schemas.Counts {
	if r.now == nil {
		return r.counts
	}
	c := r.now.Counts()
	c.Add(r.counts)
	return c
}

// Arrived returns the range's end: ranges begin where parts do, or where their own readers arrive.
func (r *packedReader) Arrived() int64 { return r.in.End }

// Close frees the memory of the part that is being read.
func (r *packedReader) Close() {
	if r.now != nil {
		r.end()
	}
}

// packedStarts returns where a WACZ file can be split: at its parts, and within those of gzip.
func packedStarts(src io.ReaderAt, size, every int64) ([]int64, error) {
	starts := []int64{0}
	p, err := wacz.Open(src, size)
	if every <= 0 || errors.Is(err, wacz.ErrFormat) {
		return starts, nil
	}
	if err != nil {
		return nil, err
	}
	from := every
	for _, part := range p.Parts {
		section := io.NewSectionReader(src, part.Offset, part.Size)
		f, err := Detect(part.Name, section, part.Size)
		if errors.Is(err, ErrUnsupported) || err == nil && f.grammar() == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Members of gzip vouch for themselves; of other parts it is known from their first range alone, which
		// compares their hash, whether they were changed.
		inner := []int64{0}
		if f.Compression == member.Gzip {
			if inner, err = Starts(section, part.Size, every, f); err != nil {
				return nil, err
			}
		}
		for _, at := range inner {
			if at += part.Offset; at >= from {
				starts = append(starts, at)
				// every may be as large as a user likes: the sum must not overflow.
				from = min(at, math.MaxInt64-every) + every
			}
		}
	}
	return starts, nil
}
