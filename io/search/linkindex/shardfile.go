package linkindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
	"sort"

	"github.com/gleaner-web/gleaner/schemas"
)

// magic begins each file; its last byte is the version of the format.
const magic = "GLEANLK\x02"

// The sections of a file.
const (
	hosts = iota
	pages
	targets
	sources
	inverse
	sections
)

const (
	pageBytes  = 44 // key, SURT, microseconds (8 each), first row, rows, host (4 each), offset in targets (8)
	entryBytes = 12 // hash (8), number (4)
	hashBytes  = 64 // of a shard, in hexadecimal digits
)

// header is the beginning of a file.
type header struct {
	Magic  [len(magic)]byte
	SHA256 [hashBytes]byte // of the shard
	Bytes  int64           // of the shard
	Size   [sections]int64
	Sum    [sections]uint32 // CRC-32C
}

var headerBytes = int64(binary.Size(header{}))

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged means that a file of the index is damaged. Update makes it again.
var ErrDamaged = errors.New("linkindex: a file is damaged")

// newHeader returns the header of a shard's file, without its sections.
func newHeader(s schemas.Shard) (h header) {
	copy(h.Magic[:], magic)
	copy(h.SHA256[:], s.SHA256)
	h.Bytes = s.Bytes
	return h
}

// is reports whether the file was made of the shard by this version.
func (h header) is(s schemas.Shard) bool {
	want := newHeader(s)
	return h.Magic == want.Magic && h.SHA256 == want.SHA256 && h.Bytes == want.Bytes
}

// file is an open file of the index.
type file struct {
	f      *os.File
	header header
	start  [sections]int64
}

// openFile opens a file and checks its header and size.
func openFile(name string) (x *file, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	x = &file{f: f}
	if err = x.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return x, nil
}

func (x *file) check() error {
	info, err := x.f.Stat()
	if err != nil {
		return err
	}
	data := make([]byte, headerBytes)
	if _, err := x.f.ReadAt(data, 0); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &x.header); err != nil {
		return err
	}
	at := headerBytes
	for i, n := range x.header.Size {
		if n < 0 || n > info.Size()-at {
			return fmt.Errorf("%w: sizes", ErrDamaged)
		}
		x.start[i], at = at, at+n
	}
	if at != info.Size() || string(x.header.Magic[:]) != magic {
		return fmt.Errorf("%w: size or version", ErrDamaged)
	}
	return nil
}

// load reads a section and compares its sum.
func (x *file) load(section int) ([]byte, error) {
	data := make([]byte, x.header.Size[section])
	if _, err := x.f.ReadAt(data, x.start[section]); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if crc32.Checksum(data, castagnoli) != x.header.Sum[section] {
		return nil, fmt.Errorf("%s: %w: checksum mismatch", x.f.Name(), ErrDamaged)
	}
	return data, nil
}

// entries returns how many entries a sorted section has.
func (x *file) entries(section int) int { return int(x.header.Size[section] / entryBytes) }

// windowEntries are read at a time to find a hash. Hashes are spread evenly, so that of 65,536 the right place is
// mostly among these.
const windowEntries = 512

// place returns the number of the first entry with a hash, or of the first one after it.
func (x *file) place(section int, hash uint64) (int, error) {
	var buf [windowEntries * entryBytes]byte
	low, high := 0, x.entries(section) // the result is between them
	first, last := uint64(0), uint64(math.MaxUint64)
	for step := 0; low < high; step++ {
		middle := low + (high-low)/2
		// Every other step halves the rest, whatever the hashes are.
		if step%2 == 0 && first <= hash && hash < last {
			hi, lo := bits.Mul64(hash-first, uint64(high-low))
			n, _ := bits.Div64(hi, lo, last-first)
			middle = low + int(n)
		}
		from := max(low, min(middle-windowEntries/2, high-windowEntries))
		window := buf[:min(windowEntries, high-from)*entryBytes]
		if _, err := x.f.ReadAt(window, x.start[section]+int64(from)*entryBytes); err != nil {
			return 0, err
		}
		n := len(window) / entryBytes
		at := func(i int) uint64 { return binary.LittleEndian.Uint64(window[i*entryBytes:]) }
		switch {
		case at(0) >= hash && from > low:
			high, last = from, at(0)
		case at(n-1) < hash:
			low, first = from+n, at(n-1)
		default:
			return from + sort.Search(n, func(i int) bool { return at(i) >= hash }), nil
		}
	}
	return low, nil
}

// find returns the numbers of a hash in a sorted section, in ascending order.
func (x *file) find(section int, hash uint64) (numbers []uint32, err error) {
	low, err := x.place(section, hash)
	// Entries of a hash are adjacent, and usually few.
	chunk := make([]byte, 64*entryBytes)
	for err == nil && low < x.entries(section) {
		n := min(len(chunk), (x.entries(section)-low)*entryBytes)
		if _, err = x.f.ReadAt(chunk[:n], x.start[section]+int64(low)*entryBytes); err != nil {
			break
		}
		for at := 0; at < n; at += entryBytes {
			if binary.LittleEndian.Uint64(chunk[at:]) != hash {
				return numbers, nil
			}
			numbers = append(numbers, binary.LittleEndian.Uint32(chunk[at+8:]))
		}
		low += n / entryBytes
	}
	return numbers, err
}

// record is a page of a file.
type record struct {
	key, surt uint64
	micros    int64  // time since 1970; see noTime
	first     uint32 // row of the shard
	rows      uint32
	host      uint32
	targets   uint64 // offset
}

func parseRecord(b []byte) record {
	le := binary.LittleEndian
	return record{
		key: le.Uint64(b), surt: le.Uint64(b[8:]), micros: int64(le.Uint64(b[16:])), first: le.Uint32(b[24:]),
		rows: le.Uint32(b[28:]), host: le.Uint32(b[32:]), targets: le.Uint64(b[36:]),
	}
}

func (r record) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(le.AppendUint64(b, r.key), r.surt)
	b = le.AppendUint32(le.AppendUint64(b, uint64(r.micros)), r.first)
	b = le.AppendUint32(le.AppendUint32(b, r.rows), r.host)
	return le.AppendUint64(b, r.targets)
}

// records returns how many pages the file has.
func (x *file) records() int { return int(x.header.Size[pages] / pageBytes) }

// record reads the page of a number.
func (x *file) record(number int) (r record, err error) {
	var b [pageBytes]byte
	if number < 0 || number >= x.records() {
		return r, fmt.Errorf("%s: %w: page %d", x.f.Name(), ErrDamaged, number)
	}
	_, err = x.f.ReadAt(b[:], x.start[pages]+int64(number)*pageBytes)
	return parseRecord(b[:]), err
}
