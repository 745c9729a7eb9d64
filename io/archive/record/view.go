package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// Record is one archive record. The reader has only one, which it fills again and again: it and its slices are valid
// until the reader's next call. Clone it to keep it.
type Record struct {
	Head    Head
	Block   []byte // at most Options.MaxBlock bytes of it
	Size    int64  // bytes of the whole block
	Flags   []schemas.Flag
	Quirks  []string
	Offset  int64 // of the member it begins in, or of the record itself in an uncompressed file
	Length  int64 // bytes from Offset to its end in the file; 0 when it shares its member with other records
	Ordinal int   // of the records that begin in the same member, from 0

	from *Reader
	// of the block: decoded bytes after the beginning of its member, or of the record in an uncompressed file
	blockAt int64
	headAt  int64 // of the head, likewise
	http    httpmsg.Message
	parsed  bool // http holds what Block begins with
}

// HTTP returns the HTTP response or request in the block, parsed on the first call, or nil if the block is not one. Its
// Body is a part of Block: the payload with its transfer and content codings, which httpmsg.Decode undoes.
func (r *Record) HTTP() *httpmsg.Message {
	if !r.parsed {
		r.parsed = true
		r.http.HasHead = false
		if r.from.g.IsHTTP(&r.Head, r.Block) {
			r.parseHTTP()
		}
	}
	if !r.http.HasHead {
		return nil
	}
	return &r.http
}

// parseHTTP parses the block into http. Nearly all are responses, which no request line begins like.
func (r *Record) parseHTTP() {
	if !bytes.HasPrefix(r.Block, []byte("HTTP/")) {
		r.http.ParseRequest(r.Block, httpmsg.Options{})
	}
	if !r.http.HasHead {
		r.http.Parse(r.Block, httpmsg.Options{})
	}
}

// Payload returns the block after the HTTP head, or the whole block when it is not an HTTP message, as far as Block
// holds it.
func (r *Record) Payload() []byte {
	if m := r.HTTP(); m != nil {
		return m.Body
	}
	return r.Block
}

// PayloadSize returns how many bytes the payload has, also where Block does not hold it all.
func (r *Record) PayloadSize() int64 { return r.Size - int64(len(r.Block)-len(r.Payload())) }

// MaySpanRecords reports whether the stated length may cover several records: a length that is wrong by whole records
// also ends at a record's end. It is true if records in the block lead to its end or beyond it, and neither HTTP nor
// the member confirms that end. A payload that is an archive looks the same, so it is doubted too.
//
// Reading does not check this, because the check costs as much as reading. It would not change the block's end either:
// a page may show records, which must not become captures.
func (r *Record) MaySpanRecords() bool {
	b := r.Block
	if int64(len(b)) < r.Size || !r.from.plain && r.Length > 0 {
		return false
	}
	for at, shown := 1, 0; shown < maxShown; shown++ {
		i := r.from.index(b, at, true)
		if i < 0 {
			return false
		}
		end, complete := r.from.follow(b, i, len(b))
		// A record that leads beyond the block, or nowhere, is not part of an archive in it: its own length may be wrong.
		if leadsTo(b, end, len(b)) || complete && (end < 0 || end > len(b)) {
			return !r.endsAsHTTPSays()
		}
		at = max(i+1, end)
	}
	return false
}

func (r *Record) endsAsHTTPSays() bool {
	m := r.HTTP()
	if m == nil {
		return false
	}
	n, _ := httpmsg.BodyLength(m)
	return n == int64(len(m.Body))
}

// Clone returns a copy that stays valid.
func (r *Record) Clone() *Record {
	c := *r
	c.Head = Head{
		Length: r.Head.Length, Line: bytes.Clone(r.Head.Line), Fields: slices.Clone(r.Head.Fields),
		Quirks: slices.Clone(r.Head.Quirks), Damaged: r.Head.Damaged,
	}
	for i, f := range c.Head.Fields {
		c.Head.Fields[i] = Field{bytes.Clone(f.Name), bytes.Clone(f.Value)}
	}
	c.Block, c.Flags, c.Quirks = bytes.Clone(r.Block), slices.Clone(r.Flags), slices.Clone(r.Quirks)
	c.http, c.parsed = httpmsg.Message{}, false
	return &c
}

// Open returns the whole block, even if Block holds only a part. The rest is then read from the archive, which must
// still be open. A compressed block is decoded again from its beginning. A read ends with io.ErrUnexpectedEOF when the
// archive holds less than Size bytes now. It is valid as long as the record is. The caller closes it.
func (r *Record) Open() (io.ReadCloser, error) {
	if int64(len(r.Block)) == r.Size {
		return io.NopCloser(bytes.NewReader(r.Block)), nil
	}
	from := r.from
	if from.plain {
		at := r.Offset + r.blockAt + int64(len(r.Block))
		return io.NopCloser(&plainBlock{kept: r.Block, src: from.src, at: at, end: r.Offset + r.blockAt + r.Size}), nil
	}
	rng := member.Range{Start: r.Offset, End: from.rng.Size, Size: from.rng.Size}
	m, err := member.NewReader(from.src, rng, from.kind, member.Options{IsHead: from.isHead, NextPlain: from.nextPlain})
	if err != nil {
		return nil, err
	}
	b := &blockReader{w: window{src: m, ahead: maxStep}, left: r.blockAt}
	if _, err := io.Copy(io.Discard, b); err != nil {
		return nil, fmt.Errorf("record at byte %d: %w", r.Offset, err)
	}
	b.left = r.Size
	return io.NopCloser(b), nil
}

// plainBlock reads a block of an uncompressed file straight into the caller's memory.
type plainBlock struct {
	kept    []byte // its beginning, as far as it is in memory and was not read yet
	src     io.ReaderAt
	at, end int64 // bytes from the file's start; the kept bytes end at at
}

func (b *plainBlock) Read(p []byte) (int, error) {
	if len(b.kept) > 0 {
		n := copy(p, b.kept)
		b.kept = b.kept[n:]
		return n, nil
	}
	if b.at == b.end {
		return 0, io.EOF
	}
	n, err := b.src.ReadAt(p[:min(int64(len(p)), b.end-b.at)], b.at)
	b.at += int64(n)
	switch {
	case n > 0 || err == nil:
		return n, nil
	case err == io.EOF:
		return 0, io.ErrUnexpectedEOF
	}
	return 0, fmt.Errorf("reading at byte %d: %w", b.at, err)
}

// blockReader reads left decoded bytes, over as many members as they take.
type blockReader struct {
	w    window
	left int64
}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	data := b.w.fill(1)
	switch {
	case b.w.fail != nil:
		return 0, b.w.fail
	case len(data) == 0:
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(p, data[:min(int64(len(data)), b.left)])
	b.w.advance(n)
	b.left -= int64(n)
	for len(b.w.segs) > 1 && b.w.segs[0].to <= b.w.pos {
		b.w.segs = b.w.segs[1:]
	}
	return n, nil
}
