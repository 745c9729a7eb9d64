package warc

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	// defaultFileBytes is the size at which a file is full: what Annex C of WARC/1.1 advises, a gigabyte.
	defaultFileBytes = 1e9
	// maxSeen bounds the payloads that are remembered for revisits, some 200 bytes each.
	maxSeen = 1 << 20
)

// Writer writes captures as WARC/1.1, or 1.0: files that begin with a warcinfo record, with a gzip member or a zstd
// frame for each record. It is a [dump.Writer]; see [NewWriter].
type Writer struct {
	dump.Losses
	sink    dump.Sink
	o       dump.WriteOptions
	pack    packer
	out     dump.Output // nil between files
	name    string      // of the file being written
	size    int64       // of it so far
	info    string      // record id of its warcinfo
	begun   time.Time   // date of its warcinfo; zero when it is not known
	source  source
	files   int    // that were begun
	written int    // records of captures
	kind    string // of file, between the number and the compression in its name
	key     string // names the one file that is written, in place of its name; "" for files with names
	seen    map[string]original
	record  bytes.Buffer
	place   Place
}

// Place is where in which file a record was written.
type Place struct {
	File           string             // its name in the sink
	Offset, Length int64              // of the member or frame, bytes
	Type           schemas.RecordType // as written, which may be another than the capture's
	Digest         string             // of the payload as written, or that a revisit refers to
	Status         int                // of the HTTP message as written; 0 for none
}

// NewWriter returns a writer of WARC files. It takes these options:
//
//   - Compress: each record is a gzip member (the default), or with Zstd a frame
//   - WARC10, Revisits and Stamp
//   - StatusLine: an unknown status is written as 200, not as "000 Unknown"
//   - MaxFileBytes: 1,000,000,000 by default; the record that goes beyond is a file's last
//
// A capture's Block is written as it is. Without one, the body is written decoded, and the header is adapted to it, as
// in Common Crawl. Content-Encoding, Transfer-Encoding and a wrong Content-Length get X-Crawler- before their names. A
// capture of an http URL without an HTTP head is not a response, but a resource.
func NewWriter(s dump.Sink, o dump.WriteOptions) *Writer {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultFileBytes)
	return &Writer{sink: s, o: o, pack: newPacker(o), kind: ".warc", seen: map[string]original{}}
}

// Write writes the capture's record.
func (w *Writer) Write(c *schemas.Capture) error {
	if c.URL == "" {
		return fmt.Errorf("warc: %w: its URL is not known", dump.ErrRefused)
	}
	if err := w.ready(c.Timestamp, identity{string(c.RecordType), c.RecordID, c.URL}); err != nil {
		return err
	}
	r := w.recordOf(c)
	// head makes the whole record, which flush then writes.
	w.head(r, c)
	if err := w.flush(); err != nil {
		return err
	}
	// After flush, because only written records can be referred to.
	w.place.Type, w.place.Digest, w.place.Status = r.kind, r.digest, r.status
	w.remember(r, c)
	w.note(c, r)
	return nil
}

// Last is where the record stands that was written last.
func (w *Writer) Last() Place { return w.place }

// Close ends the file.
func (w *Writer) Close() error {
	// Twice is not a mistake: the second call finds nothing.
	if w.out == nil {
		return nil
	}
	out := w.out
	// Out of the field first: whatever Close says, the file is not to be closed again.
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("warc: %w", err)
	}
	return nil
}

// Abort drops the file that is being written.
func (w *Writer) Abort() {
	if w.out != nil {
		w.out.Abort()
		w.out = nil
	}
}

// identity is what tells a record, with its date, from others. It is zero where the name or the key of the file does.
type identity struct{ kind, id, url string }

// ready sees that there is a file with room for a record of that date. If it begins one, first is the record in it.
func (w *Writer) ready(date time.Time, first identity) error {
	// Looked at before a record, so that the one that goes beyond is the last and no record is split.
	if w.out != nil && w.size > w.o.MaxFileBytes {
		if err := w.Close(); err != nil {
			return err
		}
	}
	if w.out != nil {
		return nil
	}
	return w.open(date, first)
}

// open begins a file with its warcinfo record. Without a Stamp that has the date of the record after it, or of an
// earlier one, so that equal input makes equal bytes.
func (w *Writer) open(date time.Time, first identity) error {
	// In the name, so that runs at different times do not write over each other's files.
	stamp := ""
	if !w.o.Stamp.IsZero() {
		stamp = w.o.Stamp.UTC().Format("20060102150405-")
	}
	name := fmt.Sprintf("gleaner-%s%05d%s%s", stamp, w.files, w.kind, w.pack.suffix)
	out, err := w.sink.Create(name)
	if err != nil {
		return fmt.Errorf("warc: %w", err)
	}
	w.out, w.name, w.size = out, name, 0
	w.files++
	// Made of the name, the time of writing and the first record. The same run gives the same id, and units have files
	// of the same names.
	parts := []string{"warcinfo", cmp.Or(w.key, name), w.stamp().String()}
	if first != (identity{}) {
		parts = append(parts, w.version(), first.kind, first.id, first.url, w.date(date))
	}
	w.info = recordID(parts...)
	block := fmt.Sprintf("software: Gleaner\r\nformat: WARC File Format %s\r\nconformsTo: %s\r\n", w.version(),
		conformsTo[w.o.WARC10])
	w.line("WARC/" + w.version())
	w.field("WARC-Type", "warcinfo")
	w.field("WARC-Record-ID", "<"+w.info+">")
	if hasDate(date) {
		w.begun = date
	}
	if !w.o.Stamp.IsZero() {
		w.begun = w.o.Stamp
	}
	w.field("WARC-Date", w.date(w.begun))
	if w.key == "" {
		w.field("WARC-Filename", name)
	}
	w.field("Content-Type", "application/warc-fields")
	w.block("", []byte(block))
	return w.flush()
}

// conformsTo is where the two versions are described.
var conformsTo = map[bool]string{
	true:  "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf",
	false: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
}

func (w *Writer) version() string {
	if w.o.WARC10 {
		return "1.0"
	}
	return "1.1"
}

// stamp is the time of writing, 1970 when it is not known.
func (w *Writer) stamp() time.Time {
	if w.o.Stamp.IsZero() {
		return time.Unix(0, 0).UTC()
	}
	return w.o.Stamp.UTC()
}

// flush writes the record that was made.
func (w *Writer) flush() error {
	b, err := w.pack.bytes(w.record.Bytes())
	if err == nil {
		_, err = w.out.Write(b)
	}
	// Reset also on failure: the rest of this record must not begin the next one.
	w.record.Reset()
	if err != nil {
		// Half a record in the file would damage all that follow, so it is dropped as a whole.
		w.Abort()
		return fmt.Errorf("warc: %w", err)
	}
	w.place = Place{File: w.name, Offset: w.size, Length: int64(len(b))}
	w.size += int64(len(b))
	return nil
}

// packer compresses records, each by itself.
type packer struct {
	suffix string
	gzip   *gzip.Writer  // or
	zstd   *zstd.Encoder // or neither
	buf    *bytes.Buffer
}

// One encoder for the whole file, used for one record at a time.
func newPacker(o dump.WriteOptions) packer {
	switch {
	case !o.Compress.Or(true):
		return packer{}
	case o.Zstd:
		// Frames with their size and a checksum, as the IIPC's "WARC zstd" asks. The options are sound, so there is no error.
		// One goroutine: records are small, and several writers run side by side.
		enc, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
		return packer{suffix: ".zst", zstd: enc, buf: &bytes.Buffer{}}
	}
	return packer{suffix: ".gz", gzip: gzip.NewWriter(io.Discard), buf: &bytes.Buffer{}}
}

// bytes returns the record as it is written. They are valid until the next call.
func (p packer) bytes(record []byte) ([]byte, error) {
	switch {
	case p.zstd != nil:
		// EncodeAll appends to the slice, which keeps its capacity from call to call.
		b := p.zstd.EncodeAll(record, p.buf.Bytes()[:0])
		*p.buf = *bytes.NewBuffer(b)
		return b, nil
	case p.gzip == nil:
		return record, nil
	}
	p.buf.Reset()
	p.gzip.Reset(p.buf)
	p.gzip.ModTime = time.Unix(0, 0) // "not known" of RFC 1952, which the zero time is not for this package
	if _, err := p.gzip.Write(record); err != nil {
		return nil, err
	}
	if err := p.gzip.Close(); err != nil {
		return nil, err
	}
	return p.buf.Bytes(), nil
}
