package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// fetch reads the record of the i-th line of the batch. Lines that point to the same record give it once.
func (f *fetcher) fetch(ctx context.Context, i int) (archive.Item, error) {
	w := f.batch[i]
	// The window is over the bytes of the batch before.
	if i == 0 {
		f.near.end, f.last = 0, nil
	}
	// Sorted, such lines stand side by side. Only one that is of that record too is the same line again.
	if f.last != nil && f.last.file == w.file && f.last.offset == w.Offset {
		if why := f.last.differs(w.Line); why != "" {
			return f.refuse(w.start, w.end, schemas.KindGarbage, why, w.URL), nil
		}
		schemas.Count(&f.counts.ByQuirk, "same_record_again", 1)
		return archive.Item{}, nil
	}
	f.last = nil
	if f.name != w.file || f.name == "" {
		f.near.end = 0
		if err := f.archive(ctx, w.file); err != nil {
			return archive.Item{}, err
		}
	}
	// Why the archive could not be opened, which is told for each of its lines.
	if f.why != "" {
		return f.refuse(w.start, w.end, schemas.KindUnreadable, w.file+": "+f.why, w.URL), nil
	}
	if f.open == nil {
		why := w.file + ": the archive is not there, or is none; --warc_base names the folder that archives are below"
		return f.refuse(w.start, w.end, schemas.KindUnsupported, why, w.URL), nil
	}
	// The record begins after what is in memory.
	if w.Offset >= f.near.end {
		f.near.begin(f.open, f.batch[i:])
	}
	c, counts, err := f.record(&f.near, w)
	// A bad place in an archive: other lines may lead to good ones.
	if why, bad := blob.Unreadable(err); bad {
		f.failed, f.near.end = cmp.Or(f.failed, why), 0
		return f.refuse(w.start, w.end, schemas.KindUnreadable, w.file+": "+why, w.URL), nil
	}
	if err != nil {
		return archive.Item{}, fmt.Errorf("%s: %w", w.file, err)
	}
	if c == nil {
		why := fmt.Sprintf("no capture begins at byte %d of %s", w.Offset, w.file)
		return f.refuse(w.start, w.end, schemas.KindGarbage, why, w.URL), nil
	}
	found := newTarget(w, c)
	if why := found.differs(w.Line); why != "" {
		return f.refuse(w.start, w.end, schemas.KindGarbage, why, w.URL), nil
	}
	f.last = found
	f.counts.Add(counts)
	return archive.Item{Capture: c}, nil
}

// archive opens another archive. One that is not there, or cannot be read, leaves none open.
func (f *fetcher) archive(ctx context.Context, name string) error {
	f.closeArchive()
	f.name, f.why = name, ""
	o, err := f.store.Open(ctx, name)
	if err == nil {
		// Told by its content for each archive again: those of one index may differ.
		f.format, err = archive.Detect(name, o, o.Size())
		if err == nil {
			f.open = o
			return nil
		}
		err = errors.Join(err, o.Close())
	}
	// It is not an error of the run: for each line a reject says so.
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, archive.ErrUnsupported) {
		return nil
	}
	if why, bad := blob.Unreadable(err); bad {
		f.why, f.failed = why, cmp.Or(f.failed, why)
		return nil
	}
	return err
}

// record returns the capture that begins where the line says and its counts, nil when there is none. Where something
// is odd, the line's length may be too short, and the record is read without.
func (f *fetcher) record(src io.ReaderAt, w wanted) (*schemas.Capture, schemas.Counts, error) {
	// First only as many bytes as the line says, which spares a request for more.
	c, counts, err := f.read(src, w)
	if err == nil && w.Length > 0 && (c == nil || len(c.Flags) > 0 || c.Origin.Length == 0) {
		w.Length = 0
		c, counts, err = f.read(src, w)
	}
	if err != nil || c == nil || c.Origin.Sequence > 0 { // a later one in the member is of another line
		return nil, schemas.Counts{}, err
	}
	// what is read of a unit are its lines
	counts.BytesRead, counts.BytesLost, counts.Rejects, counts.ByReject = 0, 0, 0, nil
	return c, counts, nil
}

// read reads the first capture at a line's offset.
func (f *fetcher) read(src io.ReaderAt, w wanted) (*schemas.Capture, schemas.Counts, error) {
	size := f.open.Size()
	if w.Offset >= size {
		return nil, schemas.Counts{}, nil
	}
	// Nothing after the record is read, but that a package has its directory at its end.
	if w.Length > 0 && f.format.Name != "wacz" {
		size = min(size, w.Offset+min(w.Length, size))
	}
	o := f.o
	o.MaxSegments = 0 // the others may not be chosen
	o.Suspects = new(archive.Suspects)
	// A range of one byte: the record that begins there, and no other.
	in := archive.Input{Name: w.file, Size: size, Start: w.Offset, End: w.Offset + 1}
	r, err := archive.NewReader(src, in, f.format, o)
	if err != nil {
		return nil, schemas.Counts{}, err
	}
	defer r.Close()
	c, err := capture(r)
	if err == io.EOF {
		return nil, r.Counts(), nil
	}
	counts := r.Counts()
	// Others share its member, whose end reports whether it is whole.
	if err == nil && c.Origin.Length == 0 && w.Length == 0 {
		// To the member's end, whose checksum is looked at there.
		for err == nil {
			_, err = r.Next()
		}
		if o.Suspects.Len() > 0 {
			counts = unverified(c, counts)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return c, counts, err
}

// capture reads to the next capture. What is not a record on the way is one line that leads nowhere, and no reject.
func capture(r *archive.Reader) (*schemas.Capture, error) {
	for {
		item, err := r.Next()
		if err != nil || item.Capture != nil {
			return item.Capture, err
		}
	}
}

// unverified flags c, of which counts are, since its member is damaged.
func unverified(c *schemas.Capture, counts schemas.Counts) schemas.Counts {
	// The capture was counted as sound before this was known.
	if !schemas.Damaged(c.Flags) {
		counts.Damaged++
	}
	if !c.HasFlag(schemas.FlagUnverified) {
		schemas.Count(&counts.ByFlag, string(schemas.FlagUnverified), 1)
	}
	c.AddFlag(schemas.FlagUnverified)
	return counts
}
