package zipnum

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// stepBytes is how much of a block is decoded before its lines are compared.
const stepBytes = 64 << 10

// scan is a search in a block that is decoded only as far as needed. Half of a block is what a search needs of it on
// average, and decoding is nearly all of its cost. The checksum is compared if the block is read to its end.
type scan struct {
	d    inflate.Decoder
	raw  []byte // the compressed block
	text []byte // decoded so far
	src  []byte // rest of the stream, and the member's end
	o    Options
	key  []byte // of the .idx line
	last []byte // the line before
	at   int    // end of the lines that were seen
	done bool

	member int // start of the member in text
}

// scans have buffers of a block, which are worth keeping.
var scans = sync.Pool{New: func() any { return new(scan) }}

// begin prepares the search.
func (s *scan) begin(key []byte, o Options) error {
	start, err := memberStart(s.raw)
	if err != nil {
		return err
	}
	s.d.Reset()
	s.src, s.text, s.last, s.at, s.member, s.done = s.raw[start:], s.text[:0], nil, 0, 0, false
	s.key, s.o = key, o
	return nil
}

// next returns the next line, or io.EOF after the last. The bytes are valid until the next call.
func (s *scan) next() ([]byte, error) {
	for {
		if end := bytes.IndexByte(s.text[s.at:], '\n'); end >= 0 {
			line := bytes.TrimSuffix(s.text[s.at:s.at+end], []byte("\r"))
			s.at += end + 1
			return s.check(line)
		}
		if rest := s.text[s.at:]; s.done && len(rest) > 0 {
			s.at = len(s.text)
			return s.check(bytes.TrimSuffix(rest, []byte("\r")))
		}
		if len(s.text)-s.at > s.o.MaxLine {
			return nil, fmt.Errorf("%w: line of more than %d bytes at byte %d of the decoded block", ErrLimit, s.o.MaxLine,
				s.at)
		}
		if s.done {
			return nil, io.EOF
		}
		if err := s.more(); err != nil {
			return nil, err
		}
	}
}

// check compares a line with the one before it, or with the .idx file.
func (s *scan) check(line []byte) ([]byte, error) {
	if s.last == nil && !bytes.HasPrefix(line, s.key) {
		return nil, fmt.Errorf("%w: it begins with %.80q, and the .idx file says %.80q", ErrBlock, line, s.key)
	}
	if s.last != nil && isBefore(line, s.last) {
		return nil, fmt.Errorf("%w: %.80q after %.80q", ErrOrder, line, s.last)
	}
	s.last = line
	return line, nil
}

// more decodes another step.
func (s *scan) more() error {
	n := len(s.text)
	if n > s.o.MaxBlock {
		return fmt.Errorf("%w: more than %d bytes decoded", ErrLimit, s.o.MaxBlock)
	}
	if cap(s.text)-n < stepBytes {
		// The old text keeps its lines, of which last is one.
		s.text = append(make([]byte, 0, 2*n+2*stepBytes), s.text...)
	}
	out, used, err := s.d.Decode(s.text[:n:n+stepBytes], s.src)
	s.text, s.src = s.text[:len(out)], s.src[used:] // out has the same memory
	switch {
	case errors.Is(err, io.EOF):
		return s.end()
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBlock, err)
	case used == 0 && len(s.text) == n:
		return fmt.Errorf("%w: %w", ErrBlock, io.ErrUnexpectedEOF)
	}
	return nil
}

// end compares the checksum and the length of a member.
func (s *scan) end() error {
	if len(s.src) < 8 {
		return fmt.Errorf("%w: %w", ErrBlock, io.ErrUnexpectedEOF)
	}
	if crc32.ChecksumIEEE(s.text[s.member:]) != binary.LittleEndian.Uint32(s.src) ||
		uint32(len(s.text)-s.member) != binary.LittleEndian.Uint32(s.src[4:]) {
		return fmt.Errorf("%w: %w", ErrBlock, inflate.ErrChecksum)
	}
	// Another member may follow in the same block.
	if s.src = s.src[8:]; len(s.src) > 0 {
		start, err := memberStart(s.src)
		s.src, s.member = s.src[start:], len(s.text)
		s.d.Reset()
		return err
	}
	s.done = true
	if len(s.text) == 0 {
		return fmt.Errorf("%w: no line", ErrBlock)
	}
	return nil
}

// scanBlock yields the lines of a block from key begin on and before key end, or to the last if end is empty. The
// result stopped means that the caller wants no more, or that the range has ended.
func (x *Index) scanBlock(i int, begin, end []byte, yield func([]byte, error) bool) (stopped bool, err error) {
	s := scans.Get().(*scan)
	defer scans.Put(s)
	if s.raw, err = x.Raw(i, s.raw[:0]); err != nil {
		return true, err
	}
	if err := s.begin(x.table.key(i), x.o); err != nil {
		return true, x.at(i, err)
	}
	for {
		line, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return true, x.at(i, err)
		case len(end) > 0 && bytes.Compare(line, end) >= 0:
			return true, nil
		case bytes.Compare(line, begin) >= 0 && !yield(line, nil):
			return true, nil
		}
	}
}

// at adds the part and the offset of a block to an error.
func (x *Index) at(i int, err error) error {
	k := x.table.block(i)
	return fmt.Errorf("%s: block at %d: %w", x.parts[k.Part].name, k.Offset, err)
}
