// Package extsort sorts keyed records of which there may be more than fit in memory: what the writers of capture
// indexes and of Parquet files share. Keys are compared byte by byte; records with equal keys keep their order.
//
// Records are gathered in memory up to a limit, sorted, and spilled as a run to one temporary file, which is removed
// from its folder as soon as it is open where the system allows that, so that even a killed process leaves nothing
// behind. Runs are merged in one pass, or in several when there are very many.
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

// Options bound a sorter; the zero value takes the defaults.
type Options struct {
	MemoryBytes int    // of records held in memory, with what it takes to hold them; 16 MiB
	TempDir     string // for the temporary file; the system's own
}

func (o Options) withDefaults() Options {
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 16<<20)
	return o
}

// entryBytes is what a record takes besides its bytes: a slice header, its lengths and its prefix.
const entryBytes = 48

// chunkBytes is how much memory is asked for at a time; a longer record gets a chunk of its own.
const chunkBytes = 256 << 10

// ErrMerged is returned by Add after Merge, and by a second Merge.
var ErrMerged = errors.New("extsort: already merged or closed")

// entry is one record in memory: its key, then its value.
type entry struct {
	prefix uint64 // the key's first bytes, which decide nearly always, without a look elsewhere in memory
	bytes  []byte
	keyLen int32
	order  int32 // of arrival
}

// prefixOf orders keys as their bytes do, as far as it goes: shorter ones are filled up with zeros.
func prefixOf(key []byte) uint64 {
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
	o       Options
	entries []entry
	chunk   []byte   // room for the next records
	chunks  [][]byte // in use, of the usual size
	free    [][]byte // to be used again
	used    int      // bytes of memory
	spill   spill
	done    bool
}

// New returns a sorter. It must be closed, unless nothing was added.
func New(o Options) *Sorter {
	o = o.withDefaults()
	return &Sorter{o: o, spill: spill{dir: o.TempDir}}
}

// Add adds a record; key and value are copied.
func (s *Sorter) Add(key, value []byte) error {
	if s.done {
		return ErrMerged
	}
	n := len(key) + len(value)
	if len(s.entries) > 0 && s.used+n+entryBytes > s.o.MemoryBytes {
		if err := s.spillEntries(); err != nil {
			return err
		}
	}
	if n > cap(s.chunk)-len(s.chunk) {
		s.chunk = s.newChunk(n)
	}
	start := len(s.chunk)
	s.chunk = append(append(s.chunk, key...), value...)
	s.entries = append(s.entries, entry{
		prefixOf(key), s.chunk[start:len(s.chunk):len(s.chunk)], int32(len(key)), int32(len(s.entries)),
	})
	s.used += n + entryBytes
	return nil
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
	s.chunks = append(s.chunks, c)
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
	if len(s.spill.runs) == 0 {
		s.sort()
		for _, e := range s.entries {
			if err := emit(e.key(), e.value()); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.spillEntries(); err != nil {
		return err
	}
	s.entries, s.chunks, s.free = nil, nil, nil // memory that emit may need
	return s.spill.merge(s.spill.runs, emit)
}

// Close drops all records and removes the temporary file. It may be called more than once.
func (s *Sorter) Close() error {
	s.done = true
	s.entries, s.chunk, s.chunks, s.free = nil, nil, nil, nil
	return s.spill.close()
}

// sort sorts the records in memory.
func (s *Sorter) sort() {
	slices.SortFunc(s.entries, func(a, b entry) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return cmp.Or(bytes.Compare(a.key(), b.key()), cmp.Compare(a.order, b.order))
	})
}

// spillEntries writes the records in memory as a run.
func (s *Sorter) spillEntries() error {
	s.sort()
	err := s.spill.write(func(add func(key, value []byte) error) error {
		for _, e := range s.entries {
			if err := add(e.key(), e.value()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("extsort: %w", err)
	}
	clear(s.entries) // so that the chunks of long records go
	s.entries, s.chunk, s.used = s.entries[:0], nil, 0
	s.free = append(s.free, s.chunks...)
	s.chunks = s.chunks[:0]
	return nil
}
