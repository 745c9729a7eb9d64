// Package parts opens the ZIP files of office documents and electronic books, within bounds. The central directory may
// be missing: it is at the end of a file, so a crawler that truncates a body removes it.
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

// ErrFormat is returned, wrapped, for input that is not a ZIP file.
var ErrFormat = errors.New("not a ZIP file")

const (
	// A zip bomb has a ratio that the XML of real documents does not reach.
	maxEntries = 20_000  // a book of 2,000 chapters and pictures has 5,000
	maxRatio   = 200     // of the size to the packed size, above freeSize
	freeSize   = 1 << 20 // small parts may have any ratio
)

// part is an entry of the file. Field data is a slice of the body.
type part struct {
	name      string
	method    uint16
	encrypted bool
	data      []byte // packed; up to the end of the file if the length is not known
	exact     bool   // data ends at the part's end
	crc       uint32 // set if exact is
	size      int64  // unpacked, as declared
}

// Archive is an open document. Faults are noted in the document. Names are compared in lower case, since some Windows
// programs refer to names in a different case.
type Archive struct {
	doc   *doctext.Document
	o     doctext.Options
	parts map[string]*part // by lower-case name
	names []string
	left  *int64 // bytes that may still be unpacked
}

// Open reads the directory of body. All problems, including later ones, are added to doc.
func Open(body []byte, doc *doctext.Document, o doctext.Options) (*Archive, error) {
	o = o.WithDefaults()
	// Field left points to a bound that this archive shares with the archives nested in it.
	return open(body, &Archive{doc: doc, o: o, parts: map[string]*part{}, left: &o.MaxBytes})
}

// Flat returns an archive of the named parts of a document in one XML file.
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

// Nested opens an archive inside this one. Its unpacked bytes count towards this archive's bound.
func (a *Archive) Nested(body []byte, doc *doctext.Document) (*Archive, error) {
	return open(body, &Archive{doc: doc, o: a.o, parts: map[string]*part{}, left: a.left})
}

// open reads the directory of body into a, or scans for entries. It prefers the directory, since only that tells
// deleted entries and lengths. It scans if the directory is missing or names nothing readable.
func open(body []byte, a *Archive) (*Archive, error) {
	// The standard reader makes an object for each entry of the directory, however many there are.
	if bytes.Count(body, []byte("PK\x01\x02")) > maxEntries {
		a.doc.Add(doctext.KindLimit, "the ZIP file has more than 20,000 entries")
		// Insecure paths are names with ".." or backslashes. Nothing is written to disk, and clean removes them.
	} else if z, err := zip.NewReader(bytes.NewReader(body), int64(len(body))); err == nil || errors.Is(err,
		zip.ErrInsecurePath) {
		a.fromDirectory(z, body)
	}
	// This also happens if there are too many entries: scan stops at the bound and keeps the first ones.
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
		// DataOffset reads the entry's own header, which may be anywhere.
		start, err := f.DataOffset()
		// The sum may overflow; end < start tests for that.
		end := start + int64(f.CompressedSize64)
		if err != nil || start < 0 || end < start || end > int64(len(body)) {
			a.doc.Add(doctext.KindDamaged, "an entry of the ZIP file lies outside of it")
			continue
		}
		a.add(&part{
			f.Name, f.Method, f.Flags&1 != 0, body[start:end], true, f.CRC32,
			// Parts over 4 GiB are never unpacked, and the bound keeps the conversion to int64 safe.
			int64(min(f.UncompressedSize64, 1<<32)),
		})
	}
}

// add adds a part under its cleaned name. Of two parts with one name the first counts. Folders are left out.
func (a *Archive) add(p *part) {
	name := clean(p.name)
	key := strings.ToLower(name)
	if _, ok := a.parts[key]; ok || strings.HasSuffix(p.name, "/") {
		return
	}
	a.parts[key] = p
	a.names = append(a.names, name)
}

// clean turns a name written in the archive or document into the name of a part: no leading slash, no dots.
func clean(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names returns the names of the parts, in the order of the file.
func (a *Archive) Names() []string { return a.names }

// Has reports whether there is a part with that name, ignoring case. The name is cleaned, so "/word/../word/x.xml"
// finds its part.
func (a *Archive) Has(name string) bool {
	_, ok := a.parts[strings.ToLower(clean(name))]
	return ok
}

// Read returns the readable content of a part, or nil if no part has that name. Each call unpacks again and uses up
// the archive's budget, so callers that need a part twice should keep it.
func (a *Archive) Read(name string) []byte {
	p, ok := a.parts[strings.ToLower(clean(name))]
	if !ok {
		return nil
	}
	// Each part of an archive has its own flag for encryption.
	if p.encrypted {
		a.doc.Add(doctext.KindEncrypted, "a password is needed")
		return nil
	}
	var r io.Reader = bytes.NewReader(p.data)
	switch {
	case p.method == zip.Deflate:
		r = flate.NewReader(r)
	case p.method == zip.Store && p.exact:
	// The end of a stored part without a length must be searched for.
	case p.method == zip.Store:
		r = bytes.NewReader(stored(p.data))
	// These are Deflate64, bzip2, LZMA and others. No office program writes them.
	default:
		a.doc.Add(doctext.KindUnsupported, "a part is packed by a method that is not read")
		return nil
	}
	return a.inflate(p, r)
}

func (a *Archive) inflate(p *part, r io.Reader) []byte {
	// The limit is the smallest of the bound for one part, the rest for all, and the ratio. It is never negative, so
	// limit+1 below is a bound too.
	limit := max(min(a.o.MaxEntry, *a.left, max(freeSize, maxRatio*int64(len(p.data)))), 0)
	var out bytes.Buffer
	// The declared size may be false. Memory is reserved only as far as the packed size makes it likely. A
	// bytes.Buffer needs MinRead free bytes to find the end without growing.
	out.Grow(int(min(limit, p.size, 20*int64(len(p.data)))) + 2*bytes.MinRead)
	// One byte more than the limit distinguishes a truncated part from one that just fits.
	_, err := io.Copy(&out, io.LimitReader(r, limit+1))
	b := out.Bytes()
	if int64(len(b)) > limit {
		a.doc.Add(doctext.KindLimit, p.name+" unpacks to more than is read")
		b = b[:limit]
		// Bytes unpacked before the error are returned, so damaged parts keep their beginning.
	} else if err != nil || p.exact && crc32.ChecksumIEEE(b) != p.crc {
		a.doc.Add(doctext.KindDamaged, p.name+" is damaged")
	}
	*a.left -= int64(len(b))
	return b
}
