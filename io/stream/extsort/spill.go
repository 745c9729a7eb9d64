package extsort

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/s2"
)

// leastFanIn is the least number of runs that are merged at once.
const leastFanIn = 64

// cursorBytes is the memory that reading a run takes, beside its longest record: two buffers of a block, and some
// others.
const cursorBytes = 200 << 10

// blockBytes is the size of a compressed block of a run. Reading a run takes a few times that memory.
const blockBytes = 64 << 10

// run is a sorted part of the temporary file. A run of level n was merged from fanIn runs of level n-1.
type run struct {
	offset, length int64
	level          int
}

// spill is the temporary file: runs one after the other, in the order of their records' arrival.
type spill struct {
	dir     string
	memory  int // of the sorter
	longest int // bytes of a record
	file    *os.File
	name    string // while the file has to be removed
	size    int64
	runs    []run
	enc     *s2.Writer

	block []byte // uncompressed records of a run
}

// fanIn returns how many runs a quarter of the sorter's memory can read at once. Merging them in levels would write
// each record again for each level.
func (s *spill) fanIn() int { return max(leastFanIn, s.memory/4/(cursorBytes+s.longest)) }

// write appends a run of the records that fill adds. Then it merges full levels upwards, as digits are carried.
func (s *spill) write(fill func(add func(key, value []byte) error) error) error {
	if err := s.append(0, fill); err != nil {
		return err
	}
	for {
		first := s.sameLevel()
		if len(s.runs)-first < s.fanIn() {
			return nil
		}
		// The last runs have one level, and there are enough of them.
		last := s.runs[first:]
		err := s.append(last[0].level+1, func(add func(key, value []byte) error) error { return s.merge(last, add) })
		if err != nil {
			return err
		}
		// Only the entry is removed. The bytes of merged runs stay in the file and are not reused, so each record is
		// written once for each level.
		s.runs[first] = s.runs[len(s.runs)-1]
		s.runs = s.runs[:first+1]
	}
}

// sameLevel returns the index of the first of the last runs with one level.
func (s *spill) sameLevel() int {
	first := len(s.runs) - 1
	for first > 0 && s.runs[first-1].level == s.runs[len(s.runs)-1].level {
		first--
	}
	return first
}

// append writes one run: for each record the lengths of key and value as uvarints and their bytes, compressed.
func (s *spill) append(level int, fill func(add func(key, value []byte) error) error) error {
	if err := s.open(); err != nil {
		return err
	}
	// Writes at an offset, because a merge reads the same file at the same time.
	out := &offsetWriter{file: s.file, offset: s.size}
	s.enc.Reset(out)
	flush := func() error {
		err := s.enc.EncodeBuffer(s.block)
		s.block = s.block[:0]
		return err
	}
	// Lengths come first, so that a record is read without a search.
	err := fill(func(key, value []byte) (err error) {
		// Blocks hold whole records, unless one is longer.
		if n := 2*binary.MaxVarintLen32 + len(key) + len(value); len(s.block) > 0 && len(s.block)+n > blockBytes {
			err = flush()
		}
		s.block = binary.AppendUvarint(s.block, uint64(len(key)))
		s.block = binary.AppendUvarint(s.block, uint64(len(value)))
		s.block = append(append(s.block, key...), value...)
		s.longest = max(s.longest, len(key)+len(value))
		return err
	})
	if err = errors.Join(err, flush(), s.enc.Close()); err != nil {
		return err
	}
	s.runs = append(s.runs, run{s.size, out.offset - s.size, level})
	s.size = out.offset
	return nil
}

func (s *spill) open() error {
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp(s.dir, "gleaner-sort-*.tmp")
	if err != nil {
		return err
	}
	s.file, s.name = f, f.Name()
	if os.Remove(s.name) == nil { // fails where an open file cannot be removed: then close does it
		s.name = ""
	}
	// One encoder for all runs, and without goroutines of its own.
	s.enc = s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(blockBytes))
	return nil
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	s.file, s.runs = nil, nil
	return err
}

// merge emits the records of runs in order, those with equal keys in the order of the runs.
func (s *spill) merge(runs []run, emit func(key, value []byte) error) error {
	var h cursors
	// An empty run has no cursor.
	for i, r := range runs {
		c := newCursor(s.file, r, i)
		switch err := c.next(); {
		case err == nil:
			h = append(h, c)
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	heap.Init(&h)
	// The cursor with the smallest key is emitted and advances; the heap moves the next one to the front.
	for len(h) > 0 {
		c := h[0]
		if err := emit(c.key, c.value); err != nil {
			return err
		}
		switch err := c.next(); {
		case err == nil:
			// Cheaper than Pop and Push.
			heap.Fix(&h, 0)
		case errors.Is(err, io.EOF):
			heap.Pop(&h)
		default:
			return err
		}
	}
	return nil
}

// cursor reads a run.
type cursor struct {
	in         *bufio.Reader
	order      int
	buf        []byte
	key, value []byte // of the current record, valid until next
	prefix     uint64 // of the key
}

func newCursor(f *os.File, r run, order int) *cursor {
	dec := s2.NewReader(io.NewSectionReader(f, r.offset, r.length), s2.ReaderMaxBlockSize(blockBytes))
	return &cursor{in: bufio.NewReader(dec), order: order}
}

// next reads the next record. It returns io.EOF after the last.
func (c *cursor) next() error {
	keyLen, err := binary.ReadUvarint(c.in)
	// An io.EOF here is the run's end.
	if err != nil {
		return err // io.EOF only between records
	}
	valueLen, err := binary.ReadUvarint(c.in)
	if err != nil {
		return fmt.Errorf("temporary file: %w", noEOF(err))
	}
	n := int(keyLen + valueLen) // lengths that we wrote
	// The buffer grows to the largest record of the run.
	if cap(c.buf) < n {
		c.buf = make([]byte, n)
	}
	c.buf = c.buf[:n]
	if _, err := io.ReadFull(c.in, c.buf); err != nil {
		return fmt.Errorf("temporary file: %w", noEOF(err))
	}
	c.key, c.value = c.buf[:keyLen], c.buf[keyLen:]
	c.prefix = Prefix(c.key)
	return nil
}

// noEOF changes io.EOF: within a record the end of the file is damage, and must not look like the end of the run.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cursors is a heap of the runs with remaining records, the smallest first.
type cursors []*cursor

func (h cursors) Len() int { return len(h) }
func (h cursors) Less(i, j int) bool {
	if h[i].prefix != h[j].prefix {
		return h[i].prefix < h[j].prefix
	}
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	// Equal keys in the order of the runs are in the order of arrival, which makes the sort stable.
	return h[i].order < h[j].order
}
func (h cursors) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *cursors) Push(x any)   { *h = append(*h, x.(*cursor)) }
func (h *cursors) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// offsetWriter appends to a file from an offset on, independently of its reading position.
type offsetWriter struct {
	file   *os.File
	offset int64
}

func (w *offsetWriter) Write(p []byte) (int, error) {
	n, err := w.file.WriteAt(p, w.offset)
	w.offset += int64(n)
	return n, err
}
