// Package extsort sorts keyed records, which may exceed the memory. The writers of capture indexes and of Parquet files
// use it. Keys are compared byte by byte; records with equal keys keep their order.
//
// Records are collected in memory up to a limit, sorted, and written as a run to one temporary file. Where the system
// allows, the open file is removed from its folder at once, so that even a killed process leaves nothing. After the
// first run one half of the memory is sorted and written while the other one is filled. Runs are merged in one pass, or
// in several when there are very many.
//
//	s := extsort.New(extsort.Options{TempDir: dir})
//	defer s.Close()
//	err := s.Add(key, value)
//	err = s.Merge(func(key, value []byte) error { … })
package extsort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Options limit a sorter. The zero value takes the defaults.
type Options struct {
	MemoryBytes int    // of records in memory, including their overhead; 16 MiB
	TempDir     string // for the temporary file; the system's own
}

func (o Options) withDefaults() Options {
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 16<<20)
	return o
}

// entryBytes is the overhead of a record: a slice header, its lengths and its prefix.
const entryBytes = 48

// chunkBytes is the size of one allocation. A longer record gets its own chunk.
const chunkBytes = 256 << 10

// ErrMerged is returned by Add after Merge, and by a second Merge.
var ErrMerged = errors.New("extsort: already merged or closed")

// entry is one record in memory: its key, then its value.
type entry struct {
	prefix uint64 // first bytes of the key, which mostly decide without another memory access
	bytes  []byte
	keyLen int32
	order  int32 // of arrival
}

// Prefix returns a number for a key. If the numbers of two keys differ, they order the keys; otherwise the rest of the
// keys decides. Short keys are padded with zeros.
func Prefix(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

func (e entry) key() []byte   { return e.bytes[:e.keyLen] }
func (e entry) value() []byte { return e.bytes[e.keyLen:] }

// Sorter sorts records. It is not safe for concurrent use.
type Sorter struct {
	o      Options
	now    batch
	chunk  []byte     // room for the next records
	free   [][]byte   // chunks for reuse
	idle   []entry    // likewise
	used   int        // bytes of memory
	behind chan batch // returns the batch that a goroutine writes; nil when there is none
	err    error      // of writing
	spill  spill
	done   bool
}

// batch is a set of records that are written together.
type batch struct {
	entries []entry
	chunks  [][]byte // of the usual size
	err     error    // of writing them
}

// New returns a sorter. It must be closed, unless nothing was added.
func New(o Options) *Sorter {
	o = o.withDefaults()
	return &Sorter{o: o, spill: spill{dir: o.TempDir, memory: o.MemoryBytes}}
}

// Add adds a record. It copies key and value.
func (s *Sorter) Add(key, value []byte) error {
	if s.done {
		return ErrMerged
	}
	n := len(key) + len(value)
	if len(s.now.entries) > 0 && s.used+n+entryBytes > s.limit() {
		if err := s.turn(); err != nil {
			return err
		}
	}
	if n > cap(s.chunk)-len(s.chunk) {
		s.chunk = s.newChunk(n)
	}
	start := len(s.chunk)
	s.chunk = append(append(s.chunk, key...), value...)
	s.now.entries = append(s.now.entries, entry{
		Prefix(key), s.chunk[start:len(s.chunk):len(s.chunk)], int32(len(key)), int32(len(s.now.entries)),
	})
	s.used += n + entryBytes
	return nil
}

// limit returns the limit of the memory to fill: all of it, and half of it after the first run.
func (s *Sorter) limit() int {
	if s.spill.file == nil {
		return s.o.MemoryBytes
	}
	return s.o.MemoryBytes / 2
}

// newChunk returns an empty chunk with room for n bytes.
func (s *Sorter) newChunk(n int) []byte {
	if n > chunkBytes {
		return make([]byte, 0, n)
	}
	var c []byte
	if last := len(s.free) - 1; last >= 0 {
		c, s.free = s.free[last], s.free[:last]
	} else {
		c = make([]byte, 0, chunkBytes)
	}
	s.now.chunks = append(s.now.chunks, c)
	return c
}

// Merge calls emit with each record in order and then closes the sorter. The bytes are valid until emit returns. An
// error of emit ends it.
func (s *Sorter) Merge(emit func(key, value []byte) error) error {
	if s.done {
		return ErrMerged
	}
	err := s.merge(emit)
	return errors.Join(err, s.Close())
}

func (s *Sorter) merge(emit func(key, value []byte) error) error {
	if s.spill.file == nil {
		s.now.sort()
		for _, e := range s.now.entries {
			if err := emit(e.key(), e.value()); err != nil {
				return err
			}
		}
		return nil
	}
	// The last batch is also written, and waited for.
	if err := errors.Join(s.turn(), s.settle()); err != nil {
		return err
	}
	s.now, s.idle, s.free = batch{}, nil, nil // memory that emit may need
	return s.spill.merge(s.spill.runs, emit)
}

// Close drops all records and removes the temporary file. It may be called more than once.
func (s *Sorter) Close() error {
	s.done = true
	_ = s.settle() // Merge has reported it; without Merge nobody needs the records
	s.now, s.chunk, s.idle, s.free = batch{}, nil, nil, nil
	return s.spill.close()
}

// sort sorts the records in memory.
func (b *batch) sort() { sortFrom(b.entries, 0) }

// For fewer records, or deeper in their keys, comparing the rest of two keys is cheaper than dividing them.
const (
	fewEntries = 32
	deepBytes  = 128
)

// sortFrom sorts records whose keys are equal before an offset, where their prefixes start. It divides by one byte of
// the prefix after the other, then by the next prefix, so that only nearly equal keys are compared. It is McIlroy,
// Bostic and McIlroy's American flag sort (1993), which needs no extra memory.
func sortFrom(list []entry, at int) { sortByte(list, at, 56) }

// sortByte is sortFrom for records that are also equal in the bits of their prefixes above the byte at shift.
func sortByte(list []entry, at, shift int) {
	if len(list) < fewEntries || at >= deepBytes {
		slices.SortFunc(list, func(a, b entry) int {
			if a.prefix != b.prefix {
				return cmp.Compare(a.prefix, b.prefix)
			}
			return cmp.Or(bytes.Compare(a.key()[at:], b.key()[at:]), cmp.Compare(a.order, b.order))
		})
		return
	}
	var starts, ends, next [256]int32
	for {
		if shift < 0 {
			sortOn(list, at+8)
			return
		}
		for i := range list {
			ends[byte(list[i].prefix>>shift)]++
		}
		// A byte that is equal in all records divides nothing.
		if all := &ends[byte(list[0].prefix>>shift)]; int(*all) == len(list) {
			*all, shift = 0, shift-8
			continue
		}
		break
	}
	sum := int32(0)
	for i, n := range ends {
		starts[i], next[i] = sum, sum
		sum += n
		ends[i] = sum
	}
	// A record at the next place of a byte is swapped with the one at the next place of its own byte. This ends when
	// each place has a record of its byte.
	for i := range next {
		for next[i] < ends[i] {
			e := &list[next[i]]
			to := byte(e.prefix >> shift)
			*e, list[next[to]] = list[next[to]], *e
			next[to]++
		}
	}
	for i := range starts {
		if n := ends[i] - starts[i]; n > 1 {
			sortByte(list[starts[i]:ends[i]], at, shift-8)
		}
	}
}

// sortOn sorts records with equal prefixes by the rest of their keys after an offset. A key that ends before it has
// zeros in its prefix, and so may a longer one.
func sortOn(list []entry, at int) {
	short := 0
	for i := range list {
		if int(list[i].keyLen) <= at {
			list[i], list[short] = list[short], list[i]
			short++
		}
	}
	slices.SortFunc(list[:short], func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.keyLen, b.keyLen), cmp.Compare(a.order, b.order))
	})
	list = list[short:]
	for i := range list {
		list[i].prefix = Prefix(list[i].key()[at:])
	}
	sortFrom(list, at)
}

// turn starts a goroutine that writes the records in memory as a run, after the previous batch is written.
func (s *Sorter) turn() error {
	first := s.spill.file == nil
	// Opened here, so that the caller of Add learns at once if the folder is not writable.
	if err := errors.Join(s.settle(), s.spill.open()); err != nil {
		return err
	}
	s.behind = make(chan batch, 1)
	go func(b batch, done chan<- batch) {
		b.err = b.write(&s.spill)
		done <- b
	}(s.now, s.behind)
	s.now, s.chunk, s.used = batch{entries: s.idle}, nil, 0
	s.idle = nil
	if first {
		// The first run had all memory. From now on only a half is filled.
		err := s.settle()
		s.idle = nil
		return err
	}
	return nil
}

// settle waits until the batch is written, and takes back its memory. An error stays.
func (s *Sorter) settle() error {
	if s.behind != nil {
		b := <-s.behind
		s.behind, s.err = nil, errors.Join(s.err, b.err)
		s.idle, s.free = b.entries, append(s.free, b.chunks...)
	}
	return s.err
}

// write writes the records as a run.
func (b *batch) write(to *spill) error {
	b.sort()
	err := to.write(func(add func(key, value []byte) error) error {
		for _, e := range b.entries {
			if err := add(e.key(), e.value()); err != nil {
				return err
			}
		}
		return nil
	})
	clear(b.entries) // releases the chunks of long records
	b.entries = b.entries[:0]
	if err != nil {
		return fmt.Errorf("extsort: %w", err)
	}
	return nil
}
