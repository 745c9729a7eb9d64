package wacz

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// Section 4.3 of APPNOTE.TXT 6.3.10, the specification of ZIP.
const (
	localSig      = "PK\x03\x04"
	directorySig  = "PK\x01\x02"
	endSig        = "PK\x05\x06"
	end64Sig      = "PK\x06\x06"
	locatorSig    = "PK\x06\x07"
	descriptorSig = "PK\x07\x08"

	localSize     = 30 // without name and extra fields
	directorySize = 46 // likewise, and without comment
	endSize       = 22 // without comment
	locatorSize   = 20
	end64Size     = 56

	maxField   = math.MaxUint16 // bytes of a name, of extra fields, of a comment
	maxField32 = math.MaxUint32
)

const (
	// maxEntries and maxDirectory bound the memory of a directory. What the rest of it names is found by local headers.
	maxEntries   = 1 << 16
	maxDirectory = 64 << 20
	// maxSought is how far before its end a directory is looked for of which the end record does not say where it is.
	maxSought = 4 << 20
)

var le = binary.LittleEndian

// header has the values of the directory, or of a local header, for a file.
type header struct {
	name         string
	at           int64 // where the local header stands, in bytes from what offsets count from
	packed, size int64 // -1 if not known
	crc          uint32
	method       uint16
	flags        uint16
	placed       bool // its local header was found
}

// Bits of the flags.
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3 // sizes and checksum stand after the data
)

// span is a run of bytes of the file.
type span struct{ from, to int64 }

// directory is the structure at a ZIP file's end.
type directory struct {
	entries []*header
	span          // of it and of its end record; from is the file's size where there is none
	base    int64 // bytes in front of the ZIP file: offsets count after them
	damage  string
}

// readDirectory reads the directory of a ZIP file, as far as it can be read.
func readDirectory(w *window) *directory {
	d := &directory{span: span{w.size, w.size}}
	at, tail := findEnd(w, true)
	if at < 0 {
		d.damage = "there is no directory at its end"
		return d
	}
	records, stated, length, front := endRecord(w, at, tail)
	d.to = min(w.size, at+endSize+int64(le.Uint16(tail[20:])))
	from, ok := startOf(w, stated, length, front)
	if !ok {
		d.from, d.damage = front, "its directory is not where the end record says"
		return d
	}
	d.from, d.base = from, from-stated
	whole := d.parse(w, front)
	if !whole || d.damage == "" && int64(len(d.entries)) != records && len(d.entries) < maxEntries {
		d.damage = "its directory is damaged"
	}
	if from != stated && from != front-length || from+length != front {
		d.damage = "its directory is not as long, or not where, the end record says"
	}
	return d
}

// findEnd returns where the end record stands, and the file's bytes from there on; -1 if there is none. Comments longer
// than a kilobyte are searched only if long is set.
func findEnd(w *window, long bool) (int64, []byte) {
	sizes := []int64{1 << 10}
	if long {
		sizes = append(sizes, endSize+maxField)
	}
	for _, n := range sizes {
		b := w.copyOf(max(0, w.size-n), int(min(n, w.size)))
		last := -1
		for i := bytes.LastIndex(b, []byte(endSig)); i >= 0; i = bytes.LastIndex(b[:i], []byte(endSig)) {
			if len(b)-i < endSize {
				continue
			}
			// One whose comment ends with the file is surely it; a comment may hold the signature too.
			if endSize+int(le.Uint16(b[i+20:])) == len(b)-i {
				return w.size - int64(len(b)-i), b[i:]
			}
			if last < 0 {
				last = i
			}
		}
		if last >= 0 && n > 1<<10 {
			return w.size - int64(len(b)-last), b[last:]
		}
	}
	return -1, nil
}

// endRecord parses the end record b, which is at the offset at. It returns the number of entries, and the start and
// length of the directory. front is the start of the first end record.
func endRecord(w *window, at int64, b []byte) (records, stated, length, front int64) {
	records, length, stated = int64(le.Uint16(b[10:])), int64(le.Uint32(b[12:])), int64(le.Uint32(b[16:]))
	l := w.copyOf(at-locatorSize, locatorSize)
	if len(l) < locatorSize || string(l[:4]) != locatorSig {
		return records, stated, length, at
	}
	// Where the locator says, or else right in front of it.
	for _, where := range []int64{int64(le.Uint64(l[8:])), at - locatorSize - end64Size} {
		e := w.copyOf(where, end64Size)
		if len(e) == end64Size && string(e[:4]) == end64Sig {
			return int64(le.Uint64(e[32:])), int64(le.Uint64(e[48:])), int64(le.Uint64(e[40:])), where
		}
	}
	return records, stated, length, at - locatorSize
}

// startOf returns the start of the directory that ends at front. It tries the offset in the end record, then the end
// minus its length. At last it searches for a chain of entries that leads to the end.
func startOf(w *window, stated, length, front int64) (int64, bool) {
	is := func(at int64) bool {
		return at >= 0 && at < front && string(w.at(at, 4)) == directorySig || at == front && length == 0
	}
	// After bytes in front of the file the second is right; after damage in front of the directory it is, too.
	for _, at := range []int64{front - length, stated} {
		if is(at) {
			return at, true
		}
	}
	from := max(0, front-maxSought)
	b := w.copyOf(from, int(front-from))
	// Backwards, from entry to entry, as long as each leads to the one after it.
	starts := map[int]bool{len(b): true}
	first := -1
	for i := bytes.LastIndex(b, []byte(directorySig)); i >= 0; i = bytes.LastIndex(b[:i], []byte(directorySig)) {
		if len(b)-i < directorySize {
			continue
		}
		if starts[i+recordSize(b[i:])] {
			starts[i], first = true, i
		}
	}
	return from + int64(first), first >= 0
}

// recordSize is the size of the entry of a directory that b begins with, as it states it.
func recordSize(b []byte) int {
	return directorySize + int(le.Uint16(b[28:])) + int(le.Uint16(b[30:])) + int(le.Uint16(b[32:]))
}

// parse reads the entries up to front, and reports whether they are whole.
func (d *directory) parse(w *window, front int64) (whole bool) {
	whole = true
	for at := d.from; at < front; {
		if len(d.entries) == maxEntries || at-d.from > maxDirectory {
			return false
		}
		n := int(min(front-at, directorySize+3*maxField+4))
		b := w.at(at, min(n, directorySize+4))
		if len(b) < directorySize || string(b[:4]) != directorySig {
			whole = false
			next := w.find(at+1, front, func(b []byte) int { return bytes.Index(b, []byte(directorySig)) })
			if next < 0 {
				return false
			}
			at = next
			continue
		}
		size := recordSize(b)
		b = w.at(at, min(n, size+4))
		e := parseEntry(b, size)
		d.entries = append(d.entries, e)
		// An entry whose lengths are wrong takes others along: it ends where the next one begins.
		if rest := b[min(size, len(b)):]; at+int64(size) != front && !isDirectory(rest) {
			whole = false
			b = w.at(at, n)
			if i := bytes.Index(b[directorySize:], []byte(directorySig)); i >= 0 {
				size = directorySize + i
				e.name = string(b[directorySize : directorySize+min(i, len(e.name))])
			}
		}
		at += int64(size)
	}
	return whole
}

// isDirectory reports whether b begins as an entry of a directory does, or an end record.
func isDirectory(b []byte) bool {
	return len(b) >= 4 && slices.Contains([]string{directorySig, end64Sig, endSig, locatorSig}, string(b[:4]))
}

// parseEntry parses the directory entry at the start of b. size is its length if b holds all of it.
func parseEntry(b []byte, size int) *header {
	b = b[:min(size, len(b))]
	name := int(le.Uint16(b[28:]))
	e := &header{
		flags: le.Uint16(b[8:]), method: le.Uint16(b[10:]), crc: le.Uint32(b[16:]),
		packed: int64(le.Uint32(b[20:])), size: int64(le.Uint32(b[24:])), at: int64(le.Uint32(b[42:])),
	}
	rest := b[directorySize:]
	e.name = string(rest[:min(name, len(rest))])
	rest = rest[len(e.name):]
	zip64(rest[:min(int(le.Uint16(b[30:])), len(rest))], &e.size, &e.packed, &e.at)
	return e
}

// zip64 replaces the values that do not fit in 32 bits by those of the extra fields (section 4.5.3), in their order.
// Sizes that are missing there, or are not sizes, are not known.
func zip64(extra []byte, values ...*int64) {
	var field []byte
	for len(extra) >= 4 {
		n := int(le.Uint16(extra[2:]))
		if len(extra) < 4+n {
			break
		}
		if le.Uint16(extra) == 1 {
			field = extra[4 : 4+n]
			break
		}
		extra = extra[4+n:]
	}
	for _, v := range values {
		if *v != maxField32 {
			continue
		}
		*v = -1
		if len(field) >= 8 {
			*v, field = int64(le.Uint64(field)), field[8:]
		}
		*v = max(*v, -1)
	}
}

// window reads a file through a buffer, since the headers of small files stand side by side.
type window struct {
	src  io.ReaderAt
	size int64
	buf  []byte
	from int64
	err  error // of the file
}

const windowSize = 256 << 10

// at returns n bytes at off, or fewer at the file's end, or none outside of it. They are valid until the next call.
func (w *window) at(off int64, n int) []byte {
	if off < 0 || off >= w.size || w.err != nil {
		return nil
	}
	n = int(min(int64(n), w.size-off))
	if off < w.from || off+int64(n) > w.from+int64(len(w.buf)) {
		w.load(off, n)
	}
	i := int(off - w.from)
	return w.buf[min(i, len(w.buf)):min(i+n, len(w.buf))]
}

// load reads at off: a little for a single header, more if reading continues. Then a little in front of it stays, to
// which reading goes back for the next header.
func (w *window) load(off int64, n int) {
	ahead, back := 16<<10, int64(0)
	if end := w.from + int64(len(w.buf)); off >= w.from && off <= end && len(w.buf) > 0 {
		ahead, back = 64<<10, min(off, 4<<10)
	}
	off, n = off-back, n+int(back)
	n = int(min(int64(max(n, ahead)), w.size-off))
	if cap(w.buf) < n {
		w.buf = make([]byte, 0, max(n, int(min(windowSize+4<<10, w.size))))
	}
	w.buf, w.from = w.buf[:n], off
	k, err := w.src.ReadAt(w.buf, off)
	if err != nil && err != io.EOF {
		w.err = err
	}
	w.buf = w.buf[:k]
}

// copyOf returns n bytes at off as at does, in memory of their own.
func (w *window) copyOf(off int64, n int) []byte { return bytes.Clone(w.at(off, n)) }

// find returns the first offset in [from, to) that index finds, or -1. It gives index as many bytes as are in memory;
// index returns -1 if they lack its signature, which has four bytes.
func (w *window) find(from, to int64, index func([]byte) int) int64 {
	for at := from; at < to && w.err == nil; {
		// Bytes in memory first: from may be right after the last place.
		n := w.from + int64(len(w.buf)) - at
		if at < w.from || n < 4 {
			n = windowSize
		}
		b := w.at(at, int(min(n, to-at)))
		if i := index(b); i >= 0 {
			return at + int64(i)
		}
		if at+int64(len(b)) >= to || len(b) < 4 {
			break
		}
		at += int64(len(b)) - 3
	}
	return -1
}
