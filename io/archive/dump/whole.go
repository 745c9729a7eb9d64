package dump

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
	"github.com/gleaner-web/gleaner/schemas"
)

// WholeReader reads a file that is one capture, plain or compressed with zlib.
type WholeReader struct {
	account
	format Whole
	src    *source
	done   bool
	parts  func() (Part, bool) // of a file that lists others, once it is known to be one; or nil
	stop   func()              // ends them
}

// NewWholeReader returns a reader of src, which is read from its start to its end whatever the input's range.
func NewWholeReader(src io.ReaderAt, in Input, f Whole, o Options) *WholeReader {
	// So formats need not test for nil: a store of which nothing is known has no other files.
	if in.ReadFile == nil {
		in.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	}
	if in.Kept == nil {
		in.Kept = new(Kept)
	}
	return &WholeReader{account: account{in: in, o: o}, format: f, src: &source{src: src, end: in.Size}}
}

// file is what the format is given: the content, and ways to the other files. Errors of these are the file system's.
// The limit is compared with one byte more than it, which content has read for this.
func (r *WholeReader) file(content []byte) File {
	limit := r.o.maxBlock()
	size := int64(len(content))
	f := File{Path: r.in.Name, Bytes: content[:min(limit, size)], Cut: size > limit, kept: r.in.Kept}
	f.ReadFile = func(path string) ([]byte, error) {
		b, err := r.in.ReadFile(path)
		r.neighbor(path, err)
		return b, err
	}
	if r.in.Exists != nil {
		f.Exists = func(path string) (bool, error) {
			ok, err := r.in.Exists(path)
			r.neighbor(path, err)
			return ok, err
		}
	}
	return f
}

// neighbor keeps an error of the file system that another file gave.
func (r *WholeReader) neighbor(path string, err error) {
	// That a neighbor is missing or too long is the format's business, and no failure.
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrLimit) {
		r.src.err = fmt.Errorf("%s: %w", path, err)
	}
}

// Next returns the capture, or the error of the file, or the faults of its parts, and then io.EOF. Another error is the
// file system's own, and final.
func (r *WholeReader) Next() (Item, error) {
	if r.parts != nil {
		return r.part()
	}
	if r.done {
		return Item{}, io.EOF
	}
	r.done = true
	content, damage := r.content()
	if r.src.err != nil {
		return Item{}, r.src.err
	}
	r.counts.BytesRead = r.in.Size
	f := r.file(content)
	c, quirks, err := r.format.Capture(f, r.o.payload())
	switch {
	// A neighbor may have failed while the format read: its answer is then worth nothing.
	case r.src.err != nil:
		return Item{}, r.src.err
	case err != nil:
		return r.refuse(err, damage, f.Cut), nil
	case c != nil:
		c.Origin = schemas.Origin{File: r.in.Name, Length: r.in.Size}
		// The part before the damage is kept, and says that it is not whole.
		if damage != nil {
			c.AddFlag(schemas.FlagInflate)
		}
		r.captured(c, quirks)
		return Item{Capture: c}, nil
	}
	r.captured(nil, quirks)
	// Only files that were neither a capture nor an error have parts.
	if l, ok := r.format.(Listing); ok {
		r.parts, r.stop = iter.Pull(l.Parts(f))
		return r.part()
	}
	return Item{}, io.EOF
}

// part returns the next fault of a part of the file.
func (r *WholeReader) part() (Item, error) {
	for {
		p, ok := r.parts()
		switch {
		case r.src.err != nil:
			return Item{}, r.src.err
		case !ok:
			return Item{}, io.EOF
		case p.Reject != nil:
			return r.lost(*p.Reject), nil
		}
		// A part with a quirk alone is counted and gives no item.
		schemas.Count(&r.counts.ByQuirk, p.Quirk, 1)
	}
}

// refuse rejects the file.
func (r *WholeReader) refuse(err, damage error, cut bool) Item {
	l := schemas.Reject{Length: r.in.Size, Lost: r.in.Size, Kind: kindOf(err), Message: err.Error()}
	switch {
	case damage != nil:
		l.Kind, l.Message = schemas.KindInflate, fmt.Sprintf("%v, behind damage: %v", err, damage)
	case cut:
		l.Kind = schemas.KindLimit
	case errors.Is(err, io.ErrUnexpectedEOF):
		l.Kind = schemas.KindTruncated
	}
	return r.lost(l)
}

// content returns the file's decompressed content, at most one byte more than a block may have, and the fault of its
// compression.
func (r *WholeReader) content() (content []byte, damage error) {
	in := bufio.NewReaderSize(r.src, headBytes)
	head, _ := in.Peek(headBytes) // an error comes again with the first read
	limit := r.o.maxBlock() + 1
	if !IsZlib(head) {
		// With one byte more than the file has, the last read finds the end without growing the buffer.
		content, damage = readUpTo(in, make([]byte, 0, min(limit, r.in.Size+1)), limit)
		return content, damage
	}
	// Pages compress to about a fourth; for larger ones the buffer grows.
	return readUpTo(inflate.NewReader(in, inflate.Zlib), make([]byte, 0, min(limit, 4*r.in.Size+1)), limit)
}

// readUpTo appends what r holds to b, until b is limit long.
func readUpTo(r io.Reader, b []byte, limit int64) ([]byte, error) {
	for int64(len(b)) < limit {
		if len(b) == cap(b) {
			// append grows the array, and the byte is taken back.
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):min(int64(cap(b)), limit)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// maxBlock is how much of a file is kept: a body, in Base64 or escaped, and what surrounds it.
func (o Options) maxBlock() int64 { return int64(maxLine(o.maxBody())) }

// NextStart returns the file's size.
func (r *WholeReader) NextStart() int64 { return r.in.Size }

// Close ends the reading; the source is the caller's.
func (r *WholeReader) Close() {
	if r.stop != nil {
		r.stop()
	}
}
