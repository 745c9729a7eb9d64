package corpora

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// Named is how many documents have a value, and how many bytes of text these have.
type Named struct {
	Name      string `json:"name"`
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"`
}

// Ranking is the values of a column: how many there are, and those that most documents have.
type Ranking struct {
	Distinct int64   `json:"distinct"`
	Top      []Named `json:"top"` // at most topNames; names that as many documents have in their order
	// Sizes are values by their documents: at i those of 2^i documents or more and less than twice that.
	Sizes []int64 `json:"sizes"`
}

const (
	topNames  = 20
	heldNames = 1 << 14 // values that are added up in memory before they are sorted
)

// sums adds up documents by a value, of which there may be more than memory has room for.
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
		name = strings.Clone(name) // it may be a part of a row
	}
	s.held[name] = Named{name, x.Documents + documents, x.Bytes + size}
	return nil
}

// spill gives what is held to the sorter, which puts the parts of one value after each other.
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

// each calls do with each value and its sums, sorted. It is called once.
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
				last = []byte{} // the empty value is one
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
		// Values come in their order: of equal ones the first stays before the second.
		at, _ := slices.BinarySearchFunc(r.Top, x, func(a, b Named) int {
			return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Name, b.Name))
		})
		r.Top = slices.Insert(r.Top, at, x)
		r.Top = r.Top[:min(len(r.Top), topNames)]
	})
	return r, err
}
