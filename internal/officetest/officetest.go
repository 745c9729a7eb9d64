// Package officetest makes small documents of all formats for tests, with a case for each rule of the readers. All
// content is original, and no office program is needed.
package officetest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
)

// File is an entry of an archive. Body is text, since most parts are XML.
type File struct{ Name, Body string }

// Zip packs entries in the given order: EPUB and OpenDocument need the mimetype first. Entries have no time, so equal
// files make equal bytes.
func Zip(files ...File) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		e, err := w.Create(f.Name)
		if err == nil {
			_, err = io.WriteString(e, f.Body)
		}
		if err != nil {
			panic(err) // writing to a buffer never fails
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Sample is a document with its media type. Name is also the format's extension.
type Sample struct {
	Name, MIME string
	Body       []byte
}

// Samples returns a document of each format. Each has an expected text, such as DocxText.
func Samples() []Sample {
	const ooxml = "application/vnd.openxmlformats-officedocument."
	const odf = "application/vnd.oasis.opendocument."
	return []Sample{
		{"docx", ooxml + "wordprocessingml.document", Docx()},
		{"pptx", ooxml + "presentationml.presentation", Pptx()},
		{"xlsx", ooxml + "spreadsheetml.sheet", Xlsx()},
		{"odt", odf + "text", Odt()},
		{"ods", odf + "spreadsheet", Ods()},
		{"odp", odf + "presentation", Odp()},
		{"fodt", odf + "text-flat-xml", []byte(Fodt)},
		{"epub", "application/epub+zip", Epub()},
		{"rtf", "application/rtf", []byte(RTF)},
		{"doc", "application/msword", Doc()},
		{"xls", "application/vnd.ms-excel", Xls()},
		{"ppt", "application/vnd.ms-powerpoint", Ppt()},
	}
}

// Stream is a stream of a compound file. Names have at most 31 characters.
type Stream struct {
	Name string
	Body []byte
}

// Values of a FAT, [MS-CFB] 2.1: an unused sector, the end of a chain, a sector of the FAT itself.
const (
	sector = 512
	free   = 0xFFFFFFFF
	last   = 0xFFFFFFFE
	isFAT  = 0xFFFFFFFD
)

// CFB makes a compound file with streams in its root storage. All are in full sectors: the cutoff for small streams
// is zero.
func CFB(streams ...Stream) []byte {
	// Sectors are numbered from 0 after the header.
	var body bytes.Buffer // all sectors except the FAT
	var fat []uint32
	store := func(b []byte) uint32 {
		start := uint32(len(fat))
		// An empty stream also takes a sector, which saves a special case.
		n := max((len(b)+sector-1)/sector, 1)
		for i := range n {
			next := start + uint32(i) + 1
			if i == n-1 {
				next = last
			}
			fat = append(fat, next)
		}
		// Zeros fill the last sector.
		body.Write(append(bytes.Clone(b), make([]byte, n*sector-len(b))...))
		return start
	}
	// Object type 5 is the root, 2 a stream: [MS-CFB] 2.6.1.
	dir := entry("Root Entry", 5, free, last, 0)
	for i, s := range streams {
		right := uint32(free)
		// Entry i+1 is stream i, and the next one is its right sibling.
		if i+1 < len(streams) {
			right = uint32(i + 2)
		}
		dir = append(dir, entry(s.Name, 2, right, store(s.Body), uint64(len(s.Body)))...)
	}
	// The root's child is the first stream.
	binary.LittleEndian.PutUint32(dir[76:], 1)
	start := store(dir)
	// The FAT is last, because its size depends on all others.
	return append(header(start, &fat, body.Len()), append(body.Bytes(), words(fat)...)...)
}

// header returns the first sector, and adds the FAT's own sectors to fat. Offsets are those of [MS-CFB] 2.2.
func header(dir uint32, fat *[]uint32, stored int) []byte {
	h := make([]byte, sector)
	copy(h, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	put := binary.LittleEndian.PutUint32
	// Minor version 0x3E, major version 3.
	put(h[24:], 0x0003003E)
	// The byte order mark FFFE, and sectors of 2^9 bytes.
	put(h[28:], 0x0009FFFE)
	// Small sectors of 2^6 bytes, which are unused.
	h[32] = 6
	// The start of the directory; no small FAT, and no FAT sectors listed outside the header.
	put(h[48:], dir)
	put(h[60:], last)
	put(h[68:], last)
	// The FAT also describes its own sectors, so its size is found by trying.
	n := 1
	for (len(*fat)+n)*4 > n*sector {
		n++
	}
	put(h[44:], uint32(n))
	// The header lists the first 109 sectors of the FAT.
	for i := range 109 {
		put(h[76+4*i:], free)
	}
	// The FAT comes last.
	for i := range n {
		put(h[76+4*i:], uint32(stored/sector+i))
		*fat = append(*fat, isFAT)
	}
	for len(*fat)*4 < n*sector {
		*fat = append(*fat, free)
	}
	return h
}

// entry returns a directory entry. Entries form a list to the right, not a balanced tree: readers must walk it.
func entry(name string, kind byte, right, start uint32, size uint64) []byte {
	e := make([]byte, 128)
	put := binary.LittleEndian.PutUint32
	copy(e, Wide(name))
	// The length of a name is in bytes, including its final zero.
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	// Colour 1 is black.
	e[66], e[67] = kind, 1
	// No left sibling and no child; the caller sets the root's child.
	put(e[68:], free)
	put(e[72:], right)
	put(e[76:], free)
	put(e[116:], start)
	binary.LittleEndian.PutUint64(e[120:], size)
	return e
}

// words encodes 32-bit numbers in little-endian order.
func words(list []uint32) []byte {
	var b []byte
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// Wide encodes s in little-endian UTF-16.
func Wide(s string) []byte {
	var b []byte
	for _, c := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return b
}
