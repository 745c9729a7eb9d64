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
	parts  func() (Part, bool) // of a Listing file; nil before
	stop   func()              // ends parts
}

// NewWholeReader returns a reader of src. It reads the whole file whatever the input's range.
func NewWholeReader(src io.ReaderAt, in Input, f Whole, o Options) *WholeReader {
	// Set, so that formats need no test for nil.
	if in.ReadFile == nil {
		in.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	}
	if in.Kept == nil {
		in.Kept = new(Kept)
	}
	return &WholeReader{account: account{in: in, o: o}, format: f, src: &source{src: src, end: in.Size}}
}

// file returns the format's input. content has one byte more than the limit if it exceeds it.
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

// neighbor keeps a file system's error of another file.
func (r *WholeReader) neighbor(path string, err error) {
	// Formats handle missing and too large neighbors.
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrLimit) {
		r.src.err = fmt.Errorf("%s: %w", path, err)
	}
}

// Next returns the capture, or the reject of the file, or the faults of its parts, and then io.EOF. Other errors are
// the file system's, and final.
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
	// If a neighbor failed, the format's result is useless.
	case r.src.err != nil:
		return Item{}, r.src.err
	case err != nil:
		return r.refuse(err, damage, f.Cut), nil
	case c != nil:
		c.Origin = schemas.Origin{File: r.in.Name, Length: r.in.Size}
		// The part before the damage is kept, and flagged.
		if damage != nil {
			c.AddFlag(schemas.FlagInflate)
		}
		r.captured(c, quirks)
		return Item{Capture: c}, nil
	}
	r.captured(nil, quirks)
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
		// A part with only a quirk gives no item.
		schemas.Count(&r.counts.ByQuirk, p.Quirk, 1)
	}
}

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

// content returns the file's decompressed content, at most one byte more than maxBlock, and any fault of its
// compression.
func (r *WholeReader) content() (content []byte, damage error) {
	in := bufio.NewReaderSize(r.src, headBytes)
	head, _ := in.Peek(headBytes) // an error comes again with the first read
	limit := r.o.maxBlock() + 1
	if !IsZlib(head) {
		// One byte more than the file's size lets the last read find the end without growing the buffer.
		content, damage = readUpTo(in, make([]byte, 0, min(limit, r.in.Size+1)), limit)
		return content, damage
	}
	// Pages compress to about a fourth; otherwise the buffer grows.
	return readUpTo(inflate.NewReader(in, inflate.Zlib), make([]byte, 0, min(limit, 4*r.in.Size+1)), limit)
}

// readUpTo appends the content of r to b, until b has limit bytes.
func readUpTo(r io.Reader, b []byte, limit int64) ([]byte, error) {
	for int64(len(b)) < limit {
		if len(b) == cap(b) {
			// append grows the array; its byte is dropped.
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

// maxBlock is the maximum size of a file: a body, in Base64 or escaped, and what surrounds it.
func (o Options) maxBlock() int64 { return int64(maxLine(o.maxBody())) }

// NextStart returns the file's size.
func (r *WholeReader) NextStart() int64 { return r.in.Size }

// Close ends the reading; the caller closes the source.
func (r *WholeReader) Close() {
	if r.stop != nil {
		r.stop()
	}
}
