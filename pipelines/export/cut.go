package export

import (
	"bufio"
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
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// cutter writes the records of the answers, cut out of the archives that they are in.
//
// A record that has a gzip member for itself is copied as it is. One of an uncompressed WARC file is compressed. What
// is stored otherwise (several records a member, zstd, ARC, what crawlers write) is read as a capture and written as
// ingest's convert would, and so is all of a WACZ file.
type cutter struct {
	ctx    context.Context
	store  *blob.Store
	places places
	out    io.Writer
	// One writer for the whole answer: a WACZ file ends with an index of all that was written.
	captures dump.Writer

	// Set also when the archive could not be opened: then file is nil, and why says the reason.
	name   string // of the archive that is open
	file   blob.Object
	format archive.Format

	copied, packed, written int64
	// Bounded by the number of archives, of which a collection has few, and not by that of records.
	missing map[string]int64 // records that could not be had, by archives
	why     map[string]error // of the first of each
}

// newCutter returns a cutter. Nothing of an archive is read before it is asked for.
func newCutter(ctx context.Context, e Exporter, out io.Writer) *cutter {
	w := &cutter{
		ctx: ctx, store: e.Store, places: places{bases: e.Archives}, out: out,
		missing: map[string]int64{}, why: map[string]error{},
	}
	// The folder of the run makes relative names of archives whole: they were relative to where ingest was started.
	if asked, err := holdings.ReadAsked(e.DB.Folder()); err == nil { // else names are as good as they are
		w.places.dir = asked.Dir
	}
	// One file, however large: the answer is one file.
	o := dump.WriteOptions{Compress: dump.On, MaxFileBytes: math.MaxInt64}
	// In both cases the writer closes what create gives it, which does nothing: the caller owns out.
	if e.Format == FormatWACZ {
		w.captures = wacz.NewWriter(create{out}, o)
	} else {
		w.captures = warc.NewWriter(create{out}, o)
	}
	return w
}

// Columns are what says where a record is, and which.
func (w *cutter) Columns() []string {
	return []string{"url", "filename", "offset", "length", "sequence", "record_id", "record_type"}
}

// errNotThere is a record that is not where the document says: the archive is another now.
var errNotThere = errors.New("the record is not there: was the archive changed?")

// errSegment is the first segment of a record, which is not the whole.
var errSegment = errors.New("the record is written in segments, which are not put together here")

// Write writes the record of a document. One that cannot be had is counted by its archive.
func (w *cutter) Write(d *schemas.Document) error {
	// A cancelled question is no loss: it must not be counted against the archives.
	if err := w.ctx.Err(); err != nil {
		return err
	}
	err := w.open(d.Filename)
	if err == nil {
		err = w.cut(d)
	}
	// The output is broken, for this record as for all others. An archive's error, on the other hand, costs its own
	// records only.
	if failed := (*writeError)(nil); errors.As(err, &failed) {
		return failed.err
	}
	if err != nil {
		w.missing[d.Filename]++
		// The first reason is enough: others of the same archive are mostly the same.
		if w.why[d.Filename] == nil {
			w.why[d.Filename] = err
		}
	}
	// Asked again: what was cancelled while the record was read has failed for that reason.
	return w.ctx.Err()
}

// writeError is an error of the output, which ends the answer, where others cost a record.
type writeError struct{ err error }

// Error is that of the output.
func (e *writeError) Error() string { return e.err.Error() }

// open opens the archive of that name, wherever it is now.
func (w *cutter) open(name string) error {
	// Answers come by time or by SURT, often many of one archive after each other: it is opened once for these. One
	// that could not be opened is not tried again until another came between.
	if w.name == name {
		if w.file == nil {
			return w.why[name]
		}
		return nil
	}
	// One archive is open at a time, whatever the number of those that the answer is in.
	w.closeArchive()
	w.name = name
	list, first := w.places.of(name)
	for _, place := range list {
		file, err := w.openFile(place)
		if err == nil {
			// By its bytes too: a name says little after an archive was moved.
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
	return first
}

// openFile opens an archive. A pipe or a device, which a collection may name as well, would be read without end.
func (w *cutter) openFile(place string) (blob.Object, error) {
	if !blob.IsRemote(place) {
		info, err := os.Stat(schemas.PathOf(place))
		if err != nil {
			return nil, err
		}
		// Stat follows links, so a link to a pipe is found as well.
		if !info.Mode().IsRegular() {
			return nil, errNotRegular
		}
	}
	return w.store.Open(w.ctx, place)
}

func (w *cutter) closeArchive() {
	if w.file != nil {
		_ = w.file.Close() // it was read only
		w.file = nil
	}
}

// cut writes the record of d from the archive that is open.
func (w *cutter) cut(d *schemas.Document) error {
	// Only a record that begins at its offset can be copied: those with a sequence are parts of another record.
	// A WACZ file is written from captures alone, since its index is made of them.
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
	// Segments are told apart here too: a record that is not copied, as of zstd, has not gone through oneRecord.
	if c.HasFlag(schemas.FlagSegment) {
		return errSegment
	}
	if err := w.captures.Write(c); err != nil {
		// The writer could not take this one capture and has written nothing of it: the answer goes on.
		if errors.Is(err, dump.ErrRefused) {
			return err
		}
		return &writeError{err}
	}
	w.written++
	return nil
}

// asItIs copies the bytes of a WARC record, and reports whether it could: they must be one record and no more.
// Where it cannot, without an error, the record is read as a capture instead: that takes more time and keeps less of
// its head.
func (w *cutter) asItIs(d *schemas.Document) (done bool, err error) {
	var magic [2]byte
	if _, err := w.file.ReadAt(magic[:], d.Offset); err != nil {
		return false, errNotThere
	}
	// Length is the document's word: a reader of a section ends at it, and at the end of the file.
	bytes := func() *io.SectionReader { return io.NewSectionReader(w.file, d.Offset, d.Length) }
	if magic == [2]byte{0x1f, 0x8b} { // section 2.3.1 of RFC 1952
		in := bufio.NewReader(bytes())
		z, err := gzip.NewReader(in)
		if err != nil {
			return false, nil // damaged: reading it as a capture makes the best of it
		}
		// One member only: what follows it would be other records.
		z.Multistream(false)
		// A member of a hostile archive may be very long, but it is only counted, and never held.
		one, err := oneRecord(z, d)
		// Peek finds whether the length reaches into the next member. It has to end where the member ends.
		if _, more := in.Peek(1); !one || err != nil || more != io.EOF {
			return false, err
		}
		if _, err := io.Copy(w.out, bytes()); err != nil {
			return false, &writeError{err}
		}
		w.copied++
		return true, nil
	}
	// A second reader is made for copying: the first has been read to its end.
	one, err := oneRecord(bytes(), d)
	if !one || err != nil {
		return false, err
	}
	// Annex D of WARC/1.1: each record is a member of its own, so the answer can be cut in the same way.
	z := gzip.NewWriter(w.out)
	_, err = io.Copy(z, bytes())
	if err = errors.Join(err, z.Close()); err != nil {
		return false, &writeError{err}
	}
	w.packed++
	return true, nil
}

// capture reads the record of d as a capture.
func (w *cutter) capture(d *schemas.Document) (*schemas.Capture, error) {
	// Start and End bound where records may begin, and not where they end: exactly one begins there, or the reader
	// finds the next.
	in := archive.Input{Name: w.name, Size: w.file.Size(), Start: d.Offset, End: d.Offset + 1}
	if d.Offset >= in.Size {
		return nil, errNotThere
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
		// Only the record at this very place counts, whatever else the reader gives.
		if c == nil || c.Origin.Offset != d.Offset || c.Origin.Sequence != d.Sequence {
			continue
		}
		// The same place with another page: an archive of the same name that was written again.
		if c.URL != d.URL || d.RecordID != "" && c.RecordID != d.RecordID {
			return nil, errNotThere
		}
		return c, nil
	}
}

// Close ends the archive that is written, and says what was copied and what is missing.
func (w *cutter) Close() error {
	// The last archive is open still.
	w.closeArchive()
	if err := w.captures.Close(); err != nil {
		return err
	}
	slog.Info(fmt.Sprintf("%d records copied as they are, %d compressed, %d written anew from captures",
		w.copied, w.packed, w.written))
	for _, name := range slices.Sorted(maps.Keys(w.missing)) {
		slog.Warn(fmt.Sprintf("%s: %d records are missing: %v; --archives names the folders and buckets that archives "+
			"are in", schemas.Printable(name), w.missing[name], w.why[name]))
	}
	return nil
}

// Lost reports whether records are missing.
func (w *cutter) Lost() bool { return len(w.missing) > 0 }

// create is a sink of one file: what a writer of archives begins goes to the answer, whatever it calls it.
type create struct{ io.Writer }

// Create returns the answer.
func (c create) Create(string) (dump.Output, error) { return c, nil }

// Close leaves it to its owner.
func (create) Close() error { return nil }

// Abort likewise.
func (create) Abort() {}
