package meaningindex

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/gleaner-web/gleaner/transforms/meaning"
)

// document is a capture with text.
type document struct {
	surt  uint64 // hash
	place uint64 // imageindex.Place
	time  int64  // microseconds; 0 if unknown
	row   uint32
	first uint32 // passage; its last one is before the first of the next document

	page uint32 // number of the SURT: see Index.number
}

// passage is a part of a document's text.
type passage struct {
	from, size uint32 // bytes in the text
	scale      float32
}

// part is the index of a shard.
type part struct {
	dim       int
	documents []document
	passages  []passage
	values    []byte   // dim numbers of 8 bits for each passage
	signs     []uint64 // words(dim) for each passage

	of []uint32 // documents of passages
}

const (
	documentBytes = 3*8 + 2*4
	passageBytes  = 3 * 4
)

// signWords returns how many words the signs of a vector take.
func signWords(dim int) int { return (dim + 63) / 64 }

// hashOf returns the hash of a SURT. It comes from an archive, so nobody must be able to make collisions.
func hashOf(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.LittleEndian.Uint64(sum[:])
}

// add appends a passage.
func (p *part) add(at meaning.Span, q meaning.Quantized) {
	p.passages = append(p.passages, passage{uint32(at.From), uint32(at.To - at.From), q.Scale})
	for _, v := range q.Values {
		p.values = append(p.values, byte(v))
	}
	p.signs = append(p.signs, q.Signs...)
}

// encode returns the part as bytes.
func (p *part) encode() []byte {
	le := binary.LittleEndian
	size := len(p.documents)*documentBytes + len(p.passages)*passageBytes + len(p.values) + 8*len(p.signs) + 32
	b := make([]byte, 0, size)
	b = binary.AppendUvarint(b, uint64(p.dim))
	b = binary.AppendUvarint(b, uint64(len(p.documents)))
	for _, d := range p.documents {
		b = le.AppendUint64(le.AppendUint64(le.AppendUint64(b, d.surt), d.place), uint64(d.time))
		b = le.AppendUint32(le.AppendUint32(b, d.row), d.first)
	}
	b = binary.AppendUvarint(b, uint64(len(p.passages)))
	for _, a := range p.passages {
		b = le.AppendUint32(le.AppendUint32(b, a.from), a.size)
		b = le.AppendUint32(b, math.Float32bits(a.scale))
	}
	for _, s := range p.signs {
		b = le.AppendUint64(b, s)
	}
	return append(b, p.values...)
}

// decode is the inverse of encode. It reports whether b is valid. The part keeps b.
func decode(b []byte) (*part, bool) {
	r := reader{b: b}
	p := &part{dim: r.count(0)}
	if p.dim == 0 || p.dim > maxDim {
		return nil, false
	}
	p.documents = make([]document, r.count(documentBytes))
	for i := range p.documents {
		p.documents[i] = r.document()
	}
	words := signWords(p.dim)
	p.passages = make([]passage, r.count(passageBytes+8*words+p.dim))
	for i := range p.passages {
		p.passages[i] = r.passage()
	}
	p.signs = make([]uint64, words*len(p.passages))
	for i, b := 0, r.take(8*len(p.signs)); i < len(p.signs); i++ {
		p.signs[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	p.values = r.b
	return p, !r.bad && len(p.values) == p.dim*len(p.passages) && p.link()
}

// link notes the document of each passage. It reports whether each has one.
func (p *part) link() bool {
	p.of = make([]uint32, len(p.passages))
	for i := range p.documents {
		from, to := int(p.documents[i].first), p.end(i)
		if i == 0 && from != 0 || from > to || to > len(p.passages) {
			return false
		}
		for k := from; k < to; k++ {
			p.of[k] = uint32(i)
		}
	}
	return len(p.documents) > 0 || len(p.passages) == 0
}

// end returns the passage after the last one of a document.
func (p *part) end(document int) int {
	if document+1 < len(p.documents) {
		return int(p.documents[document+1].first)
	}
	return len(p.passages)
}

// vector returns the numbers of a passage.
func (p *part) vector(k int) []byte { return p.values[k*p.dim : (k+1)*p.dim] }

// reader reads numbers of bytes. After the end it is bad and returns zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, n)
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

// count reads a number of things that have at least size bytes each.
func (r *reader) count(size int) int {
	n, used := binary.Uvarint(r.b)
	if used <= 0 || n > uint64(len(r.b)-used)/uint64(max(size, 1)) {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[used:]
	return int(n)
}

func (r *reader) document() (d document) {
	b, le := r.take(documentBytes), binary.LittleEndian
	d.surt, d.place, d.time = le.Uint64(b), le.Uint64(b[8:]), int64(le.Uint64(b[16:]))
	d.row, d.first = le.Uint32(b[24:]), le.Uint32(b[28:])
	return d
}

func (r *reader) passage() passage {
	b, le := r.take(passageBytes), binary.LittleEndian
	return passage{le.Uint32(b), le.Uint32(b[4:]), math.Float32frombits(le.Uint32(b[8:]))}
}
