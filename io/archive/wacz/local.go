package wacz

import (
	"bytes"
	"io"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"
)

// Methods of compression (section 4.4.5) that are read.
const (
	stored   = 0
	deflated = 8
)

// local is a local header.
type local struct {
	header
	signed bool  // it begins with its signature
	data   int64 // where the file's data begins
	extra  int64 // bytes of extra fields
}

// readLocal reads the local header at off, with or without its signature; nil outside of the file.
func readLocal(w *window, off int64) *local {
	b := w.at(off, localSize)
	if len(b) < localSize {
		return nil
	}
	name, extra := int(le.Uint16(b[26:])), int(le.Uint16(b[28:]))
	h := &local{signed: string(b[:4]) == localSig, extra: int64(extra)}
	h.data = off + localSize + int64(name+extra)
	h.header = header{
		at: off, flags: le.Uint16(b[6:]), method: le.Uint16(b[8:]), crc: le.Uint32(b[14:]),
		packed: int64(le.Uint32(b[18:])), size: int64(le.Uint32(b[22:])),
	}
	rest := w.at(off+localSize, name+extra)
	h.name = string(rest[:min(name, len(rest))])
	zip64(rest[min(name, len(rest)):], &h.size, &h.packed)
	// Bit 3 promises sizes and checksum after the data; some writers know the sizes all the same.
	if h.flags&flagDescriptor != 0 && h.packed == 0 {
		h.packed, h.size, h.crc = -1, -1, 0
	}
	return h
}

// sane reports whether a local header is one that a program could have written.
func (h *local) sane() bool {
	// Bits 0 to 3 and 11; more are of methods and encryptions that nobody uses for archives.
	return h.signed && h.flags&^0x080f == 0 && h.method <= 99 && isName(h.name)
}

// isName reports whether a file in a ZIP file may be called s.
func isName(s string) bool {
	control := func(r rune) bool { return r < ' ' }
	return s != "" && len(s) <= 4<<10 && utf8.ValidString(s) && !strings.ContainsFunc(s, control)
}

// isArchive reports whether a file of this name is an archive: it is in a folder archive, or is called one.
func isArchive(name string) bool {
	dir, base := path.Split(name)
	if base == "" || isHidden(base) {
		return false
	}
	return isRecords(name) || extension(name) == ".wacz" || strings.Contains("/"+dir, "/"+folder)
}

// isHidden reports whether a file is one that macOS adds, such as ._data.warc.gz.
func isHidden(base string) bool { return strings.HasPrefix(base, "._") || base == ".DS_Store" }

// isRecords reports whether a file of this name is an archive of records, and no package of archives.
func isRecords(name string) bool {
	switch extension(name) {
	case ".warc", ".arc":
		return true
	}
	return false
}

// extension is how a name ends, without the ends of compressions.
func extension(name string) string {
	name = strings.ToLower(path.Base(name))
	for _, end := range []string{".gz", ".zst", ".lz4", ".open"} {
		name = strings.TrimSuffix(name, end)
	}
	return path.Ext(name)
}

// isOther reports whether name is a file that a WACZ file has beside its archives.
func isOther(name string) bool {
	dir, base := path.Split(name)
	if isHidden(base) {
		return true
	}
	switch path.Base(dir) {
	case "indexes":
		return base != ""
	case "pages":
		return path.Ext(base) == ".jsonl"
	}
	return base == description || base == signature
}

// descriptor returns the size of the data descriptor at the start of b, which follows a file's data (section 4.3.9). It
// may have a signature, and 32 or 64 bits. The size of the data is what tells it; the checksum is returned.
func descriptor(b []byte, packed int64) (n int, crc uint32) {
	skip := 0
	if len(b) >= 4 && string(b[:4]) == descriptorSig {
		skip = 4
	}
	b = b[skip:]
	// Zeros may be padding.
	if skip == 0 && packed == 0 {
		return 0, 0
	}
	if len(b) >= 20 && int64(le.Uint64(b[4:])) == packed {
		return skip + 20, le.Uint32(b)
	}
	if len(b) >= 12 && int64(le.Uint32(b[4:])) == packed {
		return skip + 12, le.Uint32(b)
	}
	return 0, 0
}

// begins reports whether b begins as an archive does, compressed or not, or a ZIP file.
func begins(b []byte) bool {
	if bytes.HasPrefix(b, []byte(localSig)) {
		return true
	}
	b = bytes.TrimLeft(b, "\r\n\x00")
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	for _, magic := range []string{
		"\x1f\x8b\x08", "\x28\xb5\x2f\xfd", "\x5d\x2a\x4d\x18", "\x04\x22\x4d\x18", "WARC/", "filedesc:",
	} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return true
		}
	}
	return false
}

// maxBlock is more than a stored block of deflate has that a decoder wants to see before it gives its first byte.
const maxBlock = 40 << 10

// inflaters are decoders that were used: they are large.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflates reports whether b begins with a deflate stream that holds the beginning of an archive.
func inflates(b []byte) bool {
	z, ok := inflaters.Get().(flate.Resetter)
	if !ok || z.Reset(bytes.NewReader(b), nil) != nil {
		return false
	}
	defer inflaters.Put(z)
	var head [512]byte
	n, _ := io.ReadFull(z.(io.Reader), head[:]) // b ends early, which is not a fault
	return n > 0 && begins(head[:n])
}
