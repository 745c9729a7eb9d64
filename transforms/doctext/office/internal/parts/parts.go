// Package parts opens the ZIP files that office documents and electronic books are, within bounds, and whether or not
// they have their central directory: a crawler that cuts a body takes that away first.
//
//	a, err := parts.Open(body, &doc, doctext.Options{})
//	if err != nil {
//		return err // no ZIP file
//	}
//	xml := a.Read("word/document.xml")
//
// The format is that of APPNOTE.TXT (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT).
package parts

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// ErrFormat is returned, wrapped, for what is not ZIP file.
var ErrFormat = errors.New("not a ZIP file")

const (
	// A bomb is known by its ratio, which the XML of real documents does not come near.
	maxEntries = 20_000  // a book of 2,000 chapters and pictures has 5,000
	maxRatio   = 200     // of the size to the packed size, above freeSize
	freeSize   = 1 << 20 // small parts may be as empty as they like
)

// part is an entry as it is in the file. data is a part of the body, not a copy.
type part struct {
	name      string
	method    uint16
	encrypted bool
	data      []byte // packed; to the end of the file where the length is not known
	exact     bool   // data ends where the part does
	crc       uint32 // when exact
	size      int64  // unpacked, as declared
}

// Archive is an open document. What is wrong with it is noted in the document. Names are compared in lower case, as
// programs of Windows do that write them in one case and refer to them in another.
type Archive struct {
	doc   *doctext.Document
	o     doctext.Options
	parts map[string]*part // by lower-case name
	names []string
	left  *int64 // bytes that may still be unpacked
}

// Open reads the directory of body. Problems, then and later, are added to doc.
func Open(body []byte, doc *doctext.Document, o doctext.Options) (*Archive, error) {
	o = o.WithDefaults()
	// left points to a copy of the bound that belongs to this archive, and to those nested in it.
	return open(body, &Archive{doc: doc, o: o, parts: map[string]*part{}, left: &o.MaxBytes})
}

// Flat returns an archive of parts that are in one file of XML, by their names.
func Flat(contents map[string][]byte, doc *doctext.Document, o doctext.Options) *Archive {
	o = o.WithDefaults()
	a := &Archive{doc: doc, o: o, parts: map[string]*part{}, left: &o.MaxBytes}
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		data := contents[name]
		a.add(&part{
			name: name, method: zip.Store, data: data, exact: true, crc: crc32.ChecksumIEEE(data), size: int64(len(data)),
		})
	}
	return a
}

// Nested opens an archive that is a part of this one. The bytes that it unpacks count as this one's.
func (a *Archive) Nested(body []byte, doc *doctext.Document) (*Archive, error) {
	return open(body, &Archive{doc: doc, o: a.o, parts: map[string]*part{}, left: a.left})
}

// open reads the directory of body into a, or scans for entries. The directory is preferred since only it knows
// deleted entries and lengths; scan serves where it is missing or names nothing that can be read.
func open(body []byte, a *Archive) (*Archive, error) {
	// The standard reader makes an object for each entry of the directory, however many there are.
	if bytes.Count(body, []byte("PK\x01\x02")) > maxEntries {
		a.doc.Add(doctext.KindLimit, "the ZIP file has more than 20,000 entries")
		// Insecure paths are names with ".." or backslashes: nothing is written to disk here, and clean
		// takes them.
	} else if z, err := zip.NewReader(bytes.NewReader(body), int64(len(body))); err == nil || errors.Is(err,
		zip.ErrInsecurePath) {
		a.fromDirectory(z, body)
	}
	// Also when there are too many entries: scan stops at the bound and keeps what it has.
	if len(a.parts) == 0 {
		a.scan(body)
	}
	if len(a.parts) == 0 {
		return nil, ErrFormat
	}
	return a, nil
}

func (a *Archive) fromDirectory(z *zip.Reader, body []byte) {
	for _, f := range z.File {
		// DataOffset reads the entry's own header, which may lie anywhere.
		start, err := f.DataOffset()
		// The sum may overflow: end < start is asked for that.
		end := start + int64(f.CompressedSize64)
		if err != nil || start < 0 || end < start || end > int64(len(body)) {
			a.doc.Add(doctext.KindDamaged, "an entry of the ZIP file lies outside of it")
			continue
		}
		a.add(&part{
			f.Name, f.Method, f.Flags&1 != 0, body[start:end], true, f.CRC32,
			// More than 4 GiB is never unpacked, and the bound keeps the conversion to int64 sound.
			int64(min(f.UncompressedSize64, 1<<32)),
		})
	}
}

// add enters a part under its cleaned name. Of two parts of one name the first counts, in the directory as in the
// scan. Folders are left out.
func (a *Archive) add(p *part) {
	name := clean(p.name)
	key := strings.ToLower(name)
	if _, ok := a.parts[key]; ok || strings.HasSuffix(p.name, "/") {
		return
	}
	a.parts[key] = p
	a.names = append(a.names, name)
}

// clean makes the name of a part of what is written in one: no leading slash, no dots.
func clean(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names are the names of the parts, in the order of the file.
func (a *Archive) Names() []string { return a.names }

// Has reports whether there is a part of that name, in upper or lower case. Names that the document writes are cleaned
// as those of the entries are, so "/word/../word/x.xml" finds its part.
func (a *Archive) Has(name string) bool {
	_, ok := a.parts[strings.ToLower(clean(name))]
	return ok
}

// Read returns what can be read of a part, and nil when there is none of that name. Each call unpacks again and pays
// from the archive's budget: who needs a part twice keeps it.
func (a *Archive) Read(name string) []byte {
	p, ok := a.parts[strings.ToLower(clean(name))]
	if !ok {
		return nil
	}
	// The first bit of the flags; parts of one archive may be encrypted one by one.
	if p.encrypted {
		a.doc.Add(doctext.KindEncrypted, "a password is needed")
		return nil
	}
	var r io.Reader = bytes.NewReader(p.data)
	switch {
	case p.method == zip.Deflate:
		r = flate.NewReader(r)
	case p.method == zip.Store && p.exact:
	// Stored parts without a length: their end has to be looked for.
	case p.method == zip.Store:
		r = bytes.NewReader(stored(p.data))
	// Deflate64, bzip2, LZMA and others: no office program writes them.
	default:
		a.doc.Add(doctext.KindUnsupported, "a part is packed by a method that is not read")
		return nil
	}
	return a.inflate(p, r)
}

func (a *Archive) inflate(p *part, r io.Reader) []byte {
	// The smallest of: a single part's bound, what is left for all, and the ratio. Never negative, so
	// that +1 below is a bound too.
	limit := max(min(a.o.MaxEntry, *a.left, max(freeSize, maxRatio*int64(len(p.data)))), 0)
	var out bytes.Buffer
	// The declared size is a claim: memory for it is taken only as far as the packed bytes make it
	// likely. bytes.Buffer wants MinRead free bytes to see the end without growing.
	out.Grow(int(min(limit, p.size, 20*int64(len(p.data)))) + 2*bytes.MinRead)
	// One byte more than the limit tells a part that was cut from one that just fits.
	_, err := io.Copy(&out, io.LimitReader(r, limit+1))
	b := out.Bytes()
	if int64(len(b)) > limit {
		a.doc.Add(doctext.KindLimit, p.name+" unpacks to more than is read")
		b = b[:limit]
		// What was unpacked before the error is returned: damaged parts of archives keep their beginning.
	} else if err != nil || p.exact && crc32.ChecksumIEEE(b) != p.crc {
		a.doc.Add(doctext.KindDamaged, p.name+" is damaged")
	}
	*a.left -= int64(len(b))
	return b
}
