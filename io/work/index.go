package work

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	// indexShare is the ratio of units of archives to units of indexes. A line of some 200 bytes refers to a record of
	// some 20 KiB.
	indexShare = 64
	// maxBatch is the number of lines that are held and sorted at a time.
	maxBatch = 10_000
	// maxHeadLine limits the first line of an index, which may be its legend, in bytes.
	maxHeadLine = 4 << 10
)

// PlanIndexes divides capture indexes (CDX, CDXJ) into units. size is that of units of archives, in bytes. A plain
// index is split after lines, a compressed one is not split. The units are numbered from first on. It opens no archive:
// only the lines say which are needed.
func PlanIndexes(ctx context.Context, s *blob.Store, files []blob.Info, size int64, l schemas.Lookup,
	first int,
) ([]schemas.Unit, error) {
	var units []schemas.Unit
	for _, f := range files {
		o, err := s.Open(ctx, f.Name)
		if err != nil {
			return nil, err
		}
		// At least 64 KiB, so that a small unit size does not make thousands of units.
		starts, err := dump.LineStarts(o, o.Size(), max(size/indexShare, 64<<10), nil)
		if err = errors.Join(err, o.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		// Each range ends where the next begins, and the last with the file.
		for i, start := range starts {
			end := o.Size()
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			in := schemas.Range{File: f.Name, Start: start, End: end, Lookup: &l}
			units = append(units, schemas.Unit{ID: first + len(units), Inputs: []schemas.Range{in}})
		}
	}
	return units, nil
}

// wanted is a chosen line of an index with its position.
type wanted struct {
	cdx.Line
	file       string // holds the record
	start, end int64  // of the line in the index
}

// lookUp returns a source for the records that a range of an index refers to.
func (r *Reader) lookUp(ctx context.Context, in *schemas.Range) (source, error) {
	// Each worker parses it, because the plan has it as text.
	filter, err := cdx.ParseFilter(in.Lookup.Filter)
	if err != nil {
		return nil, err
	}
	o, err := r.store.Open(ctx, in.File)
	if err != nil {
		return nil, err
	}
	l, err := openIndex(o, *in)
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	p := newPlaces(in.Lookup.Base, in.File)
	return &fetcher{Reader: r, in: in, filter: filter, places: p, file: o, index: l}, nil
}

// index reads the lines of a range of an index.
type index struct {
	*cdx.Reader
	src    *faulty
	before int64 // bytes of the legend that precede the range
	in     schemas.Range
}

// faulty stores the error of a file, so that it is not taken for damage.
type faulty struct {
	io.Reader
	err error
}

// Read reads from the file.
func (f *faulty) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// openIndex returns a reader of a range of an index, with the legend of the file before it.
func openIndex(src io.ReaderAt, in schemas.Range) (*index, error) {
	// Only the range's bytes; src.ReadAt can read the legend at the file's beginning.
	x := &index{in: in, src: &faulty{Reader: io.NewSectionReader(src, in.Start, in.End-in.Start)}}
	var all io.Reader = x.src
	if in.Start > 0 {
		head := make([]byte, maxHeadLine)
		n, err := src.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return nil, err
		}
		// A line longer than the head is not a legend, which has some thirty bytes.
		line, _, _ := bytes.Cut(head[:n], []byte("\n"))
		if cdx.IsLegend(bytes.TrimSuffix(line, []byte("\r"))) {
			// These bytes are not in the range, so span subtracts them.
			x.before = int64(len(line) + 1)
			// Clip keeps append from writing into head after the line.
			all = io.MultiReader(bytes.NewReader(append(slices.Clip(line), '\n')), x.src)
		}
	}
	x.Reader = cdx.NewReader(all, cdx.Options{})
	return x, nil
}

// span returns the position of the last line in the index. Lines of a compressed index have no position, so it returns
// the beginning.
func (x *index) span() (start, end int64) {
	start, end = x.Span()
	start, end = x.in.Start+start-x.before, x.in.Start+end-x.before
	// A position after the range counts decompressed data, and means nothing in the file.
	if end > x.in.End {
		return 0, 0
	}
	return start, end
}

// fetcher reads the records that lines of an index refer to. It sorts each batch of lines by file and offset.
type fetcher struct {
	*Reader
	in     *schemas.Range // of the index
	filter cdx.Filter
	places places
	file   blob.Object
	index  *index
	ended  bool // there are no more lines

	lines int      // number of lines read for the next batch
	made  []wanted // the next batch
	batch []wanted // the current batch, sorted
	at    int      // number of processed lines of it
	near  window   // of the open archive
	last  *target  // the result of the previous line, or nil

	name   string      // of the open archive
	open   blob.Object // nil when there is none
	why    string      // reason why it is unreadable
	failed string      // the reason of the first unreadable one
	absent bool        // one is not there
	found  bool        // a line gave its record
	format archive.Format
}

func (f *fetcher) close() {
	// The index is read only, so an error of Close does not matter.
	f.closeArchive()
	_ = f.file.Close() // read only
}

func (f *fetcher) closeArchive() {
	if f.open != nil {
		_ = f.open.Close() // read only
		f.open = nil
	}
}

func (f *fetcher) next(ctx context.Context) (item archive.Item, err error) {
	// Repeats until there is a result: lines may be left out, and records may be known already.
	for item == (archive.Item{}) && err == nil {
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		// The batch comes before more lines, so that memory is limited to one batch.
		case f.at < len(f.batch):
			f.at++
			item, err = f.fetch(ctx, f.at-1)
		case !f.ended:
			item, err = f.line()
		default:
			// The range is done: its lines count as read.
			f.counts.BytesRead += f.in.End - f.in.Start
			// With some of the archives there, the unit is done: doing it again while these are gone would lose
			// documents.
			if f.absent && !f.found {
				f.failed = cmp.Or(f.failed, "no archive that its lines name is there")
			}
			f.in.Next, f.in.Unreadable = f.in.End, f.failed
			err = io.EOF
		}
	}
	return item, err
}

// line reads a line of the index, and adds it to the batch if it is chosen.
func (f *fetcher) line() (archive.Item, error) {
	l, err := f.index.Next()
	start, end := f.index.span()
	item := archive.Item{}
	switch {
	// Otherwise a failing disk would look like a damaged index.
	case f.index.src.err != nil:
		return archive.Item{}, f.index.src.err
	case err == io.EOF:
		f.ended = true
	case errors.Is(err, cdx.ErrFormat):
		item = f.refuse(start, end, schemas.KindGarbage, err.Error(), "")
	// Compressed data after the damage are unreadable.
	case err != nil: // of the compression
		f.ended = true
		item = f.refuse(0, f.in.End, schemas.KindInflate, err.Error(), "")
	case f.filter.Match(l):
		file, err := f.places.of(l)
		if err != nil {
			item = f.refuse(start, end, schemas.KindUnsupported, err.Error(), l.URL)
			break
		}
		f.made = append(f.made, wanted{Line: l, file: file, start: start, end: end})
	}
	// Rejected lines count too, so that the first record of a large index comes early.
	if f.lines++; f.lines == maxBatch || f.ended {
		f.batch, f.at = sorted(f.made), 0
		f.made, f.lines = nil, 0
	}
	return item, nil
}

func sorted(batch []wanted) []wanted {
	// In the order of the archive, so that it is opened once and read forward. Stable, so that equal places keep the
	// order of the lines.
	slices.SortStableFunc(batch, func(a, b wanted) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.Offset, b.Offset))
	})
	return batch
}

// refuse rejects a line of the index, from start to end.
func (f *fetcher) refuse(start, end int64, kind schemas.Kind, why, url string) archive.Item {
	// This unit loses the index's bytes, not those of the archive.
	f.counts.Rejects++
	f.counts.BytesLost += end - start
	schemas.Count(&f.counts.ByReject, string(kind), 1)
	return archive.Item{Reject: &schemas.Reject{
		File: f.in.File, Offset: start, Length: end - start, Lost: end - start, Stage: "read", Kind: kind, Message: why,
		URL: url,
	}}
}
