package imageindex

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"github.com/gleaner-web/gleaner/schemas"
)

// Place identifies a capture by its record.
func Place(d *schemas.Document) uint64 {
	return xxhash.Sum64String(d.Filename + "\x00" + strconv.FormatInt(d.Offset, 10) + "\x00" + strconv.Itoa(d.Sequence))
}

// hashOf returns the hash of a SURT or digest. They come from archives, so nobody must be able to make collisions.
func hashOf(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.LittleEndian.Uint64(sum[:])
}

// image is a capture of an image.
type image struct {
	row    uint32
	surt   uint64 // hash
	place  uint64
	same   uint64 // hash of the digest, or of the SURT if there is none
	hash   uint64 // perceptual; 0 if there is none
	time   int64  // microseconds; 0 if unknown
	width  uint32
	height uint32
	frames uint32
	format uint32 // a name
	host   uint32 // a name
	words  span   // of the file's name, and of EXIF

	url   uint32 // number of the SURT: see Index.number
	group uint32 // number of the image
}

// use is a page that shows an image.
type use struct {
	row      uint32
	surt     uint64 // hash of the image's URL
	place    uint64 // of the page
	language uint32 // a name
	host     uint32 // a name
	words    span
	url      uint32 // number of the SURT
}

// span is a part of the section of words. It has terms with spaces between and around them, in parts of falling weight.
type span struct{ from, to uint32 }

// partEnd ends the parts of a span: texts about the image, its file's name, the page's title.
const partEnd = '\n'

// part is the index of a shard.
type part struct {
	names  []string // formats, hosts and languages
	images []image
	uses   []use
	words  []byte
}

// encode returns the part as bytes.
func (p *part) encode() []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, len(p.words)+100*(len(p.images)+len(p.uses))+1024)
	b = binary.AppendUvarint(b, uint64(len(p.names)))
	for _, n := range p.names {
		b = append(binary.AppendUvarint(b, uint64(len(n))), n...)
	}
	b = binary.AppendUvarint(b, uint64(len(p.images)))
	for _, i := range p.images {
		for _, n := range []uint64{i.surt, i.place, i.same, i.hash, uint64(i.time)} {
			b = le.AppendUint64(b, n)
		}
		for _, n := range []uint32{i.row, i.width, i.height, i.frames, i.format, i.host, i.words.from, i.words.to} {
			b = le.AppendUint32(b, n)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(p.uses)))
	for _, u := range p.uses {
		b = le.AppendUint64(le.AppendUint64(b, u.surt), u.place)
		for _, n := range []uint32{u.row, u.language, u.host, u.words.from, u.words.to} {
			b = le.AppendUint32(b, n)
		}
	}
	return append(b, p.words...)
}

const (
	imageBytes = 5*8 + 8*4
	useBytes   = 2*8 + 5*4
)

// decode is the inverse of encode. It reports whether b is valid.
func decode(b []byte) (*part, bool) {
	r := reader{b: b}
	p := &part{}
	for n := r.count(1); n > 0; n-- {
		p.names = append(p.names, string(r.take(r.count(1))))
	}
	p.images = make([]image, r.count(imageBytes))
	for k := range p.images {
		p.images[k] = r.image()
	}
	p.uses = make([]use, r.count(useBytes))
	for k := range p.uses {
		p.uses[k] = r.use()
	}
	p.words = r.b
	return p, !r.bad && p.valid()
}

// valid reports whether all references lead somewhere.
func (p *part) valid() bool {
	named := func(n uint32) bool { return int64(n) < int64(len(p.names)) }
	worded := func(s span) bool { return s.from <= s.to && int64(s.to) <= int64(len(p.words)) }
	for _, i := range p.images {
		if !named(i.format) || !named(i.host) || !worded(i.words) {
			return false
		}
	}
	for _, u := range p.uses {
		if !named(u.language) || !named(u.host) || !worded(u.words) {
			return false
		}
	}
	return true
}

// reader reads numbers of bytes. After the end it is bad and returns zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, min(n, imageBytes))
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

// count reads a number of things that have at least size bytes each.
func (r *reader) count(size int) int {
	n, used := binary.Uvarint(r.b)
	if used <= 0 || n > uint64((len(r.b)-used)/size) {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[used:]
	return int(n)
}

func (r *reader) image() (i image) {
	b, le := r.take(imageBytes), binary.LittleEndian
	i.surt, i.place, i.same, i.hash = le.Uint64(b), le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:])
	i.time = int64(le.Uint64(b[32:]))
	i.row, i.width, i.height, i.frames = le.Uint32(b[40:]), le.Uint32(b[44:]), le.Uint32(b[48:]), le.Uint32(b[52:])
	i.format, i.host, i.words = le.Uint32(b[56:]), le.Uint32(b[60:]), span{le.Uint32(b[64:]), le.Uint32(b[68:])}
	return i
}

func (r *reader) use() (u use) {
	b, le := r.take(useBytes), binary.LittleEndian
	u.surt, u.place, u.row = le.Uint64(b), le.Uint64(b[8:]), le.Uint32(b[16:])
	u.language, u.host, u.words = le.Uint32(b[20:]), le.Uint32(b[24:]), span{le.Uint32(b[28:]), le.Uint32(b[32:])}
	return u
}
