package cfb

import (
	"encoding/binary"
	"unicode/utf16"
)

// entry is a stream or storage of the directory. The entries of a storage form a binary tree. Fields left and right
// are siblings in it, child is the root of the tree inside a storage. All three are indexes in File.entries, or
// noEntry. Field start is the first sector of the stream, in the mini stream if size is below File.cutoff.
type entry struct {
	name               string
	left, right, child uint32
	start              uint32
	size               uint64
	stream             bool
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

// entryName returns the name of the entry at the beginning of b. Its length is in bytes, including the closing zero;
// 64 bytes are the maximum.
func entryName(b []byte) string {
	n := min(int(u16(b, 64)), 64)
	var name []uint16
	for i := 0; i+2 < n; i += 2 {
		name = append(name, u16(b, i))
	}
	return string(utf16.Decode(name))
}
