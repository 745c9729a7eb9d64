// Package wacz reads and writes the container of WACZ files: a ZIP with WARC files, an index, a list of pages, and a
// description with the SHA-256 of each. The format is version 1.1.1 of the WACZ specification of Webrecorder
// (specs.webrecorder.net/wacz/1.1.1); that of the older description, whose hashes stand in "stats", is read too.
//
// The archives in it are stored as they are, so that records are read in place: [Package.Parts] says where. Reading
// them is package archive's matter.
//
//	p, err := wacz.Open(file, size)
//	for _, part := range p.Parts {
//		fmt.Println(part.Name, part.Offset, part.Size)
//	}
package wacz

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

const (
	folder      = "archive/"
	description = "datapackage.json"
	signature   = "datapackage-digest.json"
	// maxDescription bounds the description, of some 200 bytes for each file; in bytes.
	maxDescription = 16 << 20
)

// ErrFormat is the kind of errors of what is no WACZ file.
var ErrFormat = errors.New("not a WACZ file")

// Part is an archive that stands in a WACZ file as it is.
type Part struct {
	Name         string // "archive/data.warc.gz"
	Offset, Size int64  // of its bytes in the WACZ file
	sha256       string // hexadecimal, as declared; or empty
	crc32        uint32 // of the ZIP file's directory
	bytes        int64  // as declared; 0 when they are not
}

// Problem is what is wrong with a WACZ file.
type Problem struct {
	Offset, Length int64 // of the bytes that cannot be read; 0 and 0 when all can
	Unsupported    bool  // the file may be sound
	Changed        bool  // the archive's bytes are not those that were written
	Message        string
}

// Package is an open WACZ file.
type Package struct {
	Parts    []Part    // in the order of their offsets; they do not overlap
	Problems []Problem // of archives that are not among the parts, and of the description
	src      io.ReaderAt
}

// Is tells by its first bytes and its directory whether a file is WACZ. The error is the file's own.
func Is(src io.ReaderAt, size int64) (bool, error) {
	// The first four bytes are those of a ZIP file's first local header; asking for them spares most files the
	// search for a directory at the end.
	head := make([]byte, 4)
	if n, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, err
	} else if string(head[:n]) != "PK\x03\x04" {
		return false, nil
	}
	_, err := Open(src, size)
	// It is some other ZIP file.
	if errors.Is(err, ErrFormat) {
		return false, nil
	}
	return err == nil, err
}

// Open reads the directory and the description of a WACZ file. An error is of kind ErrFormat, or the file's own.
func Open(src io.ReaderAt, size int64) (*Package, error) {
	f := &faulty{ReaderAt: src}
	z, err := zip.NewReader(f, size)
	// First: the ZIP package may make "not a valid zip file" of an error of the disk.
	if f.err != nil {
		return nil, f.err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	p := &Package{src: src}
	archives := 0
	for _, file := range z.File {
		// Folders have entries of their own, whose names end in a slash.
		if strings.HasPrefix(file.Name, folder) && !strings.HasSuffix(file.Name, "/") {
			archives++
			p.add(file, size)
		}
	}
	if archives == 0 {
		return nil, fmt.Errorf("%w: there is no file in %s", ErrFormat, folder)
	}
	p.separate()
	p.describe(z)
	// A failure of the disk while describing, which describe takes for a damaged description.
	return p, f.err
}

// faulty keeps the error of a file, so that it is not taken for damage.
type faulty struct {
	io.ReaderAt
	err error
}

// ReadAt reads from the file.
func (f *faulty) ReadAt(p []byte, off int64) (int, error) {
	// Local files answer so by an error, others would not; and it is damage, not the disk's fault.
	if off < 0 { // a directory may say so
		return 0, ErrFormat
	}
	n, err := f.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// add adds an archive to the parts, unless it cannot be read in place.
func (p *Package) add(file *zip.File, size int64) {
	// It reads the file's own header, since the directory does not say how long that is.
	at, err := file.DataOffset()
	// Never beyond the file, whatever the directory says; at may be larger than size, too.
	length := int64(min(file.CompressedSize64, uint64(max(size-at, 0))))
	switch {
	case err != nil || at < 0 || at >= size:
		p.problem(0, 0, false, "%.200q is not where the directory says", file.Name)
	// Bit 0 of the flags says that it is encrypted.
	case file.Method != zip.Store || file.Flags&1 != 0:
		p.problem(at, length, true, "%.200q is compressed or encrypted inside the ZIP file; WACZ asks for it to be stored",
			file.Name)
	default:
		// What is there is read all the same.
		if uint64(length) < file.CompressedSize64 {
			p.problem(0, 0, false, "%.200q ends behind the file", file.Name)
		}
		p.Parts = append(p.Parts, Part{Name: file.Name, Offset: at, Size: length, crc32: file.CRC32})
	}
}

func (p *Package) problem(at, length int64, unsupported bool, format string, args ...any) {
	p.Problems = append(p.Problems, Problem{
		Offset: at, Length: length, Unsupported: unsupported, Message: fmt.Sprintf(format, args...),
	})
}

// separate sorts the parts and leaves out those that overlap: a directory may name the same bytes any number of times.
func (p *Package) separate() {
	// Stable, so that of two at the same place the one that the directory names first is kept.
	slices.SortStableFunc(p.Parts, func(a, b Part) int { return cmp.Compare(a.Offset, b.Offset) })
	end := int64(0)
	p.Parts = slices.DeleteFunc(p.Parts, func(part Part) bool {
		// Overlapping parts would make a small file yield any amount of data.
		if part.Offset < end {
			p.problem(0, 0, false, "%.200q stands inside another archive", part.Name)
			return true
		}
		end = part.Offset + part.Size
		return false
	})
}

// resource is a file in the description, in the form of today or that of 2020.
type resource struct {
	Path  string `json:"path"`
	Hash  string `json:"hash"` // "sha256:…"
	Bytes int64  `json:"bytes"`
	Stats struct {
		Hash  string `json:"hash"` // without the algorithm
		Bytes int64  `json:"bytes"`
	} `json:"stats"`
}

// describe reads what the description says of the parts.
func (p *Package) describe(z *zip.Reader) {
	// Without a description the archives can still be read, so it is only a problem.
	raw, err := read(z, description)
	if err != nil {
		p.problem(0, 0, false, "%s: %v", description, err)
		return
	}
	var d struct {
		Resources []resource `json:"resources"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		p.problem(0, 0, false, "%s: %v", description, err)
		return
	}
	p.checkSignature(z, raw)
	// By path, since resources may stand in any order, and other files among them.
	known := map[string]resource{}
	// Of several with one path the last counts.
	for _, r := range d.Resources {
		known[r.Path] = r
	}
	for i := range p.Parts {
		// For a part that is not described this is the zero value: nothing is compared.
		r := known[p.Parts[i].Name]
		p.Parts[i].sha256, p.Parts[i].bytes = bareHash(cmp.Or(r.Hash, r.Stats.Hash)), cmp.Or(r.Bytes, r.Stats.Bytes)
	}
}

// checkSignature compares the description with its own hash, where there is one.
func (p *Package) checkSignature(z *zip.Reader, raw []byte) {
	var s struct {
		Hash string `json:"hash"`
	}
	b, err := read(z, signature)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return // it may be absent
	}
	if want, got := bareHash(s.Hash), sha256.Sum256(raw); want != "" && want != hex.EncodeToString(got[:]) {
		p.problem(0, 0, false, "%s has another SHA-256 than %s says", description, signature)
	}
}

// bareHash is a SHA-256 without its name; other algorithms are not known.
func bareHash(s string) string {
	s = strings.ToLower(strings.TrimPrefix(s, "sha256:"))
	// Its letters are not checked: a hash that holds others will not be equal to any.
	if len(s) != 2*sha256.Size || strings.Contains(s, ":") {
		return ""
	}
	return s
}

// read reads a small file of the ZIP.
func read(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	// One byte more than allowed, by which a longer one is noticed.
	_, err = io.Copy(&b, io.LimitReader(f, maxDescription+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if b.Len() > maxDescription {
		return nil, fmt.Errorf("it has more than %d bytes", maxDescription)
	}
	return b.Bytes(), nil
}

// Check reads a part and compares it with the description, or where that says no hash, with the checksum that each file
// in a ZIP file has: a problem, or nil. The error is the file's own.
func (p *Package) Check(part Part) (*Problem, error) {
	changed := func(format string, args ...any) *Problem {
		return &Problem{Changed: true, Message: fmt.Sprintf("%.200q has "+format, append([]any{part.Name}, args...)...)}
	}
	// The length first, which costs nothing.
	if part.bytes > 0 && part.bytes != part.Size {
		return changed("%d bytes, and %s says %d", part.Size, description, part.bytes), nil
	}
	h, want := sha256.New(), part.sha256
	why := "another SHA-256 than " + description + " says"
	if want == "" {
		h, want = crc32.NewIEEE(), fmt.Sprintf("%08x", part.crc32)
		why = "another CRC-32 than the ZIP file's directory says"
	}
	// Neither is known of what a file without a directory has.
	if part.sha256 == "" && part.crc32 == 0 {
		return nil, nil
	}
	// It reads the whole part, in pieces of 256 KiB.
	if _, err := io.CopyBuffer(h, io.NewSectionReader(p.src, part.Offset, part.Size), make([]byte, 256<<10)); err != nil {
		return nil, err
	}
	if hex.EncodeToString(h.Sum(nil)) != want {
		return changed("%s", why), nil
	}
	return nil, nil
}
