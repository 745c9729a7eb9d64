// Package cfb opens compound files, the containers of Office 97 to 2003 (DOC, XLS, PPT) and of encrypted documents. It
// reads whole streams of the root storage, and leniently: chains of sectors that lead out of the file, or in circles,
// end. [List] only looks at the directory, to tell which program wrote a file.
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

// The header takes 512 bytes whatever the size of sectors, an entry of the directory 128 (sections
// 2.2 and 2.6.1). 100,000 entries are 12.8 MB of directory, where real documents have some dozens.
const (
	headerSize = 512
	entrySize  = 128
	maxSector  = 0xFFFFFFFA // numbers above mean something else: free, end of chain
	noEntry    = 0xFFFFFFFF
	maxEntries = 100_000
)

// entry is a stream or storage of the directory. The entries of a storage form a binary tree: left and right are its
// siblings in it, child is the root of the tree of what a storage holds. All three are indexes in File.entries, or
// noEntry. start is the first sector of the stream, in the mini stream when size is below File.cutoff.
type entry struct {
	name               string
	left, right, child uint32
	start              uint32
	size               uint64
	stream             bool
}

// File is an open compound file. It borrows src; what Stream returns is copied out of it. fat and miniFAT hold, by
// the number of a sector, the number of the sector that follows it. entries[0] is the root storage: its own stream is
// the mini stream.
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
	// The fields of the header by their offsets (section 2.2): 30 and 32 the sizes of sectors and of
	// mini sectors as powers of two, 48 the directory's first sector, 56 the cutoff below which
	// streams are in the mini stream, 60 the first sector of the mini FAT, 68 the first sector of the
	// DIFAT, 76 the first 109 sectors of the FAT.
	if len(src) < headerSize || string(src[:8]) != Signature {
		return nil, ErrFormat
	}
	shift, miniShift := u16(src, 30), u16(src, 32)
	// The format knows shifts 9 and 12 only, with 6 for mini sectors. Others are read as long as the
	// arithmetic holds: a sector holds at least an entry, and a mini sector lies within a sector.
	if shift < 7 || shift > 16 || miniShift < 4 || miniShift >= shift {
		return nil, ErrFormat
	}
	f := &File{
		src: src, sector: 1 << shift, miniSize: 1 << miniShift, cutoff: uint64(u32(src, 56)),
		top: map[string]*entry{},
	}
	// The FAT comes first: every other chain is followed by it.
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
	// Small streams share the sectors of the mini stream, which has no header before it.
	if e.size < f.cutoff {
		b = f.follow(f.mini, f.miniSize, 0, f.miniFAT, e.start)
	} else {
		b = f.chain(e.start)
	}
	if uint64(len(b)) < e.size {
		f.damaged = true
		// What is there is returned: half a text is better than none, and Damaged tells the caller.
		return b
	}
	// A chain fills whole sectors, so it may be longer than the stream.
	return b[:e.size]
}

// part returns the sector with a number, cut where the file ends; from is where sector 0 begins. The
// product is taken in 64 bits: numbers reach 2^32 and sectors 2^16.
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

// follow puts the sectors of a chain together. A sound chain has no more sectors than src, so a chain
// in a circle ends after that many, and the bytes that are copied never exceed those of src by more
// than a sector.
func (f *File) follow(src []byte, size, from int, fat []uint32, start uint32) []byte {
	var out []byte
	n := start
	for range len(src)/size + 1 {
		// End of chain is the usual exit, and the only one of a sound chain.
		if n > maxSector {
			return out
		}
		s := part(src, size, from, n)
		out = append(out, s...)
		// A sector that is cut, or that the table does not know, is the last one that can be
		// followed.
		if len(s) < size || int64(n) >= int64(len(fat)) {
			break
		}
		n = fat[n]
	}
	f.damaged = true
	return out
}

// readFAT reads the table of sectors, whose own sectors the header lists, and behind it a chain of
// lists (the DIFAT, section 2.5).
func (f *File) readFAT() {
	list := numbers(f.src[76:headerSize])
	next := u32(f.src, 68)
	for range len(f.src)/f.sector + 1 {
		s := part(f.src, f.sector, f.sector, next)
		if next > maxSector || len(s) < f.sector {
			break
		}
		more := numbers(s)
		// The last number of such a sector is not a sector of the FAT, but the next one of the list.
		list = append(list, more[:len(more)-1]...)
		next = more[len(more)-1]
	}
	for i, n := range list {
		// Free places in the list are skipped, and a list that is longer than the file has sectors
		// repeats some.
		if n > maxSector || i > len(f.src)/f.sector {
			continue
		}
		f.fat = append(f.fat, numbers(part(f.src, f.sector, f.sector, n))...)
	}
}

// readDirectory reads the entries (section 2.6).
func (f *File) readDirectory(b []byte) {
	for ; len(b) >= entrySize && len(f.entries) < maxEntries; b = b[entrySize:] {
		size := binary.LittleEndian.Uint64(b[120:])
		// Section 2.6.1 asks readers to ignore the upper half in files with sectors of 512 bytes.
		if f.sector == headerSize {
			size &= 0xFFFFFFFF // version 3: the upper half may be anything
		}
		f.entries = append(f.entries, entry{
			// 66 is the type of the object: 1 a storage, 2 a stream, 5 the root.
			name: entryName(b), left: u32(b, 68), right: u32(b, 72), child: u32(b, 76), start: u32(b, 116),
			size: size, stream: b[66] == 2,
		})
	}
}

// entryName is the name of the entry that b begins with. Its length counts bytes, the closing zero among them; 64 bytes
// are all that there are.
func entryName(b []byte) string {
	n := min(int(u16(b, 64)), 64)
	var name []uint16
	for i := 0; i+2 < n; i += 2 {
		name = append(name, u16(b, i))
	}
	return string(utf16.Decode(name))
}

// readTop collects what stands in the root storage: a tree of entries. Names are compared in lower
// case, as the format does (it uses upper case, section 2.6.4). The tree's order is not relied on:
// broken writers leave it unsorted, so all of it is walked.
func (f *File) readTop() {
	seen := map[uint32]bool{}
	// A stack of its own instead of recursion: a hostile tree is a list 100,000 deep.
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
