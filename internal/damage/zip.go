package damage

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"

	"github.com/klauspost/compress/flate"
)

// zipFile is a file in a ZIP file, with the offsets of its parts.
type zipFile struct {
	name     string
	data     []byte // as stored
	size     int    // uncompressed
	crc      uint32
	deflated bool
	archive  *File // the content, or nil

	header, content, entry, end int // offsets of local header, data, directory entry, and the data's end
}

// zipForm is a valid form of a ZIP file.
type zipForm struct {
	zip64      bool
	descriptor int    // size of the data descriptor, or 0: 12, 16, 20, 24
	extra      int    // size of extra fields in bytes
	comment    string // of the ZIP file and of each file
	front      []byte // bytes in front of the ZIP file
	absolute   bool   // offsets include front
	padding    int    // zeros after each file
}

// zipped is a ZIP file with the offsets for damage.
type zipped struct {
	File
	files          []*zipFile
	directory, end int // their offsets
}

// form returns a random form.
func form(r *rand.Rand) zipForm {
	f := zipForm{zip64: r.IntN(4) == 0}
	if r.IntN(3) == 0 {
		f.descriptor = []int{12, 16}[r.IntN(2)]
		if f.zip64 {
			f.descriptor += 8
		}
	}
	if r.IntN(3) == 0 {
		f.extra = 4 + r.IntN(40)
	}
	if r.IntN(4) == 0 {
		f.comment = strings.Repeat("made by a test. ", 1+r.IntN(200))
	}
	if r.IntN(5) == 0 {
		f.front, f.absolute = []byte("#!/bin/sh\n"+strings.Repeat("exit\n", r.IntN(500))), r.IntN(2) == 0
	}
	if r.IntN(5) == 0 {
		f.padding = 1 + r.IntN(100)
	}
	return f
}

// container returns a WACZ file of some archives in different layouts.
func container(r *rand.Rand, pages int, tag string) *zipped {
	z, folder := &zipped{}, ""
	if r.IntN(5) == 0 {
		folder = "my-crawl/"
	}
	layouts := []string{GzipEach, GzipEach, Plain, GzipSome, ZstdEach}
	var resources []string
	for i := range 1 + r.IntN(4) {
		layout := layouts[r.IntN(len(layouts))]
		c := Case{
			Layout: layout, Seed: r.Uint64(), Pages: pages, MaxBody: 20_000, Digests: r.IntN(2) == 0, Lengths: r.IntN(2) == 0,
			Host: fmt.Sprintf("%s-%d", tag, i),
		}
		a := c.archive(r).lay(layout)
		f := &zipFile{name: fmt.Sprintf("%sarchive/%s-%d%s", folder, tag, i, c.Ext()), archive: a}
		f.store(a.Data, r.IntN(5) == 0)
		resources = append(resources, f.resource(a.Data, folder))
		z.files = append(z.files, f)
	}
	for _, name := range []string{"pages/pages.jsonl", "indexes/index.cdxj", "logs/crawl.log"} {
		f := &zipFile{name: folder + name}
		data := []byte(strings.Repeat(`{"id": "pages", "title": "All Pages"}`+"\n", r.IntN(50)))
		f.store(data, r.IntN(2) == 0)
		resources = append(resources, f.resource(data, folder))
		z.files = append(z.files, f)
	}
	if r.IntN(4) > 0 {
		f := &zipFile{name: folder + "datapackage.json"}
		f.store(fmt.Appendf(nil, `{"profile": "data-package", "wacz_version": "1.1.1", "resources": [%s]}`,
			strings.Join(resources, ",")), r.IntN(3) == 0)
		z.files = append(z.files, f)
	}
	r.Shuffle(len(z.files), func(i, j int) { z.files[i], z.files[j] = z.files[j], z.files[i] })
	z.write(r, form(r))
	return z
}

// store sets the data of a file.
func (f *zipFile) store(data []byte, deflate bool) {
	f.data, f.size, f.crc, f.deflated = data, len(data), crc32.ChecksumIEEE(data), deflate
	if !deflate {
		return
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	f.data = b.Bytes()
}

// resource returns the description of a file.
func (f *zipFile) resource(data []byte, folder string) string {
	return fmt.Sprintf(`{"path": %q, "hash": "sha256:%x", "bytes": %d}`, strings.TrimPrefix(f.name, folder),
		sha256.Sum256(data), len(data))
}

var le = binary.LittleEndian

// write writes the ZIP file: APPNOTE.TXT 6.3.10, section 4.3.
func (z *zipped) write(r *rand.Rand, o zipForm) {
	z.Data = append(z.Data, o.front...)
	base := len(o.front)
	if o.absolute {
		base = 0
	}
	for _, f := range z.files {
		z.put(f, o)
		z.Data = append(z.Data, make([]byte, o.padding)...)
	}
	z.directory = len(z.Data)
	for _, f := range z.files {
		f.entry = len(z.Data)
		z.Data = append(z.Data, "PK\x01\x02\x1e\x03"...)
		z.Data = f.facts(z.Data, o, false)
		extra := extras(o, f.size, len(f.data), f.header-base)
		z.Data = le.AppendUint16(le.AppendUint16(z.Data, uint16(len(f.name))), uint16(len(extra)))
		z.Data = append(le.AppendUint16(z.Data, uint16(len(o.comment))), make([]byte, 8)...)
		z.Data = le.AppendUint32(z.Data, narrow(o, f.header-base))
		z.Data = append(append(append(z.Data, f.name...), extra...), o.comment...)
	}
	z.end = len(z.Data)
	n, size, at := len(z.files), z.end-z.directory, z.directory-base
	if o.zip64 {
		z.Data = le.AppendUint64(append(z.Data, "PK\x06\x06"...), 44)
		z.Data = append(z.Data, "\x2d\x00\x2d\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
		for _, v := range []int{n, n, size, at} {
			z.Data = le.AppendUint64(z.Data, uint64(v))
		}
		z.Data = append(le.AppendUint64(append(z.Data, "PK\x06\x07\x00\x00\x00\x00"...), uint64(z.end)), 1, 0, 0, 0)
	}
	z.Data = append(z.Data, "PK\x05\x06\x00\x00\x00\x00"...)
	z.Data = le.AppendUint16(le.AppendUint16(z.Data, uint16(n)), uint16(n))
	z.Data = le.AppendUint32(le.AppendUint32(z.Data, uint32(size)), narrow(o, at))
	z.Data = append(le.AppendUint16(z.Data, uint16(len(o.comment))), o.comment...)
}

// put writes a file with its local header and data descriptor.
func (z *zipped) put(f *zipFile, o zipForm) {
	f.header = len(z.Data)
	z.Data = f.facts(append(z.Data, "PK\x03\x04"...), o, o.descriptor > 0)
	extra := extras(o, f.size, len(f.data), -1)
	if o.descriptor > 0 {
		extra = extras(zipForm{extra: o.extra}, 0, 0, -1)
	}
	z.Data = le.AppendUint16(le.AppendUint16(z.Data, uint16(len(f.name))), uint16(len(extra)))
	z.Data = append(append(z.Data, f.name...), extra...)
	f.content = len(z.Data)
	z.Data = append(z.Data, f.data...)
	f.end = len(z.Data)
	if f.archive != nil {
		for _, p := range f.archive.Pages {
			p.From, p.To = p.From+f.content, p.To+f.content
			if f.deflated { // a page needs the whole stream
				p.From, p.To = f.content, f.end
			}
			// The ZIP file has a checksum of each file.
			p.Checked = true
			z.Pages = append(z.Pages, p)
		}
	}
	if o.descriptor == 16 || o.descriptor == 24 {
		z.Data = append(z.Data, "PK\x07\x08"...)
	}
	switch {
	case o.descriptor >= 20:
		z.Data = le.AppendUint64(le.AppendUint64(le.AppendUint32(z.Data, f.crc), uint64(len(f.data))), uint64(f.size))
	case o.descriptor > 0:
		z.Data = le.AppendUint32(le.AppendUint32(le.AppendUint32(z.Data, f.crc), uint32(len(f.data))), uint32(f.size))
	}
}

// facts appends the common part of local header and directory entry: from the needed version to the size.
func (f *zipFile) facts(b []byte, o zipForm, later bool) []byte {
	flags, method, crc := uint16(0), uint16(0), f.crc
	packed, size := narrow(o, len(f.data)), narrow(o, f.size)
	if o.descriptor > 0 {
		flags = 8
	}
	if f.deflated {
		method = 8
	}
	if later {
		crc, packed, size = 0, 0, 0
	}
	b = le.AppendUint16(le.AppendUint16(le.AppendUint16(b, 20), flags), method)
	b = append(b, 0, 0, 0x21, 0x58)
	return le.AppendUint32(le.AppendUint32(le.AppendUint32(b, crc), packed), size)
}

func narrow(o zipForm, n int) uint32 {
	if o.zip64 {
		return 0xffffffff
	}
	return uint32(n)
}

// extras returns the extra fields: others, and for ZIP64 the sizes and the offset at, unless it is -1.
func extras(o zipForm, size, packed, at int) (b []byte) {
	if o.extra > 0 {
		b = append(le.AppendUint16(append(b, 0xfe, 0xca), uint16(o.extra-4)), make([]byte, o.extra-4)...)
	}
	if !o.zip64 {
		return b
	}
	values := []int{size, packed}
	if at >= 0 {
		values = append(values, at)
	}
	b = le.AppendUint16(append(b, 1, 0), uint16(8*len(values)))
	for _, v := range values {
		b = le.AppendUint64(b, uint64(v))
	}
	return b
}
