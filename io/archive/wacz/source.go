package wacz

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
)

// Sizes of what surrounds the data of a gzip member (RFC 1952), in bytes.
const (
	gzipHead = 10
	gzipTail = 8
)

// Source returns the reader of a part, at its Offset. Deflated data of a ZIP file is the inner part of a gzip member,
// so a packed part is delivered as such a member. The gzip head replaces the end of the file's header. Checksum and
// size replace the bytes after the data.
func (p *Package) Source(part *Part) io.ReaderAt {
	if !part.Packed {
		return p.src
	}
	v := &member{src: p.src, from: part.Offset, to: part.Offset + part.Size}
	// Magic, deflate, no flags, no time, nothing of the system.
	copy(v.head[:], "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	if len(part.crcs) > 0 {
		le.PutUint32(v.tail[:], part.crcs[0])
		le.PutUint32(v.tail[4:], part.length)
	}
	return v
}

// member is a file in which some bytes replace those of src.
type member struct {
	src      io.ReaderAt
	from, to int64
	head     [gzipHead]byte
	tail     [gzipTail]byte
}

// ReadAt reads from the file.
func (m *member) ReadAt(b []byte, off int64) (int, error) {
	// The end may lie after that of src.
	n, err := m.src.ReadAt(b, off)
	if err == io.EOF && off+int64(len(b)) <= m.to {
		n, err = len(b), nil
	}
	lay := func(at int64, bytes []byte) {
		if skip := off - at; skip > 0 {
			bytes, at = bytes[min(skip, int64(len(bytes))):], off
		}
		if at < off+int64(n) {
			copy(b[at-off:n], bytes)
		}
	}
	lay(m.from, m.head[:])
	lay(m.to-gzipTail, m.tail[:])
	return n, err
}

// Check reads a part and returns its problem, or nil. It compares the data with the hash in the description, or with
// the checksums of the ZIP file if the description has no hash. For a packed part it finds the end of its data. Errors
// are those of reading the file.
func (p *Package) Check(part *Part) (*Problem, error) {
	changed := func(format string, args ...any) *Problem {
		args = append([]any{part.Name}, args...)
		return &Problem{Changed: true, Message: fmt.Sprintf("%.200q has "+format, args...)}
	}
	described, checksums := part.described(), part.checksums()
	// The length first, which costs nothing.
	if !part.Packed && !part.isLong(part.Size) {
		return changed("%d bytes, and %s says %d", part.Size, description, part.declared[0].bytes), nil
	}
	if !described && len(checksums) == 0 && !part.Packed {
		return nil, nil
	}
	crc, sha := crc32.NewIEEE(), sha256.New()
	sums := []io.Writer{crc, sha}
	if !part.Packed { // of which one is enough
		sums = sums[:1]
		if described {
			sums[0] = sha
		}
	}
	n, err := p.read(part, io.MultiWriter(sums...))
	if bad := (*InflateError)(nil); errors.As(err, &bad) {
		return changed("data that cannot be inflated: %v", bad.err), nil
	}
	if err != nil {
		return nil, err
	}
	got := hex.EncodeToString(sha.Sum(nil))
	same := slices.ContainsFunc(part.declared, func(d declared) bool { return d.sha256 == got })
	// Proven bytes need no other proof: of two different checksums this is the right one.
	if part.Packed && (same || slices.Contains(checksums, crc.Sum32())) {
		part.crcs, part.length = []uint32{crc.Sum32()}, uint32(n)
	}
	switch {
	case described && !same:
		return changed("another SHA-256 than %s says", description), nil
	case !described && len(checksums) > 0 && !slices.Contains(checksums, crc.Sum32()):
		return changed("another CRC-32 than the ZIP file's directory says"), nil
	}
	return nil, nil
}

// Unproven reports whether damage has removed the checksum that would confirm the bytes of a part. Each file of a ZIP
// file has a checksum, and many have a hash in the description.
func (p *Package) Unproven(part *Part) bool {
	return !p.Sound && !part.described() && len(part.checksums()) == 0
}

// described reports whether the description has a hash of the part.
func (part *Part) described() bool {
	return slices.ContainsFunc(part.declared, func(d declared) bool { return d.sha256 != "" })
}

// checksums are the checksums of the part. 0 is that of a file whose header does not have it.
func (part *Part) checksums() []uint32 {
	return slices.DeleteFunc(slices.Clone(part.crcs), func(sum uint32) bool { return sum == 0 })
}

// IsPackage reports whether a packed part is a WACZ file: by its name and its first bytes.
func (p *Package) IsPackage(part *Part) bool {
	if isRecords(part.Name) || part.Role >= RoleBare {
		return false
	}
	in := bufio.NewReaderSize(io.NewSectionReader(p.src, part.Offset+gzipHead, part.Size-gzipHead-gzipTail), 4<<10)
	var head [len(localSig)]byte
	_, err := io.ReadFull(flate.NewReader(in), head[:])
	return err == nil && string(head[:]) == localSig
}

// Inflate writes what a packed part holds to w, and returns how many bytes that is. A WACZ file hardly gets smaller by
// deflating it. More than twice its size and 64 MiB is an *InflateError, like data that does not decode.
func (p *Package) Inflate(part *Part, w io.Writer) (int64, error) {
	return p.read(part, &bounded{w, 2*part.Size + 64<<20})
}

// bounded lets a number of bytes through.
type bounded struct {
	w    io.Writer
	left int64
}

// Write writes to the writer.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, errTooLarge
	}
	b.left -= int64(len(p))
	n, err := b.w.Write(p)
	if err != nil {
		err = &writeError{err}
	}
	return n, err
}

var errTooLarge = errors.New("it becomes far larger than WACZ files do")

// writeError is that of the place that data is written to, and none of the data.
type writeError struct{ error }

// Unwrap returns the error of the place.
func (e *writeError) Unwrap() error { return e.error }

// isLong reports whether an archive may have n bytes, by what the descriptions say.
func (part *Part) isLong(n int64) bool {
	return len(part.declared) == 0 ||
		slices.ContainsFunc(part.declared, func(d declared) bool { return d.bytes == 0 || d.bytes == n })
}

// InflateError is the error of data that does not decode, or becomes far more than WACZ files do.
type InflateError struct{ err error }

// Error is that of the decoder.
func (e *InflateError) Error() string { return e.err.Error() }

// read writes an archive to w, and returns how many bytes it has. It sets the end of a packed one, which is where its
// data ends.
func (p *Package) read(part *Part, w io.Writer) (int64, error) {
	buf := make([]byte, 256<<10)
	if !part.Packed {
		return io.CopyBuffer(w, io.NewSectionReader(p.src, part.Offset, part.Size), buf)
	}
	data := io.NewSectionReader(p.src, part.Offset+gzipHead, part.Size-gzipHead-gzipTail)
	src := &faulty{Reader: data}
	in := bufio.NewReaderSize(src, 64<<10) // the decoder takes no byte of it too many, since it gives single bytes
	n, err := io.CopyBuffer(w, flate.NewReader(in), buf)
	if src.err != nil {
		return n, src.err
	}
	if bad := (*writeError)(nil); errors.As(err, &bad) {
		return n, err
	}
	if err != nil {
		return n, &InflateError{err}
	}
	at, err := data.Seek(0, io.SeekCurrent)
	part.Size = min(part.Size, gzipHead+at-int64(in.Buffered())+gzipTail)
	return n, err
}

// faulty keeps the error of a file, so that it is not taken for damage.
type faulty struct {
	io.Reader
	err error
}

// Read reads from the file.
func (f *faulty) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}
