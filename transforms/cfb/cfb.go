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
	"errors"
	"strings"
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

// Damaged reports whether sectors were missing in what was read.
func (f *File) Damaged() bool { return f.damaged }

// Has reports whether the root storage has a stream or storage of that name.
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

// Is reports whether b begins like a compound file.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(Signature)) }
