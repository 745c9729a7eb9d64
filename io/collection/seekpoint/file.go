package seekpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

var (
	// ErrFormat means that a file of points is damaged, or of another version.
	ErrFormat = errors.New("seekpoint: not a file of points")
	// ErrStale means that the points are of another archive, or that the archive was changed.
	ErrStale = errors.New("seekpoint: the archive is not the one that the points are of")
	// ErrNone means that no point is before the record.
	ErrNone = errors.New("seekpoint: no point before the record")
)

// The file has a head, a row for each point, a CRC-32 of both, and the windows. Numbers are little endian.
const (
	magic    = "GLSEEK1\n" // the digit is the version
	headSize = 8 + 8 + 8 + sha256.Size + 4
	rowSize  = 8 + 8 + 8 + 8 + 4 + 4 + 4
	// ends is how many bytes of an archive's first and last ones are hashed.
	ends = 16 << 10
)

var dir = holdings.Hidden("seek")

// Name returns the name, in a collection, of the file of points of an archive's member.
func Name(file string, start int64) string { return fmt.Sprintf("%s/%s-%d", dir, prefix(file), start) }

// prefix is the first part of the names of an archive's points.
func prefix(file string) string {
	sum := sha256.Sum256([]byte(file))
	return hex.EncodeToString(sum[:16])
}

// Keep removes the points of all archives that are not in units.
func Keep(f folder.Folder, units []schemas.UnitResult) error {
	names, err := f.Names(dir)
	if err != nil || len(names) == 0 {
		return err
	}
	keep := map[string]bool{}
	for _, u := range units {
		for _, in := range u.Inputs {
			keep[prefix(in.File)] = true
		}
	}
	for _, name := range names {
		if archive, _, _ := strings.Cut(name, "-"); !keep[archive] {
			err = errors.Join(err, f.Remove(dir+"/"+name))
		}
	}
	return err
}

// Prepare makes the folder of points. An error means that the collection cannot be written.
func Prepare(f folder.Changes) error { return f.Make(dir) }

// Clear removes all points of a collection.
func Clear(f folder.Changes) error { return f.RemoveAll(dir) }

// identity hashes the first and last bytes of an archive.
func identity(src io.ReaderAt, size int64) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	b := make([]byte, min(ends, size))
	for _, at := range []int64{0, size - int64(len(b))} {
		if n, err := src.ReadAt(b, at); n < len(b) {
			return sum, fmt.Errorf("reading at byte %d: %w", at, err)
		}
		h.Write(b)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// encode returns the file of a member's points.
func (b *Builder) encode(m *points) []byte {
	o := binary.LittleEndian
	out := append(make([]byte, 0, headSize+len(m.list)*rowSize+4), magic...)
	out = o.AppendUint64(out, uint64(b.size))
	out = o.AppendUint64(out, uint64(m.start))
	out = append(out, b.identity[:]...)
	out = o.AppendUint32(out, uint32(len(m.list)))
	for _, p := range m.list {
		out = o.AppendUint64(out, uint64(p.At))
		out = o.AppendUint64(out, uint64(p.Decoded))
		out = o.AppendUint64(out, uint64(p.head))
		out = o.AppendUint64(out, uint64(p.ordinal))
		out = o.AppendUint32(out, p.CRC)
		out = o.AppendUint32(out, uint32(p.Bits))
		out = o.AppendUint32(out, uint32(len(p.window)))
	}
	out = o.AppendUint32(out, crc32.ChecksumIEEE(out))
	for _, p := range m.list {
		out = append(out, p.window...)
	}
	return out
}

// Points are the points of a member, from a file. They are not safe for concurrent use.
type Points struct {
	src  io.ReaderAt // the archive
	size int64
	in   io.ReaderAt // the file of points
	list []row
}

// row is a point with the place of its window.
type row struct {
	point
	at     int64
	length int
}

// Parse reads a file of points of inSize bytes for the archive in src, which has size bytes. It returns ErrFormat or
// ErrStale if it does not fit. Windows are read later.
func Parse(in io.ReaderAt, inSize int64, start int64, src io.ReaderAt, size int64) (*Points, error) {
	o := binary.LittleEndian
	var head [headSize]byte
	if n, err := in.ReadAt(head[:], 0); n < len(head) {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	count := o.Uint32(head[headSize-4:])
	if string(head[:8]) != magic || count > maxPoints {
		return nil, fmt.Errorf("%w: %.8q, %d points", ErrFormat, head[:8], count)
	}
	table := make([]byte, int(count)*rowSize+4)
	if n, err := in.ReadAt(table, headSize); n < len(table) {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	rows := table[:len(table)-4]
	if crc32.Update(crc32.ChecksumIEEE(head[:]), crc32.IEEETable, rows) != o.Uint32(table[len(rows):]) {
		return nil, fmt.Errorf("%w: wrong checksum", ErrFormat)
	}
	if o.Uint64(head[8:]) != uint64(size) || o.Uint64(head[16:]) != uint64(start) {
		return nil, ErrStale
	}
	sum, err := identity(src, size)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(sum[:], head[24:24+sha256.Size]) {
		return nil, ErrStale
	}
	p := &Points{src: src, size: size, in: in}
	return p, p.parse(rows, start, inSize)
}

// parse parses the rows of points.
func (p *Points) parse(b []byte, start, size int64) error {
	o := binary.LittleEndian
	last := row{point: point{Point: member.Point{At: start}}, at: headSize + int64(len(b)) + 4}
	for ; len(b) > 0; b = b[rowSize:] {
		r := row{at: last.at + int64(last.length), length: int(o.Uint32(b[40:]))}
		r.Point = member.Point{
			Member: start, At: int64(o.Uint64(b)), Decoded: int64(o.Uint64(b[8:])), CRC: o.Uint32(b[32:]),
			Bits: uint8(o.Uint32(b[36:])),
		}
		r.head = int64(o.Uint64(b[16:]))
		ordinal := o.Uint64(b[24:])
		if r.At <= last.At || r.At > p.size || r.Decoded <= last.Decoded || r.length > 2*windowSize ||
			r.at+int64(r.length) > size || o.Uint32(b[36:]) > 7 || ordinal > math.MaxInt32 {
			return fmt.Errorf("%w: point %d", ErrFormat, len(p.list))
		}
		// Points without a record are the last ones.
		r.ordinal = int(ordinal)
		if r.head >= 0 && (r.head < r.Decoded || r.ordinal < last.ordinal || last.head < 0) {
			return fmt.Errorf("%w: record of point %d", ErrFormat, len(p.list))
		}
		p.list = append(p.list, r)
		last = r
	}
	return nil
}

// Open opens the points of an archive's member in a collection. It returns fs.ErrNotExist if there are none. The caller
// closes the result.
func Open(f folder.Files, file string, start int64, src io.ReaderAt, size int64) (*Points, error) {
	in, err := f.Open(Name(file, start))
	if err != nil {
		return nil, err
	}
	p, err := Parse(in, in.Size(), start, src, size)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return p, nil
}

// Close closes the file of points.
func (p *Points) Close() error {
	if c, ok := p.in.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Find returns the place from which the record with this ordinal is read. ErrNone means the member's start.
func (p *Points) Find(ordinal int) (from record.From, err error) {
	i := len(p.list) - 1
	for i >= 0 && (p.list[i].head < 0 || p.list[i].ordinal > ordinal) {
		i--
	}
	if i < 0 {
		return from, ErrNone
	}
	r := p.list[i]
	window, next := make([]byte, r.length), make([]byte, min(member.KeyBytes, p.size-r.At))
	if n, err := p.in.ReadAt(window, r.at); n < len(window) {
		return from, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if n, err := p.src.ReadAt(next, r.At); n < len(next) {
		return from, fmt.Errorf("reading at byte %d: %w", r.At, err)
	}
	from.Point, from.Head, from.Ordinal = r.Point, r.head, r.ordinal
	if from.History, err = unseal(r.Point, window, next); err != nil {
		return from, err
	}
	for _, c := range p.list[i+1:] {
		from.Checks = append(from.Checks, c.Point)
	}
	return from, nil
}
