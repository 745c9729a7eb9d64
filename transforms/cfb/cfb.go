// Package cfb opens compound files, the containers of Office 97 to 2003 (DOC, XLS, PPT) and of encrypted documents. It
// reads whole streams of the root storage. It is lenient: chains of sectors that leave the file or are circular just
// end. [List] reads only the directory, to find the program that wrote a file.
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

// ErrFormat is returned for input that is not a compound file.
var ErrFormat = errors.New("not a compound file")

// Signature begins every compound file.
const Signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// The header takes 512 bytes for any size of sectors, an entry of the directory 128 (sections 2.2 and 2.6.1). 100,000
// entries are 12.8 MB of directory; real documents have some dozens.
const (
	headerSize = 512
	entrySize  = 128
	maxSector  = 0xFFFFFFFA // higher numbers have special meanings: free, end of chain
	noEntry    = 0xFFFFFFFF
	maxEntries = 100_000
)

// File is an open compound file. It keeps src; the results of Stream are copies. Fields fat and miniFAT map the number
// of a sector to that of the next one. The root storage is entries[0]; its own stream is the mini stream.
type File struct {
	src      []byte
	sector   int // bytes of a sector
	cutoff   uint64
	fat      []uint32
	miniFAT  []uint32
	mini     []byte // the stream that contains small streams
	miniSize int
	entries  []entry
	top      map[string]*entry // streams of the root storage, by lower-case name
	damaged  bool
}

// Open reads the directory of src.
func Open(src []byte) (*File, error) {
	// These are the fields of the header by offset (section 2.2). 30 and 32 are the sizes of sectors and of mini
	// sectors as powers of two, 48 the directory's first sector. 56 is the size below which streams are in the mini
	// stream. 60 is the first sector of the mini FAT, 68 the first of the DIFAT, 76 the first 109 sectors of the FAT.
	if len(src) < headerSize || string(src[:8]) != Signature {
		return nil, ErrFormat
	}
	shift, miniShift := u16(src, 30), u16(src, 32)
	// The format only has shifts 9 and 12, and 6 for mini sectors. Others are accepted if the arithmetic works: a
	// sector holds at least an entry, and a mini sector fits into a sector.
	if shift < 7 || shift > 16 || miniShift < 4 || miniShift >= shift {
		return nil, ErrFormat
	}
	f := &File{
		src: src, sector: 1 << shift, miniSize: 1 << miniShift, cutoff: uint64(u32(src, 56)),
		top: map[string]*entry{},
	}
	// The FAT comes first, since all other chains need it.
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

// Damaged reports whether sectors were missing in the streams read.
func (f *File) Damaged() bool { return f.damaged }

// Has reports whether the root storage has a stream or storage with that name.
func (f *File) Has(name string) bool {
	_, ok := f.top[strings.ToLower(name)]
	return ok
}

// Stream returns a stream of the root storage, as far as it exists, or nil if no stream has that name.
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
		// The existing part is returned: half a text is better than none, and Damaged reports it.
		return b
	}
	// A chain fills whole sectors, so it may be longer than the stream.
	return b[:e.size]
}

// Is reports whether b begins like a compound file.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(Signature)) }
