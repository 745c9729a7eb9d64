package work

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	// indexShare is how much smaller a unit of an index is than one of archives: a line of some 200 bytes stands for a
	// record of some 20 KiB.
	indexShare = 64
	// maxBatch is how many lines are held and sorted at a time.
	maxBatch = 10_000
	// maxHeadLine bounds the first line of an index, which may be its legend; bytes.
	maxHeadLine = 4 << 10
)

// PlanIndexes divides capture indexes (CDX, CDXJ) into units; size is that of units of archives, in bytes. A plain index is
// split behind lines, a compressed one is not. The units are numbered from first on.
func PlanIndexes(ctx context.Context, s *blob.Store, files []blob.Info, size int64, l schemas.Lookup, first int) ([]schemas.Unit, error) {
	var units []schemas.Unit
	for _, f := range files {
		o, err := s.Open(ctx, f.Name)
		if err != nil {
			return nil, err
		}
		starts, err := shape.LineStarts(o, o.Size(), max(size/indexShare, 64<<10), nil)
		if err = errors.Join(err, o.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
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

// wanted is a line of an index that was chosen, and where it stands.
type wanted struct {
	cdx.Line
	file       string // that holds the record
	start, end int64  // of the line in the index
}

// indexed yields the captures that a range of an index, the i-th, points to, each batch of lines in the order of files
// and offsets.
func (r *Reader) indexed(ctx context.Context, i int, yield func(*schemas.Capture, error) bool) (bool, error) {
	in := r.unit.Inputs[i]
	filter, err := cdx.ParseFilter(in.Lookup.Filter)
	if err != nil {
		return false, err
	}
	o, err := r.store.Open(ctx, in.File)
	if err != nil {
		return false, err
	}
	defer o.Close()
	f := &fetcher{Reader: r, ctx: ctx, in: in}
	defer f.close()
	l, err := openIndex(o, in)
	if err != nil {
		return false, err
	}
	for {
		batch, err := f.batch(l, filter)
		if err != nil && err != io.EOF {
			return false, err
		}
		if more, err := f.fetch(batch, yield); err != nil || !more {
			return false, err
		}
		if err == io.EOF {
			break
		}
	}
	r.counts.BytesRead += in.End - in.Start
	r.unit.Inputs[i].Next, r.unit.Inputs[i].Unreadable = in.End, f.failed
	return true, nil
}

// index reads the lines of a range of an index.
type index struct {
	*cdx.Reader
	src    *faulty
	before int64 // bytes of the legend that were put before the range
	in     schemas.Range
}

// faulty keeps the error of a file, so that it is not taken for damage.
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

// openIndex returns a reader of a range of an index, which it gives the legend of the file.
func openIndex(src io.ReaderAt, in schemas.Range) (*index, error) {
	x := &index{in: in, src: &faulty{Reader: io.NewSectionReader(src, in.Start, in.End-in.Start)}}
	var all io.Reader = x.src
	if in.Start > 0 {
		head := make([]byte, maxHeadLine)
		n, err := src.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return nil, err
		}
		line, _, _ := bytes.Cut(head[:n], []byte("\n"))
		if cdx.IsLegend(bytes.TrimSuffix(line, []byte("\r"))) {
			x.before = int64(len(line) + 1)
			all = io.MultiReader(bytes.NewReader(append(slices.Clip(line), '\n')), x.src)
		}
	}
	x.Reader = cdx.NewReader(all, cdx.Options{})
	return x, nil
}

// span is where in the index the last line stands, or at the beginning of a compressed one, whose lines have no place.
func (x *index) span() (start, end int64) {
	start, end = x.Span()
	start, end = x.in.Start+start-x.before, x.in.Start+end-x.before
	if end > x.in.End {
		return 0, 0
	}
	return start, end
}

// fetcher reads the records that lines of an index point to.
type fetcher struct {
	*Reader
	ctx    context.Context
	in     schemas.Range // of the index
	name   string        // of the archive that is open
	open   blob.Object   // nil when there is none
	why    string        // it cannot be read
	failed string        // the reason of the first that could not
	format archive.Format
}

func (f *fetcher) close() {
	if f.open != nil {
		_ = f.open.Close() // it was read only
		f.open = nil
	}
}

// batch returns the next lines that are chosen, sorted by file and offset, and io.EOF with the last ones.
func (f *fetcher) batch(x *index, filter cdx.Filter) (batch []wanted, err error) {
	for range maxBatch {
		l, err := x.Next()
		switch {
		case x.src.err != nil:
			return nil, x.src.err
		case err == io.EOF:
			return sorted(batch), io.EOF
		case errors.Is(err, cdx.ErrFormat) || errors.Is(err, lines.ErrTooLong):
			start, end := x.span()
			f.refuse(start, end, schemas.KindGarbage, err.Error(), "")
			continue
		case err != nil: // of the compression
			f.refuse(0, f.in.End, schemas.KindInflate, err.Error(), "")
			return sorted(batch), io.EOF
		case !filter.Match(l):
			continue
		}
		w := wanted{Line: l}
		w.start, w.end = x.span()
		if w.file, err = f.resolve(l); err != nil {
			f.refuse(w.start, w.end, schemas.KindUnsupported, err.Error(), l.URL)
			continue
		}
		batch = append(batch, w)
	}
	return sorted(batch), nil
}

func sorted(batch []wanted) []wanted {
	slices.SortStableFunc(batch, func(a, b wanted) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.Offset, b.Offset))
	})
	return batch
}

// resolve returns the name of the archive that a line points to: below the base, since an index may come from anywhere.
func (f *fetcher) resolve(l cdx.Line) (string, error) {
	if l.Offset < 0 || l.Filename == "" {
		return "", fmt.Errorf("the line does not say where its record is")
	}
	if !fs.ValidPath(l.Filename) || blob.IsRemote(l.Filename) || !filepath.IsLocal(schemas.PathOf(l.Filename)) {
		return "", fmt.Errorf("%.200q is no file below the folder of the archives, which --warc_base names", l.Filename)
	}
	base := f.in.Lookup.Base
	if base == "" && blob.IsRemote(f.in.File) {
		base = secret.Folder(f.in.File)
	} else if base == "" {
		base = filepath.Dir(f.in.File)
	}
	if blob.IsRemote(base) {
		return secret.Below(base, path.Clean(l.Filename)), nil
	}
	return filepath.Join(base, filepath.FromSlash(l.Filename)), nil
}

// fetch yields the captures of a batch. Lines that point to the same record give it once.
func (f *fetcher) fetch(batch []wanted, yield func(*schemas.Capture, error) bool) (bool, error) {
	var window window
	for i, w := range batch {
		if err := f.ctx.Err(); err != nil {
			return false, err
		}
		if i > 0 && w.file == batch[i-1].file && w.Offset == batch[i-1].Offset {
			schemas.Count(&f.counts.ByQuirk, "same_record_again", 1)
			continue
		}
		if f.name != w.file || f.name == "" {
			window.end = 0
			if err := f.archive(w.file); err != nil {
				return false, err
			}
		}
		if f.why != "" {
			f.refuse(w.start, w.end, schemas.KindUnreadable, w.file+": "+f.why, w.URL)
			continue
		}
		if f.open == nil {
			f.refuse(w.start, w.end, schemas.KindUnsupported, w.file+": the archive is not there, or is none; --warc_base names the folder that archives are below", w.URL)
			continue
		}
		if w.Offset >= window.end {
			window.begin(f.open, batch[i:])
		}
		c, err := f.record(&window, w)
		if why, bad := blob.Unreadable(err); bad {
			f.refuse(w.start, w.end, schemas.KindUnreadable, w.file+": "+why, w.URL)
			f.failed, window.end = cmp.Or(f.failed, why), 0
			continue
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", w.file, err)
		}
		if c == nil {
			f.refuse(w.start, w.end, schemas.KindGarbage, fmt.Sprintf("no capture begins at byte %d of %s", w.Offset, w.file), w.URL)
			continue
		}
		if !yield(c, nil) {
			return false, nil
		}
	}
	return true, nil
}

// archive opens another archive. One that is not there, or cannot be read, leaves none open.
func (f *fetcher) archive(name string) error {
	f.close()
	f.name, f.why = name, ""
	o, err := f.store.Open(f.ctx, name)
	if err == nil {
		f.format, err = archive.Detect(name, o, o.Size())
		if err == nil {
			f.open = o
			return nil
		}
		err = errors.Join(err, o.Close())
	}
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, archive.ErrUnsupported) {
		return nil
	}
	if why, bad := blob.Unreadable(err); bad {
		f.why, f.failed = why, cmp.Or(f.failed, why)
		return nil
	}
	return err
}

// record returns the capture that begins where the line says, nil when there is none. Where something is odd,
// the line's length may be too short, and the record is read without.
func (f *fetcher) record(src io.ReaderAt, w wanted) (*schemas.Capture, error) {
	c, counts, err := f.read(src, w)
	if err == nil && w.Length > 0 && (c == nil || len(c.Flags) > 0 || c.Origin.Length == 0) {
		w.Length = 0
		c, counts, err = f.read(src, w)
	}
	if err != nil || c == nil || c.Origin.Sequence > 0 { // a later one in the member is of another line
		return nil, err
	}
	counts.BytesRead, counts.BytesLost, counts.Rejects, counts.ByReject = 0, 0, 0, nil // what is read of a unit are its lines
	f.counts.Add(counts)
	return c, nil
}

// read reads the first capture at a line's offset.
func (f *fetcher) read(src io.ReaderAt, w wanted) (*schemas.Capture, schemas.Counts, error) {
	size := f.open.Size()
	if w.Offset >= size {
		return nil, schemas.Counts{}, nil
	}
	if w.Length > 0 { // nothing behind the record is read
		size = min(size, w.Offset+min(w.Length, size))
	}
	o := f.o
	o.OnSegment = nil // the others may not be chosen
	o.OnReject = nil  // what is no record here is one line that leads nowhere
	o.Doubts = new(archive.Doubts)
	in := archive.Input{Name: w.file, Size: size, Start: w.Offset, End: w.Offset + 1}
	r, err := archive.NewReader(src, in, f.format, o)
	if err != nil {
		return nil, schemas.Counts{}, err
	}
	defer r.Close()
	c, err := r.Next()
	if err == io.EOF {
		return nil, r.Counts(), nil
	}
	counts := r.Counts()
	if err == nil && c.Origin.Length == 0 && w.Length == 0 { // others share its member, whose end tells whether it is whole
		err = exhaust(r)
		if o.Doubts.Len() > 0 {
			counts = unverified(c, counts)
		}
	}
	return c, counts, err
}

// exhaust reads on to the end of the range.
func exhaust(r *archive.Reader) error {
	for {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// unverified flags c, of which counts are, since its member is damaged.
func unverified(c *schemas.Capture, counts schemas.Counts) schemas.Counts {
	if !schemas.Damaged(c.Flags) {
		counts.Damaged++
	}
	if !c.HasFlag(schemas.FlagUnverified) {
		schemas.Count(&counts.ByFlag, string(schemas.FlagUnverified), 1)
	}
	c.AddFlag(schemas.FlagUnverified)
	return counts
}

// refuse rejects a line of the index, which stands at start to end.
func (f *fetcher) refuse(start, end int64, kind schemas.Kind, why, url string) {
	f.counts.Rejects++
	f.counts.BytesLost += end - start
	schemas.Count(&f.counts.ByReject, string(kind), 1)
	if f.o.OnReject != nil {
		f.o.OnReject(schemas.Reject{
			File: f.in.File, Offset: start, Length: end - start, Lost: end - start, Stage: "read", Kind: kind, Message: why, URL: url,
		})
	}
}
