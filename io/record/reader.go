package record

import (
	"io"

	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// probe is how many bytes behind a place are looked at to tell what stands there; a head's first two lines fit.
const probe = 2048

// Reader walks the records of a range. It is not safe for concurrent use.
type Reader struct {
	w         window
	g         Grammar
	o         Options
	plain     bool
	start     int64 // of the range, bytes from the file's start
	accounted int64 // everything before this byte of the file is in stats
	stats     Stats
	rec       Record
	head      []byte
	quirks    []string // seen before the record
	rewound   int64    // decoded bytes read twice
}

// NewReader returns a reader of the records in rng of src, which is compressed as kind says.
func NewReader(src io.ReaderAt, rng member.Range, kind member.Kind, g Grammar, o Options) (*Reader, error) {
	isHead := func(b []byte) bool { return g.Match(SkipBlank(b), true) }
	m, err := member.NewReader(src, rng, kind, member.Options{IsHead: isHead})
	if err != nil {
		return nil, err
	}
	return &Reader{
		w: window{src: m}, g: g, o: o.withDefaults(), plain: kind == member.Plain,
		start: rng.Start, accounted: rng.Start,
	}, nil
}

// Close frees the decoder's memory.
func (r *Reader) Close() { r.w.src.Close() }

// Stats accounts for what was read so far; it is complete once Next has returned io.EOF.
func (r *Reader) Stats() Stats { return r.stats }

// Next returns the next record, which is valid until the next call, or io.EOF. Damage is no error: it is in the
// record's flags and in Options.OnLoss. Another error is the file's own, and final.
func (r *Reader) Next() (*Record, error) {
	found, err := r.findHead()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, io.EOF
	}
	r.readRecord()
	if r.w.fail != nil {
		return nil, r.w.fail
	}
	r.stats.Records++
	return &r.rec, nil
}

// findHead goes to the next place where a record's head is due and stands.
func (r *Reader) findHead() (bool, error) {
	r.quirks = r.quirks[:0]
	for {
		r.release()
		b := r.w.fill(probe)
		if len(b) == 0 {
			r.release()
			return false, r.w.fail
		}
		if n := leadingBlank(b); n > 0 {
			r.skipBlank(b, n)
			continue
		}
		if r.g.Match(b, false) {
			return true, nil
		}
		r.skipGarbage()
	}
}

// leadingBlank counts what may stand between records: line ends, the zeros of padding, a byte order mark.
func leadingBlank(b []byte) int {
	n := 0
	for n < len(b) {
		switch {
		case b[n] == '\r' || b[n] == '\n' || b[n] == 0:
			n++
		case len(b) >= n+3 && b[n] == 0xef && b[n+1] == 0xbb && b[n+2] == 0xbf:
			n += 3
		default:
			return n
		}
	}
	return n
}

// SkipBlank returns b behind what may stand between records: line ends, zeros, a byte order mark.
func SkipBlank(b []byte) []byte { return b[leadingBlank(b):] }

func (r *Reader) skipBlank(b []byte, n int) {
	switch b[0] {
	case 0xef:
		r.quirk("byte_order_mark")
	case 0:
		r.quirk("zero_padding")
	default:
		r.quirk("extra_blank_line")
	}
	r.w.advance(n)
	if r.plain {
		r.account(r.fileOffset(r.w.pos), &r.stats.Structure)
	}
}

func (r *Reader) quirk(name string) {
	for _, q := range r.quirks {
		if q == name {
			return
		}
	}
	r.quirks = append(r.quirks, name)
}

// skipGarbage goes from a place where no head stands to the next head or member, and reports the loss.
func (r *Reader) skipGarbage() {
	from := r.w.pos
	seg := r.w.segmentAt(from)
	seg.blank = false
	start, shared := seg.start, seg.records > 0 || seg.used
	for {
		b := r.w.fill(probe + minWindow/2)
		n, found := r.nextHead(b)
		r.w.advance(n)
		if found || len(r.w.unread()) == 0 {
			break
		}
	}
	if r.plain {
		r.lose(r.fileOffset(r.w.pos), schemas.KindGarbage, "no record begins here")
		return
	}
	if shared { // otherwise the member as a whole is lost, see release
		r.o.OnLoss(Loss{From: start, To: start, Kind: schemas.KindGarbage, Why: garbageIn(r.w.pos - from)})
	}
}

// nextHead returns how far in b, behind its first byte, a head or a member's border stands. When there is none it
// returns how much can be skipped.
func (r *Reader) nextHead(b []byte) (n int, found bool) {
	border := -1
	for _, s := range r.w.segs {
		if s.from > r.w.pos && s.from-r.w.pos <= int64(len(b)) {
			border = int(s.from - r.w.pos)
			break
		}
	}
	if i := r.index(b, 1); i >= 0 && (border < 0 || i < border) {
		return i, true
	}
	if border >= 0 {
		return border, true
	}
	if r.w.done || len(b) <= probe {
		return len(b), false
	}
	return len(b) - probe, false
}

// index returns the first place in b, at or after from, where a head stands by strict evidence, or -1.
func (r *Reader) index(b []byte, from int) int {
	for from < len(b) {
		i := r.g.Index(b, from)
		if i < 0 || r.g.Match(b[i:], true) {
			return i
		}
		from = i + 1
	}
	return -1
}

// fileOffset turns a decoded position of an uncompressed range into bytes from the file's start.
func (r *Reader) fileOffset(pos int64) int64 { return r.start + pos }
