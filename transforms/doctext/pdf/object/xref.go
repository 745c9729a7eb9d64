package object

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
)

// Readers have always looked for startxref in the last 1,024 bytes; mail and web servers append more.
const (
	// tail is how far from the end startxref is looked for.
	tail = 2048
	// maxSections bounds the chain of cross-reference sections, one for each time that the file was changed.
	maxSections = 4096
	// maxNumber is the highest number that an object may have (Annex C).
	maxNumber = 8388607
)

var errXref = errors.New("damaged cross-reference table")

// readXref reads the cross-reference sections from the newest to the oldest (section 7.5.8). Sections chain by Prev.
// enter keeps the first entry of a number, so newer ones win.
func (f *File) readXref() error {
	end := f.data[max(0, len(f.data)-tail):]
	i := bytes.LastIndex(end, []byte("startxref"))
	// The last one: a file that was changed has several.
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
		// Older trailers fill what the newest lacks.
		f.addTrailer(trailer, false)
		// Hybrid files have a stream beside the table, for readers of PDF 1.5 and later (section
		// 7.5.8.4). It comes before Prev.
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

// addTrailer takes what the trailer does not have yet, or, where newer is set, everything that d has. Repair calls
// with other rules, see addNewerTrailer.
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
	// A cross-reference stream is an indirect object: its number and "obj" stand there.
	_, o, _ := f.indirect(off)
	s, ok := o.(*Stream)
	if !ok {
		return nil, fmt.Errorf("%w: nothing at %d", errXref, off)
	}
	return s.Dict, f.xrefStream(s)
}

// table reads a section of the form that PDF 1.0 has (section 7.5.4), after its keyword. Entries should have 20
// bytes each; tokens are read instead, since many files have 19, or 21.
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
		// n is a claim: the loop ends with the tokens, each step takes three.
		for i := range n {
			at, ok1 := p.integer()
			gen, ok2 := p.integer()
			t := p.Next()
			if !ok1 || !ok2 || t.Kind != Keyword {
				return nil, errXref
			}
			if i == 0 && first == 1 && at == 0 && gen == 65535 {
				first = 0 // writers that count from one: the head of the free list is object 0
			}
			// "f" is free.
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

// enter notes where object num is, unless a newer section has it. Object 0 is never in use.
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

// xrefStream reads a section of the form that PDF 1.5 has (section 7.5.8).
func (f *File) xrefStream(s *Stream) error {
	w, _ := s.Dict["W"].(Array)
	var width [3]int
	size := 0
	// Widths of the three fields in bytes; a missing first one means that all rows are of type 1.
	for i := range width {
		if i < len(w) {
			width[i], _ = w[i].(int)
		}
		// 8 bytes are the most that fit a number here.
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
	// Plain: these streams are never encrypted, and come before the key is known.
	rows := f.decodePlain(s)
	for i := 0; i+1 < len(index); i += 2 {
		first, _ := index[i].(int)
		n, _ := index[i+1].(int)
		// n and first are claims, and rows end the loop. first+j does not overflow: each is at most
		// 2^53.
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

// field is a number of up to eight bytes, the most significant first. Bounded to 53 bits, so offsets never become
// negative by the conversion.
func field(b []byte) int {
	v := uint64(0)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return int(v & (1<<53 - 1))
}

// unlock makes ready to decrypt, where the file is encrypted. Objects that were read so far are read again, except for
// the dictionary that tells how. Once only: repair comes by here again after a sound table did.
func (f *File) unlock() {
	o := f.Trailer["Encrypt"]
	if o == nil || f.crypt != nil {
		return
	}
	d := f.Dict(o)
	id := f.Array(f.Trailer["ID"])
	var first String
	// The identifier is a pair; the first half never changes, and is part of the key.
	if len(id) > 0 {
		first = f.String(id[0])
	}
	f.crypt = f.newCrypt(d, first)
	// The encryption dictionary itself is never encrypted. Other objects may hold encrypted strings
	// by now.
	// A file may have its attachments encrypted alone, and be read without a password.
	f.Locked = f.crypt.key == nil && (f.crypt.strings != plain || f.crypt.streams != plain)
	ref, _ := o.(Ref)
	maps.DeleteFunc(f.objects, func(num int, _ Object) bool { return num != ref.Num })
	clear(f.streams)
}
