package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// cutter writes the records of answers from their archives.
//
// A record with its own gzip member is copied as it is. A record of an uncompressed WARC file is compressed. Other
// records (several per member, zstd, ARC, crawler formats) are read as captures and written as convert does; so are
// all records for WACZ.
type cutter struct {
	ctx    context.Context
	db     *contentdb.DB
	store  *blob.Store
	places places
	out    io.Writer
	// One writer for the whole answer, because a WACZ file ends with an index.
	captures dump.Writer

	// name is set even if the archive could not be opened. Then file is nil and why has the reason.
	name   string // of the open archive
	file   blob.Object
	format archive.Format

	seeker                  seeker // of the open archive
	copied, packed, written int64

	// WACZ has what pages need to be replayed; around is nil for other formats.
	around *parts
	parts  int64 // how many records it has added
	// Bounded by the number of archives, which is small, not of records.
	missing map[string]int64 // number of missing records by archive
	changed map[string]int64 // of records that are damaged since the archive was read, likewise
	why     map[string]error // first error by archive
}

// newCutter returns a cutter, which opens archives only as needed.
func newCutter(ctx context.Context, e Exporter, out io.Writer) *cutter {
	w := &cutter{
		ctx: ctx, db: e.DB, store: e.Store, places: places{bases: e.Archives}, out: out,
		missing: map[string]int64{}, changed: map[string]int64{}, why: map[string]error{},
	}
	// Relative names are relative to the folder of the run.
	if asked, err := holdings.ReadLastRun(e.DB.Folder()); err == nil { // or else names stay as they are
		w.places.dir = asked.Dir
	}
	// The answer is one file, however large.
	o := dump.WriteOptions{Compress: dump.On, MaxFileBytes: math.MaxInt64}
	// The caller owns out, so closing what create returns does nothing.
	if e.Format == FormatWACZ {
		w.captures = wacz.NewWriter(create{out}, o)
		w.around = &parts{w: w, written: map[[16]byte]struct{}{}, known: map[candidate]bool{}}
	} else {
		w.captures = warc.NewWriter(create{out}, o)
	}
	return w
}

// Columns returns the columns that identify a record and its position, its damage, and the original of a revisit.
func (w *cutter) Columns() []string {
	if w.around != nil {
		return revisit.Columns
	}
	return []string{"url", "filename", "offset", "length", "sequence", "record_id", "record_type", "flags"}
}

// errNotThere means that the archive has changed and the record is not at its offset.
var errNotThere = errors.New("the record is not there: was the archive changed?")

// errSegment means that only the first segment of a record was found.
var errSegment = errors.New("the record is written in segments, which are not put together here")

// Write writes the record of a document. It counts missing records by archive.
func (w *cutter) Write(d *schemas.Document) error {
	// A cancelled question must not count as a loss.
	if err := w.ctx.Err(); err != nil {
		return err
	}
	err := contentdb.ErrWithheld
	if w.db.MayRead(d) {
		err = w.open(d.Filename)
	}
	if err == nil {
		err = w.cut(d)
	}
	// An error of the output affects all records, but an error of an archive only its own.
	if failed := (*writeError)(nil); errors.As(err, &failed) {
		return failed.err
	}
	w.lose(d.Filename, err)
	// Cancelling may have caused the error.
	return w.ctx.Err()
}

// lose counts a record as missing, unless err is nil.
func (w *cutter) lose(name string, err error) {
	if err == nil {
		return
	}
	w.missing[name]++
	// The first error is enough: others are mostly the same.
	if w.why[name] == nil {
		w.why[name] = err
	}
}

// compare counts a record that is damaged, and was not when its archive was read.
func (w *cutter) compare(d *schemas.Document, c *schemas.Capture) {
	if schemas.Damaged(c.Flags) && !schemas.Damaged(d.Flags) {
		w.changed[d.Filename]++
	}
}

// writeError is an error of the output. It ends the answer, while others cost a record.
type writeError struct{ err error }

// Error returns the text of the output's error.
func (e *writeError) Error() string { return e.err.Error() }

// open opens the archive of that name at one of its possible places.
func (w *cutter) open(name string) error {
	// Consecutive answers are often from one archive, which stays open. An archive that failed is not tried again for
	// them.
	if w.name == name {
		if w.file == nil {
			return w.why[name]
		}
		return nil
	}
	// Only one archive is open at a time.
	w.closeArchive()
	w.name = name
	list, first := w.places.of(name)
	for _, place := range list {
		file, err := w.openFile(place)
		if err == nil {
			// Detection uses the bytes, since names may have changed.
			w.format, err = archive.Detect(place, file, file.Size())
			if err == nil {
				w.file = file
				return nil
			}
			err = errors.Join(err, file.Close())
		}
		// The first place is the likeliest, so its error says most.
		if first == nil {
			first = err
		}
	}
	w.why[name] = cmp.Or(w.why[name], first)
	return first
}

// openFile opens an archive, but no pipe or device, which would be read without end.
func (w *cutter) openFile(place string) (blob.Object, error) {
	if !blob.IsRemote(place) {
		info, err := os.Stat(schemas.PathOf(place))
		if err != nil {
			return nil, err
		}
		// Stat follows links to pipes.
		if !info.Mode().IsRegular() {
			return nil, errNotRegular
		}
	}
	return w.store.Open(w.ctx, place)
}

func (w *cutter) closeArchive() {
	w.seeker.close()
	if w.file != nil {
		_ = w.file.Close() // nothing was written
		w.file = nil
	}
}

// cut writes the record of d from the open archive.
func (w *cutter) cut(d *schemas.Document) error {
	// Records with a sequence are parts of another record and cannot be copied. WACZ needs captures for its index.
	if _, is := w.captures.(*warc.Writer); is && d.Sequence == 0 && d.Length > 0 {
		done, err := w.asItIs(d)
		if done || err != nil {
			return err
		}
	}
	c, err := w.capture(d)
	if err != nil {
		return err
	}
	w.compare(d, c)
	if w.around == nil {
		return w.write(c)
	}
	// A part of an earlier page may have been this capture.
	if !w.around.isNew(d) {
		return nil
	}
	if err := w.write(c); err != nil {
		return err
	}
	return w.around.of(d, c, 0)
}

// write writes a capture.
func (w *cutter) write(c *schemas.Capture) error {
	if err := w.captures.Write(c); err != nil {
		// The writer has refused this capture and written nothing of it.
		if errors.Is(err, dump.ErrRefused) {
			return err
		}
		return &writeError{err}
	}
	w.written++
	return nil
}

// asItIs copies the bytes of a WARC record, and reports whether it could: they must be exactly one record. Otherwise,
// without an error, the record is read as a capture, which takes longer and keeps less of its head.
func (w *cutter) asItIs(d *schemas.Document) (done bool, err error) {
	var magic [2]byte
	if _, err := w.file.ReadAt(magic[:], d.Offset); err != nil {
		return false, errNotThere
	}
	// The section ends at the document's length or the file's end.
	bytes := func() *io.SectionReader { return io.NewSectionReader(w.file, d.Offset, d.Length) }
	if magic == [2]byte{0x1f, 0x8b} { // section 2.3.1 of RFC 1952
		in := bufio.NewReader(bytes())
		z, err := gzip.NewReader(in)
		if err != nil {
			return false, nil // damaged: reading it as a capture recovers what it can
		}
		// Only one member, since other records follow.
		z.Multistream(false)
		// The member may be very long, but it is only counted.
		one, err := oneRecord(z, d)
		// Peek detects a length that reaches into the next member.
		if _, more := in.Peek(1); !one || err != nil || more != io.EOF {
			return false, err
		}
		if _, err := io.Copy(w.out, bytes()); err != nil {
			return false, &writeError{err}
		}
		w.copied++
		return true, nil
	}
	// The first reader has been read to its end, so copying needs a second.
	one, err := oneRecord(bytes(), d)
	if !one || err != nil {
		return false, err
	}
	// Annex D of WARC/1.1: one member per record, so that the answer can be cut in the same way.
	z := gzip.NewWriter(w.out)
	_, err = io.Copy(z, bytes())
	if err = errors.Join(err, z.Close()); err != nil {
		return false, &writeError{err}
	}
	w.packed++
	return true, nil
}

// capture reads the record of d as a capture. A part of a body is never returned for the whole.
func (w *cutter) capture(d *schemas.Document) (*schemas.Capture, error) {
	// Start and End limit where a record may begin, not its end.
	in := archive.Input{Name: w.name, Size: w.file.Size(), Start: d.Offset, End: d.Offset + 1}
	if d.Offset >= in.Size {
		return nil, errNotThere
	}
	if c, err := w.seek(in, d); c != nil || err != nil {
		return whole(c, err)
	}
	r, err := archive.NewReader(w.file, in, w.format, archive.Options{Copy: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, errNotThere
		}
		if err != nil {
			return nil, err
		}
		c := item.Capture
		// The reader may return other records, and a member may be very long.
		if c == nil || c.Origin.Offset != d.Offset || c.Origin.Sequence != d.Sequence {
			if w.ctx.Err() != nil {
				return nil, w.ctx.Err()
			}
			continue
		}
		if !isOf(c, d) {
			return nil, errNotThere
		}
		return whole(c, nil)
	}
}

// whole returns c, unless it is only a segment of its record.
func whole(c *schemas.Capture, err error) (*schemas.Capture, error) {
	if err == nil && c.HasFlag(schemas.FlagSegment) {
		return nil, errSegment
	}
	return c, err
}

// isOf reports whether c, which is at the place of d, is its capture. Otherwise the archive was written again.
func isOf(c *schemas.Capture, d *schemas.Document) bool {
	return c.URL == d.URL && (d.RecordID == "" || c.RecordID == d.RecordID)
}

// Close ends the archive, and logs how many records were copied or are missing.
func (w *cutter) Close() error {
	w.closeArchive()
	if err := w.captures.Close(); err != nil {
		return err
	}
	slog.Info(fmt.Sprintf("%d records copied as they are, %d compressed, %d written anew from captures",
		w.copied, w.packed, w.written))
	if w.parts > 0 {
		slog.Info(fmt.Sprintf("%d of these are parts that pages need to be replayed", w.parts))
	}
	for _, name := range slices.Sorted(maps.Keys(w.missing)) {
		slog.Warn(fmt.Sprintf("%s: %d records are missing: %v; --archives names the folders and buckets that archives "+
			"are in", schemas.Printable(name), w.missing[name], w.why[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(w.changed)) {
		slog.Warn(fmt.Sprintf("%s: %d records are damaged or truncated, and were not when the archive was read",
			schemas.Printable(name), w.changed[name]))
	}
	return nil
}

// Lost reports whether records are missing, or damaged since the archive was read.
func (w *cutter) Lost() bool { return len(w.missing)+len(w.changed) > 0 }

// create is a sink of one file: the answer.
type create struct{ io.Writer }

// Create returns the answer.
func (c create) Create(string) (dump.Output, error) { return c, nil }

// Close does nothing.
func (create) Close() error { return nil }

// Abort does nothing.
func (create) Abort() {}
