package archive

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// packedReader reads the archives in a WACZ file, in place: positions are those in the WACZ file. What no file in it
// covers is searched for records as a damaged archive is.
type packedReader struct {
	in       Input
	src      io.ReaderAt
	o        Options
	pack     *wacz.Package
	problems []wacz.Problem // that are not told: those of the directory, and at most two of the part that was opened last
	parts    []wacz.Part    // that are not begun
	now      reader
	depth    int // of packages that were inflated, one in the other
	counts   schemas.Counts
}

func newPackedReader(src io.ReaderAt, in Input, o Options) (*packedReader, error) {
	o.MaxSegments = 0 // segments are joined from files of records
	r := &packedReader{in: in, src: src, o: o}
	var err error
	r.pack, err = wacz.Open(src, in.Size)
	if errors.Is(err, wacz.ErrFormat) {
		// What follows searches it for records, as with any damaged archive.
		r.pack, err = wacz.Bare(src, in.Size), nil
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

// open begins to read the bytes of a part that are in the range, and notes its faults.
func (r *packedReader) open(p wacz.Part) error {
	end := p.Offset + p.Size
	// A range may have several parts, and a part may be in several ranges.
	start, stop := max(r.in.Start, p.Offset), min(r.in.End, end)
	if start >= stop {
		return nil
	}
	format, ok, err := Format{}, true, error(nil)
	nested := r.isNested(&p)
	if !nested {
		format, ok, err = r.format(p, start, stop)
	}
	if err != nil || !ok {
		return err
	}
	changed := false
	if start == p.Offset { // once for all ranges
		problem, err := r.pack.Check(&p)
		if err != nil {
			return err
		}
		if problem != nil {
			r.problems = append(r.problems, *problem)
			changed = problem.Changed
		}
		changed = changed || r.pack.Unproven(&p)
		// Where a packed one ends is known now.
		end, stop = p.Offset+p.Size, min(stop, p.Offset+p.Size)
	}
	if p.Packed {
		schemas.Count(&r.counts.ByQuirk, quirkDeflated, 1)
	}
	if nested {
		return r.inflate(p)
	}
	// Over the whole source, and ending where the part does, so that offsets are those of the WACZ file.
	in := Input{Name: r.in.Name, Size: end, Start: start, End: stop}
	now, err := newRecordReader(r.pack.Source(&p), in, format, r.o)
	if err == nil {
		// All of the part: those that only its own hash could vouch for are read as one range, see packedStarts.
		now.changed = changed
		r.now = now
	}
	return err
}

// quirkDeflated is an archive that the ZIP file deflates, which WACZ does not allow.
const quirkDeflated = "deflated_in_package"

// format returns the format of a part, of which start to stop are read. For a part that is not an archive ok is false,
// and its loss is recorded.
func (r *packedReader) format(p wacz.Part, start, stop int64) (f Format, ok bool, err error) {
	section := io.NewSectionReader(r.pack.Source(&p), p.Offset, p.Size)
	if p.Role == wacz.RoleOther {
		if f, ok, err = beginning(section, p.Size); ok || err != nil {
			return f, ok, err
		}
		// It is what its name says. What follows it may be anything.
		if end := p.Offset + p.Size; p.Tail < end {
			rest := wacz.Part{Offset: p.Tail, Size: end - p.Tail, Tail: end, Role: wacz.RoleBare}
			r.parts = slices.Insert(r.parts, 0, rest)
		}
		return f, false, nil
	}
	// By content: names in a WACZ file are whatever its writer chose.
	f, err = Detect(p.Name, section, p.Size)
	ok = err == nil && f.grammar() != nil
	if err != nil && !errors.Is(err, ErrUnsupported) {
		return f, false, err
	}
	lost := wacz.Problem{Offset: start, Length: stop - start}
	switch {
	case p.Role == wacz.RoleArchive && !ok:
		r.problems = append(r.problems, noArchive(p, start, stop))
	case p.Role == wacz.RoleBare && !ok:
		lost.Message = "no file of the ZIP file covers these bytes, and no record begins in them"
		r.problems = append(r.problems, lost)
	case p.Role != wacz.RoleArchive && ok && start == p.Offset:
		why := fmt.Sprintf("no file of the ZIP file covers %d bytes at byte %d, which hold records", p.Size, p.Offset)
		r.problems = append(r.problems, wacz.Problem{Message: why})
	}
	return f, ok, nil
}

// noArchive is the problem of a part that is not an archive, of which the bytes start to stop are read.
func noArchive(p wacz.Part, start, stop int64) wacz.Problem {
	return wacz.Problem{
		Offset: start, Length: stop - start, Unsupported: true, Message: fmt.Sprintf("%.200q holds no WARC or ARC", p.Name),
	}
}

// beginning returns the format of the record that a file begins with, in any compression.
func beginning(src io.ReaderAt, size int64) (Format, bool, error) {
	kind, err := member.Detect(src, size)
	if err != nil {
		return Format{}, false, err
	}
	return formatAt(src, 0, size, kind)
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
	} else if !p.Missing {
		schemas.Count(&r.counts.ByQuirk, schemas.QuirkContainer, 1)
	}
	r.counts.Rejects++
	r.counts.BytesLost += p.Length
	schemas.Count(&r.counts.ByReject, string(kind), 1)
	return Item{Reject: &schemas.Reject{
		File: r.in.Name, Offset: p.Offset, Length: p.Length, Lost: p.Length, Stage: "read", Kind: kind, Message: p.Message,
	}}
}

// Counts returns the counts so far; after io.EOF, BytesRead is the length of the range.
func (r *packedReader) Counts() schemas.Counts {
	if r.now == nil {
		return r.counts
	}
	c := r.now.Counts()
	c.Add(r.counts)
	return c
}

// NextStart returns the range's end: ranges begin where parts do, or where their own readers arrive.
func (r *packedReader) NextStart() int64 { return r.in.End }

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
	// What a damaged one holds is looked for by each reader of it, for the whole.
	if err != nil || !p.Sound {
		return starts, err
	}
	from := every
	for _, part := range p.Parts {
		section := io.NewSectionReader(p.Source(&part), part.Offset, part.Size)
		f, ok, err := beginning(section, part.Size)
		if err != nil {
			return nil, err
		}
		// A file that is not an archive needs no ranges of its own, and one that does not begin with a record is read whole.
		if !ok && part.Role != wacz.RoleArchive {
			continue
		}
		// Members of gzip vouch for themselves; of other parts it is known from their first range alone, which
		// compares their hash, whether they were changed.
		inner := []int64{0}
		if ok && f.Compression == member.Gzip && !part.Packed {
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
