package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Builder collects the contents of a table.
type Builder struct {
	Places []Place
	keys   map[uint64]*content
}

// content is what a key stands for.
type content struct {
	flags uint8
	name  *Name
}

// Add adds flags, and a name if it is not nil, to a key. Flags of several calls add up; of several names the last
// counts.
func (b *Builder) Add(key uint64, flags uint8, name *Name) {
	if b.keys == nil {
		b.keys = map[uint64]*content{}
	}
	c := b.keys[key]
	if c == nil {
		c = &content{}
		b.keys[key] = c
	}
	c.flags |= flags
	if name != nil {
		c.flags, c.name = c.flags|isName, name
	}
}

// sections are the parts of a file that depend on names.
type sections struct {
	buckets, firsts, keys, shapes, candidates, forms, masks []byte

	formOf map[string]uint16
	maskOf map[uint64]uint16
}

// Bytes returns the file. The same places and names give the same bytes.
func (b *Builder) Bytes() ([]byte, error) {
	s := sections{formOf: map[string]uint16{}, maskOf: map[uint64]uint16{}}
	hashes := slices.Sorted(maps.Keys(b.keys))
	for bucket, i := 0, 0; bucket < 1<<bucketBits; bucket++ {
		s.begin()
		for ; i < len(hashes); i++ {
			of, key := place(hashes[i])
			if of != bucket {
				break
			}
			if i > 0 && hashes[i-1]>>(32-bucketBits) == hashes[i]>>(32-bucketBits) {
				return nil, fmt.Errorf("table: the hashes %#x and %#x have one key", hashes[i-1], hashes[i])
			}
			s.keys = binary.LittleEndian.AppendUint32(s.keys, key)
			s.add(b.keys[hashes[i]])
		}
	}
	s.begin() // the end of the last bucket
	if len(s.formOf) > 1<<16 || len(s.maskOf) > 1<<16-1 {
		return nil, errors.New("table: too many forms or masks")
	}
	out := []byte(magic)
	for _, n := range []int{
		len(s.keys) / 4, len(s.candidates) / 2, len(s.forms) / formSize, len(s.masks) / 8, len(b.Places),
	} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	out = slices.Concat(out, s.buckets, s.firsts, s.keys, s.shapes, s.candidates, s.forms, s.masks)
	for _, p := range b.Places {
		out = p.append(out)
	}
	return out, nil
}

// begin notes where a bucket begins.
func (s *sections) begin() {
	s.buckets = binary.LittleEndian.AppendUint32(s.buckets, uint32(len(s.keys)/4))
	s.firsts = binary.LittleEndian.AppendUint32(s.firsts, uint32(len(s.candidates)/2))
}

// add adds the content of the next key.
func (s *sections) add(c *content) {
	n := Name{}
	if c.name != nil {
		n = *c.name
	}
	form := []byte{c.flags, uint8(len(n.Candidates)), n.Primary, 0}
	form = binary.LittleEndian.AppendUint16(form, s.mask(n.Word))
	form = binary.LittleEndian.AppendUint16(form, s.mask(n.Native))
	number, known := s.formOf[string(form)]
	if !known {
		number = uint16(len(s.formOf))
		s.formOf[string(form)] = number
		s.forms = append(s.forms, form...)
	}
	s.shapes = binary.LittleEndian.AppendUint16(s.shapes, number)
	for _, candidate := range n.Candidates {
		s.candidates = binary.LittleEndian.AppendUint16(s.candidates, candidate)
	}
}

// mask returns the number of a mask. Masks repeat, so each is stored once.
func (s *sections) mask(m uint64) uint16 {
	i, known := s.maskOf[m]
	if !known {
		i = uint16(len(s.maskOf))
		s.maskOf[m] = i
		s.masks = binary.LittleEndian.AppendUint64(s.masks, m)
	}
	return i
}

func (p Place) append(out []byte) []byte {
	out = binary.LittleEndian.AppendUint32(out, p.ID)
	out = binary.LittleEndian.AppendUint32(out, p.Population)
	out = binary.LittleEndian.AppendUint16(out, p.Parent)
	capital := byte(0)
	if p.Capital {
		capital = 1
	}
	return append(out, p.Kind, capital, p.Country[0], p.Country[1], 0, 0)
}
