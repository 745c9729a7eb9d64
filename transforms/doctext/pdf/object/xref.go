package object

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
)

// Readers traditionally look for startxref in the last 1,024 bytes; mail and web servers append more.
const (
	// tail is the length of the file's end in which startxref is searched.
	tail = 2048
	// maxSections bounds the chain of cross-reference sections, one for each change of the file.
	maxSections = 4096
	// maxNumber is the highest number that an object may have (Annex C).
	maxNumber = 8388607
)

var errXref = errors.New("damaged cross-reference table")

// readXref reads the cross-reference sections from the newest to the oldest (section 7.5.8). Prev links each section
// to the one before. Method enter keeps the first entry of a number, so newer ones win.
func (f *File) readXref() error {
	end := f.data[max(0, len(f.data)-tail):]
	i := bytes.LastIndex(end, []byte("startxref"))
	// The last one counts: a changed file has several.
	if i < 0 {
		return errors.New("no startxref at the end: the file is cut")
	}
	p := f.parser(end[i+len("startxref"):])
	next, ok := p.integer()
	if !ok {
		return errXref
	}
	seen := map[int]bool{}
	// seen ends chains in circles.
	for len(seen) < maxSections && !seen[next] {
		seen[next] = true
		trailer, err := f.section(next)
		if err != nil {
			return err
		}
		// Older trailers supply keys that the newest lacks.
		f.addTrailer(trailer, false)
		// Hybrid files have a stream besides the table, for readers of PDF 1.5 and later (section 7.5.8.4). It comes
		// before Prev.
		if hybrid, ok := trailer["XRefStm"].(int); ok {
			if _, err := f.section(hybrid); err != nil {
				return err
			}
		}
		if next, ok = trailer["Prev"].(int); !ok {
			return nil
		}
	}
	return nil
}

// addTrailer adds the keys of d that the trailer lacks, or all keys if newer is set. Repair has other rules, see
// addNewerTrailer.
func (f *File) addTrailer(d Dict, newer bool) {
	for k, v := range d {
		if _, ok := f.Trailer[k]; newer || !ok {
			f.Trailer[k] = v
		}
	}
}

// section reads the section at off, a table or a stream, and returns its trailer.
func (f *File) section(off int) (Dict, error) {
	if off < 0 || off >= len(f.data) {
		return nil, errXref
	}
	p := f.parser(f.data)
	p.pos = off
	if p.keyword("xref") {
		return f.table(p)
	}
	// A cross-reference stream is an indirect object, so its number and "obj" are at off.
	_, o, _ := f.indirect(off)
	s, ok := o.(*Stream)
	if !ok {
		return nil, fmt.Errorf("%w: nothing at %d", errXref, off)
	}
	return s.Dict, f.xrefStream(s)
}

// table reads a section in the form of PDF 1.0 (section 7.5.4), after its keyword. Entries should have 20 bytes each.
// Many files have 19 or 21, so tokens are read instead.
func (f *File) table(p *parser) (Dict, error) {
	for {
		first, ok := p.integer()
		if !ok {
			break
		}
		n, ok := p.integer()
		if !ok {
			return nil, errXref
		}
		// n may be false, but the loop ends with the tokens, and each step takes three.
		for i := range n {
			at, ok1 := p.integer()
			gen, ok2 := p.integer()
			t := p.Next()
			if !ok1 || !ok2 || t.Kind != Keyword {
				return nil, errXref
			}
			if i == 0 && first == 1 && at == 0 && gen == 65535 {
				first = 0 // for writers that count from one: the head of the free list is object 0
			}
			// "f" means free.
			if t.Bytes[0] != 'n' {
				at = -1
			}
			f.enter(first+i, entry{at: at})
		}
	}
	if !p.keyword("trailer") {
		return nil, errXref
	}
	o, _ := p.object()
	d, ok := o.(Dict)
	if !ok {
		return nil, errXref
	}
	return d, nil
}

// enter notes the place of object num, unless a newer section has it. Object 0 is never in use.
func (f *File) enter(num int, e entry) {
	if _, ok := f.xref[num]; ok || num <= 0 || num > maxNumber {
		return
	}
	if len(f.xref) >= maxEntries {
		f.Cut = true
		return
	}
	f.xref[num] = e
}

// xrefStream reads a section in the form of PDF 1.5 (section 7.5.8).
func (f *File) xrefStream(s *Stream) error {
	w, _ := s.Dict["W"].(Array)
	var width [3]int
	size := 0
	// These are the widths of the three fields in bytes. If the first is missing, all rows are of type 1.
	for i := range width {
		if i < len(w) {
			width[i], _ = w[i].(int)
		}
		// A number has at most 8 bytes.
		if width[i] < 0 || width[i] > 8 {
			return errXref
		}
		size += width[i]
	}
	if size == 0 || width[1] == 0 {
		return errXref
	}
	index, _ := s.Dict["Index"].(Array)
	if len(index) == 0 {
		// The default is one range, from 0 to Size.
		index = Array{0, s.Dict["Size"]}
	}
	// These streams are never encrypted, and are read before the key is known.
	rows := f.decodePlain(s)
	if f.Broken {
		return errXref
	}
	for i := 0; i+1 < len(index); i += 2 {
		first, _ := index[i].(int)
		n, _ := index[i+1].(int)
		// n and first may be false, but the rows end the loop. first+j does not overflow: each is at most 2^53.
		for j := 0; j < n && len(rows) >= size; j++ {
			f.row(first+j, rows[:size], width)
			rows = rows[size:]
		}
	}
	return nil
}

// row notes one row of a cross-reference stream (table 18). Type 0 is free, 1 at an offset, 2 in an object stream;
// others must be ignored (section 7.5.8.3). The third field, generation or index, is not needed.
func (f *File) row(num int, row []byte, width [3]int) {
	kind := 1
	if width[0] > 0 {
		kind = field(row[:width[0]])
	}
	second := field(row[width[0] : width[0]+width[1]])
	switch kind {
	case 0:
		f.enter(num, entry{at: -1})
	case 1:
		f.enter(num, entry{at: second})
	case 2:
		f.enter(num, entry{in: second})
	}
}

// field returns a number of up to eight bytes, the most significant first. It is bounded to 53 bits, so that the
// conversion never makes offsets negative.
func field(b []byte) int {
	v := uint64(0)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return int(v & (1<<53 - 1))
}

// unlock prepares decryption if the file is encrypted. Objects loaded so far are read again, except for the encryption
// dictionary. It runs only once, although a repair calls it again.
func (f *File) unlock() {
	o := f.Trailer["Encrypt"]
	if o == nil || f.crypt != nil {
		return
	}
	d := f.Dict(o)
	// Reading it may have repaired the file, and that has called this function.
	if f.crypt != nil {
		return
	}
	id := f.Array(f.Trailer["ID"])
	var first String
	// The identifier is a pair; the first half never changes and is part of the key.
	if len(id) > 0 {
		first = f.String(id[0])
	}
	f.crypt = f.newCrypt(d, first)
	// The encryption dictionary itself is never encrypted. Other objects may hold encrypted strings by now. A file may
	// have only its attachments encrypted, and be readable without a password.
	f.Locked = f.crypt.key == nil && (f.crypt.strings != plain || f.crypt.streams != plain)
	ref, _ := o.(Ref)
	maps.DeleteFunc(f.objects, func(num int, _ Object) bool { return num != ref.Num })
	clear(f.streams)
}
