package jsonl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"
)

// spanBytes is the minimum of compressed bytes in a stretch. So a file of a million tiny frames, which anybody may
// send, has an outline of a few hundred entries.
const spanBytes = 64 << 10

// Outline has the positions of rows in a file of JSON lines, so that a row is found without reading all rows before it.
// It takes at most 24 bytes of memory for each 64 KiB, and is safe for concurrent use.
//
// A zstd file from Writer has frames of 4 MiB of JSON, and each can be decompressed alone. Other files are one stretch:
// the lines before a row are read, but not parsed.
type Outline struct {
	spans []span
	rows  int64
}

// span is a stretch of the file that can be decompressed alone.
type span struct {
	at, bytes int64 // in the file
	first     int64 // row
}

// NewOutline reads a file once.
func NewOutline(r io.ReaderAt, size int64) (*Outline, error) {
	o := &Outline{}
	for _, s := range spansOf(r, size) {
		s.first = o.rows
		in, err := NewReader(io.NewSectionReader(r, s.at, s.bytes))
		if err != nil {
			return nil, err
		}
		// Counted with Next, so that an empty line is not a row here either.
		for _, err := range in.All() {
			if err != nil {
				return nil, err
			}
			o.rows++
		}
		o.spans = append(o.spans, s)
	}
	return o, nil
}

// Rows returns the number of rows in the file.
func (o *Outline) Rows() int64 { return o.rows }

// Each calls do with each of the given rows, which must be sorted. r is the file of the outline. The line is valid
// until do returns. A row beyond the end gives io.ErrUnexpectedEOF.
func (o *Outline) Each(r io.ReaderAt, rows []int64, do func(row int64, line []byte) error) error {
	for len(rows) > 0 {
		// The last stretch that begins at or before the row.
		i := sort.Search(len(o.spans), func(i int) bool { return o.spans[i].first > rows[0] }) - 1
		if i < 0 || rows[0] >= o.rows {
			return fmt.Errorf("jsonl: row %d of %d: %w", rows[0], o.rows, io.ErrUnexpectedEOF)
		}
		end := o.rows
		if i+1 < len(o.spans) {
			end = o.spans[i+1].first
		}
		n, _ := slices.BinarySearchFunc(rows, end, cmp.Compare)
		if err := o.spans[i].each(r, rows[:n], do); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// each is Outline.Each for rows of one stretch.
func (s span) each(r io.ReaderAt, rows []int64, do func(row int64, line []byte) error) error {
	in, err := NewReader(io.NewSectionReader(r, s.at, s.bytes))
	if err != nil {
		return err
	}
	for row := s.first; len(rows) > 0; row++ {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // the file has become shorter
		}
		if err != nil {
			return err
		}
		// A row may be requested twice.
		for ; len(rows) > 0 && rows[0] == row; rows = rows[1:] {
			if err := do(row, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// spansOf splits a file at its frames: RFC 8878, section 3.1. Other formats, and the rest after damage, are one
// stretch, and reading it reports the problem.
func spansOf(r io.ReaderAt, size int64) (list []span) {
	in := bufio.NewReaderSize(io.NewSectionReader(r, 0, size), spanBytes)
	begin, at := int64(0), int64(0)
	for at < size {
		n, ok := skipFrame(in)
		if !ok {
			break
		}
		if at += n; at-begin >= spanBytes {
			list = append(list, span{at: begin, bytes: at - begin})
			begin = at
		}
	}
	if begin < size {
		list = append(list, span{at: begin, bytes: size - begin})
	}
	return list
}

// skipFrame skips a frame, and returns its number of bytes.
func skipFrame(in *bufio.Reader) (n int64, ok bool) {
	// Peek's error does not matter at the end of the file: Decode reports whether the header is complete.
	head, _ := in.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if err := h.Decode(head); err != nil || !bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return 0, false
	}
	pass := func(bytes int) bool {
		n += int64(bytes)
		_, err := in.Discard(bytes)
		return err == nil
	}
	if !pass(h.HeaderSize) {
		return 0, false
	}
	for last := false; !last; {
		b, err := in.Peek(3)
		if err != nil {
			return 0, false
		}
		// 1 bit for the last block, 2 bits for its type, 21 bits for its length.
		block := binary.LittleEndian.Uint32(append(b[:3:3], 0))
		length := int(block >> 3)
		if block>>1&3 == 1 {
			length = 1 // one byte, to be repeated that often
		}
		if last = block&1 == 1; !pass(3 + length) {
			return 0, false
		}
	}
	return n, !h.HasCheckSum || pass(4)
}
