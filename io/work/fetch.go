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

// fetch reads the record of the i-th line of the batch. Several lines for the same record give it once.
func (f *fetcher) fetch(ctx context.Context, i int) (archive.Item, error) {
	w := f.batch[i]
	// The window covers the bytes of the previous batch.
	if i == 0 {
		f.near.end, f.last = 0, nil
	}
	// Such lines are adjacent after sorting. Only a line that also describes that record is the same line again.
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
	// The reason why the archive could not be opened is reported for each of its lines.
	if f.why != "" {
		return f.refuse(w.start, w.end, schemas.KindUnreadable, w.file+": "+f.why, w.URL), nil
	}
	if f.open == nil {
		why := w.file + ": the archive is not there, or is none; --warc_base names the folder that archives are below"
		return f.refuse(w.start, w.end, schemas.KindUnsupported, why, w.URL), nil
	}
	// The record begins after the bytes in memory.
	if w.Offset >= f.near.end {
		f.near.begin(f.open, f.batch[i:])
	}
	c, counts, err := f.record(&f.near, w)
	// This is a bad place in an archive: other lines may lead to good ones.
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
	f.last, f.found = found, true
	f.counts.Add(counts)
	return archive.Item{Capture: c}, nil
}

// archive opens another archive. One that is not there, or cannot be read, leaves none open.
func (f *fetcher) archive(ctx context.Context, name string) error {
	f.closeArchive()
	f.name, f.why = name, ""
	o, err := f.store.Open(ctx, name)
	if err == nil {
		// Detected by content for each archive, because those of one index may differ.
		f.format, err = archive.Detect(name, o, o.Size())
		if err == nil {
			f.open = o
			return nil
		}
		err = errors.Join(err, o.Close())
	}
	// It is not an error of the run: each line is rejected with the reason.
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, archive.ErrUnsupported) {
		f.absent = f.absent || errors.Is(err, blob.ErrNotFound)
		return nil
	}
	if why, bad := blob.Unreadable(err); bad {
		f.why, f.failed = why, cmp.Or(f.failed, why)
		return nil
	}
	return err
}

// record returns the capture at the line's offset and its counts, or nil if there is none. If something is unusual, the
// line's length may be too short, and the record is read without it.
func (f *fetcher) record(src io.ReaderAt, w wanted) (*schemas.Capture, schemas.Counts, error) {
	// First only as many bytes as the line says, which spares a request for more.
	c, counts, err := f.read(src, w)
	if err == nil && w.Length > 0 && (c == nil || len(c.Flags) > 0 || c.Origin.Length == 0) {
		w.Length = 0
		c, counts, err = f.read(src, w)
	}
	if err != nil || c == nil || c.Origin.Sequence > 0 { // a later one in the member belongs to another line
		return nil, schemas.Counts{}, err
	}
	// the lines of a unit count as read, not these records
	counts.BytesRead, counts.BytesLost, counts.Rejects, counts.ByReject = 0, 0, 0, nil
	return c, counts, nil
}

// read reads the first capture at a line's offset.
func (f *fetcher) read(src io.ReaderAt, w wanted) (*schemas.Capture, schemas.Counts, error) {
	size := f.open.Size()
	if w.Offset >= size {
		return nil, schemas.Counts{}, nil
	}
	// Nothing after the record is needed, except in a package, which has its directory at its end.
	if w.Length > 0 && f.format.Name != "wacz" {
		size = min(size, w.Offset+min(w.Length, size))
	}
	o := f.o
	o.MaxSegments = 0 // the other parts may not be chosen
	o.Suspects = new(archive.Suspects)
	// A range of one byte selects only the record that begins there.
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
	// Other records share its member. Only the member's end shows whether it is complete.
	if err == nil && c.Origin.Length == 0 && w.Length == 0 {
		// Reads to the member's end, where its checksum is compared.
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

// capture reads to the next capture. Other content on the way makes the line lead nowhere, and gives no reject.
func capture(r *archive.Reader) (*schemas.Capture, error) {
	for {
		item, err := r.Next()
		if err != nil || item.Capture != nil {
			return item.Capture, err
		}
	}
}

// unverified flags c, with the given counts, because its member is damaged.
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
