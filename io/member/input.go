package member

import (
	"bufio"
	"fmt"
	"io"
)

// input is a buffered reader over a ReaderAt that knows its position. It reads the file in blocks, so that going back
// a little, which damage asks for again and again, reads nothing twice.
type input struct {
	src   io.ReaderAt
	next  int64 // position of the first byte not yet in br
	size  int64
	fail  error // an error of the file, other than its end
	block []byte
	at    int64 // of block, bytes from the file's start
	br    *bufio.Reader
}

const (
	// readBlock is large enough for a disk's read-ahead and a range request.
	readBlock = 128 << 10
	// readBuffer is what a look at one candidate start costs, so it is small: hostile files have many.
	readBuffer = 4 << 10
)

func newInput(src io.ReaderAt, start, size int64) *input {
	in := &input{src: src, next: start, size: size}
	in.br = bufio.NewReaderSize(in, readBuffer)
	return in
}

// Read reads on from the block, or past it when p is larger than one.
func (in *input) Read(p []byte) (int, error) {
	if in.next >= in.size {
		return 0, io.EOF
	}
	if in.next < in.at || in.next >= in.at+int64(len(in.block)) {
		if len(p) >= readBlock {
			n, err := in.readAt(p)
			in.next += int64(n)
			return n, err
		}
		if err := in.load(); err != nil {
			return 0, err
		}
	}
	n := copy(p, in.block[in.next-in.at:])
	in.next += int64(n)
	return n, nil
}

// load reads the block that begins at the position.
func (in *input) load() error {
	if in.block == nil {
		in.block = make([]byte, 0, min(readBlock, in.size))
	}
	in.block = in.block[:0]
	n, err := in.readAt(in.block[:cap(in.block)])
	in.block, in.at = in.block[:n], in.next
	return err
}

// readAt reads at the position. It returns an error only when it has read nothing.
func (in *input) readAt(p []byte) (int, error) {
	n, err := in.src.ReadAt(p[:min(int64(len(p)), in.size-in.next)], in.next)
	switch {
	case n > 0:
		return n, nil
	case err != nil && err != io.EOF:
		in.fail = fmt.Errorf("reading at byte %d: %w", in.next, err)
		return 0, in.fail
	}
	return 0, io.EOF
}

func (in *input) pos() int64 { return in.next - int64(in.br.Buffered()) }

func (in *input) err() error { return in.fail }

func (in *input) seek(off int64) {
	in.next = off
	in.br.Reset(in)
}

// skip goes n bytes on, past the file's end if need be.
func (in *input) skip(n int) {
	if n <= in.br.Buffered() {
		_, _ = in.br.Discard(n) // what is buffered can always be had
		return
	}
	in.seek(in.pos() + int64(n))
}
