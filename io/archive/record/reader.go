package record

import (
	"cmp"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// probe is how many bytes after an offset are examined; a head's first two lines fit.
const probe = 2048

// Reader walks the records of a range. It is not safe for concurrent use.
type Reader struct {
	src       io.ReaderAt
	rng       member.Range // of the kind that is being read
	kind      member.Kind
	whole     member.Range     // to read, of whatever kinds; see change.go
	main      member.Kind      // that the file begins with
	limit     int64            // see stretch
	changes   int64            // of kind so far
	sight     sight            // see nextPlain
	bare      bare             // see completeHead
	others    map[Grammar]bare // by the current grammar, in offsets in the file: see otherInside
	stood     map[Grammar]bare // the last chain of each format that stood, as far as it was followed
	alien     alien            // see changeInside
	w         window
	g         Grammar
	formats   []Grammar // that the file may have; first the one that it begins with
	o         Options
	plain     bool
	accounted int64 // everything before this byte of the file is in stats
	stats     Stats
	rec       Record
	ready     bool   // rec was read, and is returned after the losses
	losses    []Loss // that were met, of which told are told
	told      int
	head      []byte
	begun     int64 // decoded position at which a head was last due: members before it are not a border
	zeros     bool  // were met where a head is due, and what follows is not known yet
	rewound   int64 // decoded bytes read twice
}

// NewReader returns a reader of the records in rng of src, which is compressed as kind says. An End of 0 is Size.
func NewReader(src io.ReaderAt, rng member.Range, kind member.Kind, g Grammar, o Options) (*Reader, error) {
	rng.End = cmp.Or(rng.End, rng.Size)
	// limit -1: no place was looked for yet.
	r := &Reader{src: src, whole: rng, main: kind, limit: -1, g: g, o: o.withDefaults(), accounted: rng.Start}
	r.others, r.stood = map[Grammar]bare{}, map[Grammar]bare{}
	r.formats = append([]Grammar{g}, o.Others...)
	return r, r.open(rng, kind)
}

// open begins to read rng, of the given kind.
func (r *Reader) open(rng member.Range, kind member.Kind) error {
	m, err := member.NewReader(r.src, rng, kind, r.members())
	if err != nil {
		return err
	}
	r.rng, r.kind, r.plain, r.w = rng, kind, kind == member.Plain, window{src: m, ahead: maxStep}
	r.bare, r.alien = bare{}, alien{} // positions count again
	if kind.IsDouble() {
		r.o.OnQuirk("compressed_twice")
		if rng.Start == 0 { // where a file changes, that says it
			r.report(Loss{Kind: schemas.KindMixed, Why: "the file is compressed twice: " + kind.String()})
		}
	}
	switch {
	case r.plain && r.o.HeadsOnly:
		r.w.ahead = jumpStep
	case r.plain:
		r.w.ahead = readAhead
	}
	// Buffers are large and readers many, one for each range, so they are handed on.
	if b, ok := buffers.Get().(*[]byte); ok {
		r.w.spare = *b
	}
	return nil
}

// Open returns a reader of a whole file, which may be compressed in any of the ways that package member reads.
func Open(src io.ReaderAt, size int64, g Grammar, o Options) (*Reader, error) {
	kind, err := member.Detect(src, size)
	if err != nil {
		return nil, err
	}
	return NewReader(src, member.Range{End: size, Size: size}, kind, g, o)
}

// isHead reports whether b begins with a record's head of the file's format, or of another one that it may go on in.
func (r *Reader) isHead(b []byte) bool {
	if BeginsRecord(r.g, b) {
		return true
	}
	for _, g := range r.formats {
		if g != r.g && BeginsRecord(g, b) {
			return true
		}
	}
	return false
}

// BeginsRecord reports whether b, the start of a member or of a file, begins with a record's head, by strict evidence.
// Line ends, padding, or a few bytes that some program wrote may be before the head.
func BeginsRecord(g Grammar, b []byte) bool {
	b = SkipBlank(b[:min(len(b), probe)])
	if g.Match(b, true) {
		return true
	}
	lead := 0 // blanks and marks, no letters: text may show a head
	for lead < min(len(b), maxLead) && (b[lead] <= ' ' || b[lead] >= 0x7f) {
		lead++
	}
	return lead > 0 && g.Match(b[lead:], true)
}

// maxLead is how many bytes may be before the head with which a member begins.
const maxLead = 16

// Close ends the reading. The last record is no longer valid: its memory is the next reader's.
func (r *Reader) Close() { r.w.close() }

// Stats accounts for the bytes read so far; it is complete after Next has returned io.EOF.
func (r *Reader) Stats() Stats { return r.stats }

// Kind is how the last record is compressed: in files that are put together, not all are in the same way.
func (r *Reader) Kind() member.Kind { return r.kind }

// NextStart returns, once Next has returned io.EOF, the first start at or after the range's end that the walk came to,
// or the file's size. It is the range's end, unless that is not a true start.
func (r *Reader) NextStart() int64 {
	if r.plain {
		return r.fileOffset(r.w.pos)
	}
	return r.w.arrived
}

// Step returns the next record or the next loss, whichever comes first in the file, or io.EOF. Both are valid until the
// next call. The losses inside a record come before it. Damage is not an error: it is in the record's flags and in
// losses. Errors besides io.EOF come from reading the file and are final.
func (r *Reader) Step() (*Record, *Loss, error) {
	for {
		// Losses first: they lie before the record that was found after them.
		if r.told < len(r.losses) {
			r.told++
			return nil, &r.losses[r.told-1], nil
		}
		r.losses, r.told = r.losses[:0], 0
		switch {
		// The file's failure only when all before it has been told.
		case r.w.fail != nil:
			return nil, nil, r.w.fail
		case r.ready:
			r.ready = false
			return &r.rec, nil, nil
		}
		// io.EOF may come along with losses, which have to be told before it.
		if err := r.read(); err != nil && len(r.losses) == 0 {
			return nil, nil, err
		}
	}
}

// Next is Step for those who want records alone: losses are in Stats.
func (r *Reader) Next() (*Record, error) {
	for {
		rec, loss, err := r.Step()
		if loss == nil {
			return rec, err
		}
	}
}

// read reads the next record, or to the next loss before it. At the end it returns io.EOF, again if it is asked again.
func (r *Reader) read() error {
	// The window takes back what the last record lent.
	r.w.reclaim()
	for {
		found, err := r.findHead()
		if err != nil || len(r.losses) > 0 {
			return err
		}
		if found {
			break
		}
		// No head to the end of the stretch: another one of another kind may follow.
		if changed, err := r.change(); err != nil {
			r.w.fail = err
			return err
		} else if !changed {
			// After the range another record begins, unless it is the file's last.
			r.endZeros(r.whole.End < r.whole.Size)
			return io.EOF
		}
	}
	at := r.w.pos
	r.readRecord()
	if r.w.fail == nil && r.repeats() {
		return r.leaveOut(at)
	}
	if r.w.fail == nil {
		r.ready = true
		r.stats.Records++
		if r.o.Marks != nil && r.kind == member.Gzip {
			r.o.Marks.Record(r.rec.Offset, r.rec.headAt, r.rec.Ordinal)
		}
	}
	return r.w.fail
}

// All returns the records, each valid until the next, and last the error that ended reading, except io.EOF.
func (r *Reader) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// findHead goes to the next place where a record's head is due and stands, or to the first loss on the way there.
func (r *Reader) findHead() (bool, error) {
	for {
		if r.release(); len(r.losses) > 0 {
			return false, nil
		}
		// A head that begins at or after the end is the next range's.
		if r.plain && r.fileOffset(r.w.pos) >= r.rng.End {
			return false, r.w.fail
		}
		r.begun = r.w.pos
		// A head's first lines are enough to recognize one.
		b, _ := r.span(probe)
		if len(b) == 0 {
			r.release()
			return false, r.w.fail
		}
		switch {
		case leadingBlank(b) > 0:
			r.skipBlank(b)
		case r.g.Match(b, false):
			r.endZeros(true)
			return true, nil
		case r.changeFormat(b):
			return r.told == len(r.losses), nil // another turn, when that has been told
		// Not this reader's to read: another kind of stretch begins.
		case r.isLayer(b):
			return false, nil
		default:
			r.endZeros(true)
			r.skipGarbage()
		}
	}
}

// endZeros reports the zeros found where a head is due: after the last record they are padding.
func (r *Reader) endZeros(follows bool) {
	switch {
	case !r.zeros:
		return
	case follows:
		r.o.OnQuirk(schemas.QuirkZeros)
	default:
		r.o.OnQuirk("zero_padding")
	}
	r.zeros = false
}

// leadingBlank counts what may be between records: line ends, the zeros of padding, a byte order mark.
func leadingBlank(b []byte) int {
	n := 0
	for n < len(b) {
		switch {
		case b[n] == '\r' || b[n] == '\n' || b[n] == 0:
			n++
		// The byte order mark of UTF-8, which editors put before texts.
		case len(b) >= n+3 && b[n] == 0xef && b[n+1] == 0xbb && b[n+2] == 0xbf:
			n += 3
		default:
			return n
		}
	}
	return n
}

// SkipBlank returns b after what may be between records: line ends, zeros, a byte order mark.
func SkipBlank(b []byte) []byte { return b[leadingBlank(b):] }

// blanks are the kinds of what may be between records, as quirks name them. Zeros have their name by what follows.
var blanks = [...]string{"", schemas.QuirkBOM, "extra_blank_line"}

// blankRun returns the kind of the blank that b begins with and how far it goes.
func blankRun(b []byte) (kind, n int) {
	switch b[0] {
	case 0:
		for n < len(b) && b[n] == 0 {
			n++
		}
		return 0, n
	case 0xef:
		return 1, len("\uFEFF")
	}
	for n < len(b) && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	return 2, n
}

// skipBlank skips one kind of blank, with which b begins.
func (r *Reader) skipBlank(b []byte) {
	kind, n := blankRun(b)
	// Each kind is reported once between two records, however long the padding is.
	if s := r.w.segmentAt(r.w.pos); blanks[kind] == "" {
		r.zeros = true
	} else if s.odd&(1<<kind) == 0 {
		s.odd |= 1 << kind
		r.o.OnQuirk(blanks[kind])
	}
	r.w.advance(n)
	if r.plain {
		r.account(r.fileOffset(r.w.pos), &r.stats.Structure)
	}
}

// skipGarbage goes from a place where no head stands to the next head or member, and reports the loss.
func (r *Reader) skipGarbage() {
	from := r.w.pos
	for {
		b := r.w.peek(minWindow)
		ended := len(b) < minWindow
		// In compressed files garbage does not cross the border of a member, which may begin with a head.
		if border := r.w.border(1, len(b)); border < len(b) {
			b, ended = b[:border], true
		}
		// The last bytes could begin a head; they are looked at in the next turn.
		n, stop := len(b)-probe-1, ended
		if ended {
			n = len(b)
		}
		if i := r.indexAny(b, 1, ended); i >= 0 {
			n, stop = i, true
		}
		if r.plain && r.changesWithin(n) {
			break
		}
		if r.w.advance(n); stop {
			break
		}
	}
	// A plain file's bytes are accounted for at once; a member's when it is released.
	if r.plain {
		r.lose(r.fileOffset(r.w.pos), schemas.KindGarbage, "no record begins here")
		return
	}
	s := r.w.segmentAt(from) // release reports it
	s.blank = false
	s.garbage += r.w.pos - from
}

// index returns the offset of the first head in b at or after from, by strict evidence, or -1. If more data comes after
// b, whole is false, and the last bytes of b are not judged yet.
func (r *Reader) index(b []byte, from int, whole bool) int {
	return indexOf(r.g, b, from, searchable(b, whole))
}

// indexAny is index for heads of any format: after a loss the file may continue in another one. A head of another
// format only counts before the first one of the format that is being read. So heads that lead nowhere, one after the
// other, do not each cost a search of the whole window.
func (r *Reader) indexAny(b []byte, from int, whole bool) int {
	end := searchable(b, whole)
	first := indexOf(r.g, b, from, end)
	if first >= 0 {
		end = first
	}
	for _, g := range r.formats {
		if g == r.g {
			continue
		}
		if i := indexOf(g, b, from, end); i >= 0 {
			first, end = i, i
		}
	}
	return first
}

// searchable returns how many bytes of b can be searched: Match wants to see probe bytes after each of them.
func searchable(b []byte, whole bool) int {
	if whole {
		return len(b)
	}
	return len(b) - probe
}

// indexOf returns the first position of [from, end) at which b has a head of g, or -1.
func indexOf(g Grammar, b []byte, from, end int) int {
	for from < end {
		i := g.Index(b, from)
		if i < 0 || i >= end {
			return -1
		}
		if g.Match(b[i:min(len(b), i+probe)], true) {
			return i
		}
		from = i + 1
	}
	return -1
}

// fileOffset turns a decoded position of an uncompressed range into bytes from the file's start.
func (r *Reader) fileOffset(pos int64) int64 { return r.rng.Start + pos }
