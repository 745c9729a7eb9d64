// Package cfb opens compound files, the containers of Office 97 to 2003 (DOC, XLS, PPT) and of encrypted documents. It
// reads whole streams of the root storage, and leniently: chains of sectors that lead out of the file, or in circles,
// end.
//
//	f, err := cfb.Open(body)
//	if err != nil {
//		return err
//	}
//	doc := f.Stream("WordDocument")
//
// The format is that of [MS-CFB] (https://learn.microsoft.com/openspecs/windows_protocols/ms-cfb).
package cfb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
)

// ErrFormat is returned for what is not a compound file.
var ErrFormat = errors.New("not a compound file")

// Signature is what compound files begin with.
const Signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

const (
	headerSize = 512
	entrySize  = 128
	maxSector  = 0xFFFFFFFA // numbers above mean something else: free, end of chain
	noEntry    = 0xFFFFFFFF
	maxEntries = 100_000
)

// entry is a stream or storage of the directory.
type entry struct {
	name               string
	left, right, child uint32
	start              uint32
	size               uint64
	stream             bool
}

// File is an open compound file.
type File struct {
	src      []byte
	sector   int // bytes in a sector
	cutoff   uint64
	fat      []uint32
	miniFAT  []uint32
	mini     []byte // the stream that small streams are in
	miniSize int
	entries  []entry
	top      map[string]*entry // streams of the root storage, by lower-case name
	damaged  bool
}

// Open reads the directory of src.
func Open(src []byte) (*File, error) {
	if len(src) < headerSize || string(src[:8]) != Signature {
		return nil, ErrFormat
	}
	shift, miniShift := u16(src, 30), u16(src, 32)
	if shift < 7 || shift > 16 || miniShift < 4 || miniShift >= shift {
		return nil, ErrFormat
	}
	f := &File{
		src: src, sector: 1 << shift, miniSize: 1 << miniShift, cutoff: uint64(u32(src, 56)),
		top: map[string]*entry{},
	}
	f.readFAT()
	f.readDirectory(f.chain(u32(src, 48)))
	if len(f.entries) == 0 {
		return nil, ErrFormat
	}
	f.miniFAT = numbers(f.chain(u32(src, 60)))
	f.mini = f.chain(f.entries[0].start)
	f.readTop()
	return f, nil
}

// Damaged tells whether sectors were missing in what was read.
func (f *File) Damaged() bool { return f.damaged }

// Has tells whether the root storage has a stream or storage of that name.
func (f *File) Has(name string) bool {
	_, ok := f.top[strings.ToLower(name)]
	return ok
}

// Stream returns a stream of the root storage, as far as it is there; nil when there is none of that name.
func (f *File) Stream(name string) []byte {
	e, ok := f.top[strings.ToLower(name)]
	if !ok || !e.stream {
		return nil
	}
	var b []byte
	if e.size < f.cutoff {
		b = f.follow(f.mini, f.miniSize, 0, f.miniFAT, e.start)
	} else {
		b = f.chain(e.start)
	}
	if uint64(len(b)) < e.size {
		f.damaged = true
		return b
	}
	return b[:e.size]
}

// sectors returns the sector with a number, cut where the file ends.
func part(src []byte, size, from int, n uint32) []byte {
	at := uint64(n)*uint64(size) + uint64(from)
	if at >= uint64(len(src)) {
		return nil
	}
	return src[at:min(at+uint64(size), uint64(len(src)))]
}

// chain returns the bytes of the sectors of a chain.
func (f *File) chain(start uint32) []byte {
	return f.follow(f.src, f.sector, f.sector, f.fat, start) // the header fills the place of a sector
}

// follow puts the sectors of a chain together. A sound chain has no more sectors than src.
func (f *File) follow(src []byte, size, from int, fat []uint32, start uint32) []byte {
	var out []byte
	n := start
	for range len(src)/size + 1 {
		if n > maxSector {
			return out
		}
		s := part(src, size, from, n)
		out = append(out, s...)
		if len(s) < size || int64(n) >= int64(len(fat)) {
			break
		}
		n = fat[n]
	}
	f.damaged = true
	return out
}

// readFAT reads the table of sectors, whose own sectors the header lists, and behind it a chain of lists.
func (f *File) readFAT() {
	list := numbers(f.src[76:headerSize])
	next := u32(f.src, 68)
	for range len(f.src)/f.sector + 1 {
		s := part(f.src, f.sector, f.sector, next)
		if next > maxSector || len(s) < f.sector {
			break
		}
		more := numbers(s)
		list = append(list, more[:len(more)-1]...)
		next = more[len(more)-1]
	}
	for i, n := range list {
		if n > maxSector || i > len(f.src)/f.sector {
			continue
		}
		f.fat = append(f.fat, numbers(part(f.src, f.sector, f.sector, n))...)
	}
}

// readDirectory reads the entries (section 2.6).
func (f *File) readDirectory(b []byte) {
	for ; len(b) >= entrySize && len(f.entries) < maxEntries; b = b[entrySize:] {
		n := min(max(int(u16(b, 64))-2, 0), 62)
		var name []uint16
		for i := 0; i+1 < n; i += 2 {
			name = append(name, u16(b, i))
		}
		size := binary.LittleEndian.Uint64(b[120:])
		if f.sector == headerSize {
			size &= 0xFFFFFFFF // version 3: the upper half may be anything
		}
		f.entries = append(f.entries, entry{
			name: string(utf16.Decode(name)), left: u32(b, 68), right: u32(b, 72), child: u32(b, 76), start: u32(b, 116),
			size: size, stream: b[66] == 2,
		})
	}
}

// readTop collects what stands in the root storage: a tree of entries.
func (f *File) readTop() {
	seen := map[uint32]bool{}
	todo := []uint32{f.entries[0].child}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == noEntry || int64(i) >= int64(len(f.entries)) || seen[i] {
			continue
		}
		seen[i] = true
		e := &f.entries[i]
		f.top[strings.ToLower(e.name)] = e
		todo = append(todo, e.left, e.right)
	}
}

func u16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// numbers are the numbers of 32 bits in b.
func numbers(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = u32(b, 4*i)
	}
	return out
}

// Is tells whether b begins like a compound file.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(Signature)) }
