package corpora

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// Named is a value with its number of documents, and the bytes of their texts.
type Named struct {
	Name      string `json:"name"`
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"`
}

// Ranking describes the values of a column: their number, and the most frequent ones.
type Ranking struct {
	Distinct int64   `json:"distinct"`
	Top      []Named `json:"top"` // at most topNames; equally frequent ones are sorted by name
	// Sizes are values by their number of documents: element i counts numbers from 2^i to below twice that.
	Sizes []int64 `json:"sizes"`
}

const (
	topNames  = 20
	heldNames = 1 << 14 // values that are summed up in memory before sorting
)

// sums adds up documents by value, on disk if memory does not suffice.
type sums struct {
	held   map[string]Named
	sorter *extsort.Sorter
}

func newSums(s *extsort.Sorter) *sums { return &sums{held: map[string]Named{}, sorter: s} }

func (s *sums) add(name string, documents, size int64) error {
	x, ok := s.held[name]
	if !ok && len(s.held) == heldNames {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if !ok {
		name = strings.Clone(name) // it may be part of a row
	}
	s.held[name] = Named{name, x.Documents + documents, x.Bytes + size}
	return nil
}

// spill moves the sums in memory to the sorter.
func (s *sums) spill() error {
	for name, x := range s.held {
		value := binary.BigEndian.AppendUint64(nil, uint64(x.Documents))
		if err := s.sorter.Add([]byte(name), binary.BigEndian.AppendUint64(value, uint64(x.Bytes))); err != nil {
			return err
		}
	}
	clear(s.held)
	return nil
}

// each calls do with each value and its sums, sorted. It may be called once.
func (s *sums) each(do func(Named)) error {
	if err := s.spill(); err != nil {
		return err
	}
	var last []byte
	var x Named
	err := s.sorter.Merge(func(key, value []byte) error {
		if last == nil || !bytes.Equal(key, last) {
			if last != nil {
				do(x)
			}
			last, x = append(last[:0], key...), Named{Name: string(key)}
			if last == nil {
				last = []byte{} // the empty value is valid
			}
		}
		x.Documents += int64(binary.BigEndian.Uint64(value))
		x.Bytes += int64(binary.BigEndian.Uint64(value[8:]))
		return nil
	})
	if err == nil && last != nil {
		do(x)
	}
	return err
}

func (s *sums) ranking() (r Ranking, err error) {
	r.Top, r.Sizes = []Named{}, []int64{}
	err = s.each(func(x Named) {
		r.Distinct++
		r.Sizes = addLog2(r.Sizes, x.Documents)
		if len(r.Top) == topNames && x.Documents <= r.Top[topNames-1].Documents {
			return
		}
		// Values come sorted, so equal ones stay in order.
		at, _ := slices.BinarySearchFunc(r.Top, x, func(a, b Named) int {
			return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Name, b.Name))
		})
		r.Top = slices.Insert(r.Top, at, x)
		r.Top = r.Top[:min(len(r.Top), topNames)]
	})
	return r, err
}
