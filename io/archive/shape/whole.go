package shape

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
	"github.com/gleaner-web/gleaner/schemas"
)

// WholeReader reads a file that is one capture, plain or compressed with zlib.
type WholeReader struct {
	account
	format Whole
	src    *source
	done   bool
}

// NewWholeReader returns a reader of src, which is read from its start to its end whatever the input's range.
func NewWholeReader(src io.ReaderAt, in Input, f Whole, o Options) *WholeReader {
	if in.ReadFile == nil {
		in.ReadFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	}
	if in.Kept == nil {
		in.Kept = new(Kept)
	}
	return &WholeReader{account: account{in: in, o: o}, format: f, src: &source{src: src, end: in.Size}}
}

// file is what the format is given: the content, and ways to the other files. Errors of these are the file system's.
func (r *WholeReader) file(content []byte) File {
	limit := r.o.maxBlock()
	f := File{Path: r.in.Name, Bytes: content[:min(limit, int64(len(content)))], Cut: int64(len(content)) > limit, Reject: r.lost, kept: r.in.Kept}
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
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrLimit) {
		r.src.err = fmt.Errorf("%s: %w", path, err)
	}
}

// Next returns the capture, which is the caller's to keep, and then io.EOF. A file that cannot be read is rejected.
// Another error is the file system's own.
func (r *WholeReader) Next() (*schemas.Capture, error) {
	if r.done {
		return nil, io.EOF
	}
	r.done = true
	content, damage := r.content()
	if r.src.err != nil {
		return nil, r.src.err
	}
	r.counts.BytesRead = r.in.Size
	f := r.file(content)
	c, quirks, err := r.format.Capture(f, r.o.payload())
	if r.src.err != nil {
		return nil, r.src.err
	}
	if err != nil {
		r.refuse(err, damage, f.Cut)
		return nil, io.EOF
	}
	if c == nil {
		r.captured(nil, quirks)
		return nil, io.EOF
	}
	c.Origin = schemas.Origin{File: r.in.Name, Length: r.in.Size}
	if damage != nil {
		c.AddFlag(schemas.FlagInflate)
	}
	r.captured(c, quirks)
	return c, nil
}

// refuse rejects the file.
func (r *WholeReader) refuse(err, damage error, cut bool) {
	l := schemas.Reject{Length: r.in.Size, Lost: r.in.Size, Kind: kindOf(err), Message: err.Error()}
	switch {
	case damage != nil:
		l.Kind, l.Message = schemas.KindInflate, fmt.Sprintf("%v, behind damage: %v", err, damage)
	case cut:
		l.Kind = schemas.KindLimit
	case errors.Is(err, io.ErrUnexpectedEOF):
		l.Kind = schemas.KindTruncated
	}
	r.lost(l)
}

// content returns the file's content, decompressed, at most one byte more than a block may have, and what is wrong with
// its compression.
func (r *WholeReader) content() (content []byte, damage error) {
	in := bufio.NewReaderSize(r.src, headBytes)
	head, _ := in.Peek(headBytes) // an error comes again with the first read
	limit := r.o.maxBlock() + 1
	if !IsZlib(head) {
		content, damage = readUpTo(in, make([]byte, 0, min(limit, r.in.Size+1)), limit)
		return content, damage
	}
	return readUpTo(inflate.NewReader(in, inflate.Zlib), make([]byte, 0, min(limit, 4*r.in.Size+1)), limit)
}

// readUpTo appends what r holds to b, until b is limit long.
func readUpTo(r io.Reader, b []byte, limit int64) ([]byte, error) {
	for int64(len(b)) < limit {
		if len(b) == cap(b) {
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

// maxBlock is how much of a file is kept: a body, in Base64 or escaped, and what stands around it.
func (o Options) maxBlock() int64 { return int64(maxLine(o.maxBody())) }

// Arrived returns the file's size.
func (r *WholeReader) Arrived() int64 { return r.in.Size }

// Close does nothing; the source is the caller's.
func (r *WholeReader) Close() {}
