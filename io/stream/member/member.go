// Package member reads the compressed members of an archive file one after the other. They are gzip members (RFC 1952),
// zstd frames (RFC 8878, with the dictionary frame of the WARC zstd convention) or LZ4 frames. An uncompressed file is
// one member. The package knows nothing of records. To find the next true member after damage, it calls the caller's
// test for a record's head.
//
// Reading always continues to the end of a file: bytes outside members are reported as a [Gap]. Reading then continues
// at the next start that decodes to a record's head. Every byte of the range is in a member or in a gap.
//
//	r, err := member.NewReader(file, member.Range{End: size, Size: size}, member.Gzip, member.Options{IsHead: isHead})
//	for {
//		b, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		b, err = r.Append(b[:0]) // the member's decoded bytes, until io.EOF; a *Damage when they do not decode
//	}
package member

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Kind is the compression of a file.
type Kind uint8

// The kinds, detected by magic bytes and never by name.
const (
	Plain Kind = iota
	Gzip
	Zstd
	LZ4
)

// String returns the kind's name, such as "gzip", or "gzip-zstd" for zstd in gzip.
func (k Kind) String() string {
	names := [...]string{"plain", "gzip", "zstd", "lz4"}
	if k.IsDouble() {
		return names[k.outer()] + "-" + names[k.inner()]
	}
	return names[k]
}

// Sniff returns a file's kind by its first bytes. gzip has only three, and the third is the only method there is.
func Sniff(b []byte) Kind {
	switch {
	case len(b) >= 3 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8:
		return Gzip
	case isLZ4(b):
		return LZ4
	case isFrame(b) || isSkippable(b):
		return Zstd
	}
	return Plain
}

// Detect returns a file's kind by its first bytes, which may follow zeros.
func Detect(src io.ReaderAt, size int64) (Kind, error) {
	// Limited in size: a file of zeros is not read to its end. Few files begin with any.
	for _, limit := range [...]int64{4 << 10, maxPadding} {
		in := newInput(src, 0, min(size, limit))
		if _, err := skipZeros(in); err != nil {
			return Plain, err
		}
		if b := in.peek(maxMagic); len(b) >= maxMagic || limit >= min(size, maxPadding) {
			return Sniff(b), in.err()
		}
	}
	return Plain, nil
}

// maxPadding limits the zeros that Detect skips.
const maxPadding = 64 << 10

// Range is the part of a file to read: the members that start in [Start, End). Start must be 0 or a result of
// [FindStart]. End must be such a result or Size.
type Range struct{ Start, End, Size int64 }

// Options are the options of a Reader.
type Options struct {
	// IsHead reports whether decoded bytes begin with a record's head. Reading continues after damage where it returns
	// true.
	IsHead func(b []byte) bool
	// NextPlain returns the first offset in [from, limit) of the file where an uncompressed record begins, or limit.
	// With it, reading ends where the file continues in another kind than the reader's (see [KindAt]). Next returns
	// io.EOF there, with Boundary.Start before the range's end. Without it the other kind counts as garbage.
	NextPlain func(from, limit int64) int64
	// MaxWindow limits the memory of a zstd frame's window, in bytes. The default is 128 MiB, which "zstd --long"
	// needs.
	MaxWindow int64
	// Marks gets places in long gzip members, from which reading can resume later. It may be nil.
	Marks Marks
}

// withDefaults sets the defaults. A nil IsHead accepts everything, which is right for files without records.
func (o Options) withDefaults() Options {
	o.MaxWindow = cmp.Or(o.MaxWindow, 128<<20)
	if o.IsHead == nil {
		o.IsHead = func([]byte) bool { return true }
	}
	return o
}

// Gap is a stretch of the file outside members.
type Gap struct {
	From, To int64        // bytes from the file's start
	Kind     schemas.Kind // "" for structure: zeros, skippable frames, empty dictionary
	Why      string
	Zeros    bool // it contains zeros: padding at the file's end, and elsewhere a result of damage
}

// Boundary is a result of Next: the end of the previous member, gaps, and the start of the next one.
type Boundary struct {
	End   int64 // end of the previous member
	Gaps  []Gap // between End and Start, in order
	Start int64 // of the member that Append reads now
}

// Damage is the error of a member that does not decode.
type Damage struct {
	Kind schemas.Kind // KindInflate or KindTruncated
	At   int64        // position of the decoder, in bytes from the file's start
	Err  error
}

func (d *Damage) Error() string { return fmt.Sprintf("%s at byte %d: %v", d.Kind, d.At, d.Err) }

// Unwrap returns the decoder's error.
func (d *Damage) Unwrap() error { return d.Err }

// ErrChecksum is what Append returns instead of io.EOF for a wrong checksum or size, if the next member follows at
// once. The data is most likely complete.
var ErrChecksum = errors.New("checksum does not match")

// decoder decodes one member at a time from the reader's input.
type decoder interface {
	// open begins the member at the input's position. It returns false if no member begins there.
	open() bool
	// append is Reader.Append: io.EOF at the verified end, ErrChecksum at an unverified one.
	append(dst []byte) ([]byte, error)
	// gap recognizes harmless structure at the input's position and returns its length, or 0.
	gap() (int64, error)
}

// Reader reads the members of a range. It is not safe for concurrent use.
type Reader struct {
	src    io.ReaderAt
	rng    Range
	kind   Kind
	o      Options
	in     *input
	dec    decoder
	start  int64 // of the current member
	size   int64 // of its decoded bytes
	open   bool
	bad    *Damage
	work   int64 // compressed bytes, and sixteenths of decoded ones, without success: keeps hostile files linear
	gaps   []Gap
	scan   []byte // the part of the file from scanAt on in which nextHead looks for magic bytes
	scanAt int64
	sink   []byte // for the decoded bytes of a chain
	head   []byte // for the beginning of a member
	others map[Kind]*Reader
	fixed  bool // the file's first dictionary stays, whatever others are found
	tried  int64
	taken  int64 // offset of the dictionary frame in use; 0 for the file's first one
	behind int64 // start of the first frame that it serves
	from   *From // the place at which reading began, until its member has ended
}

// NewReader returns a reader of rng, positioned before its first member. For a zstd range it loads the dictionary at
// the beginning of the file, if there is one.
func NewReader(src io.ReaderAt, rng Range, kind Kind, o Options) (*Reader, error) {
	r := &Reader{src: src, rng: rng, kind: kind, o: o.withDefaults(), in: newInput(src, rng.Start, rng.Size)}
	r.start = rng.Start
	switch kind.outer() {
	case Gzip:
		r.dec = &gzipDecoder{in: r.in}
	case Zstd:
		d, served, err := newZstdDecoder(src, r.in, rng.Size, r.o.MaxWindow)
		if err != nil {
			return nil, err
		}
		r.dec = d
		// A reader without a range is used for single members of a file of another kind: see other.
		if !served && kind == Zstd && rng.Start < rng.Size {
			r.borrow(d)
			r.in.seek(rng.Start)
			r.start, r.open = rng.Start, false
		}
	case LZ4:
		r.dec = newLZ4Decoder(r.in)
	default:
		r.dec = &plainDecoder{in: r.in}
	}
	// The outer decoder is made as for a single layer. The inner decoder reads from it.
	if outer := r.dec; kind.IsDouble() {
		r.dec = newDoubleDecoder(r.in, outer, func() int { return historyOf(outer) }, kind.inner(), r.o)
	}
	return r, nil
}

// Next goes to the next member. The previous one must have been read to its end or error. At the range's end it returns
// io.EOF, and the Boundary still holds the gaps before it. Its Gaps are valid until the next call.
func (r *Reader) Next() (Boundary, error) {
	r.gaps = r.gaps[:0]
	b := Boundary{End: r.in.pos()}
	// The previous member was damaged, so it ends where the next one is found.
	if r.bad != nil {
		b.End = r.resume()
	}
	last := r.kind == Plain && r.open // an uncompressed file is one member, even if it has become shorter
	r.open = false
	for {
		// An error of the file ends reading: continuing would report unreadable bytes as damage.
		if err := r.in.err(); err != nil {
			return b, err
		}
		pos := r.in.pos()
		if pos >= r.rng.End || last {
			b.Gaps, b.Start = r.gaps, pos
			return b, io.EOF
		}
		// No frame begins with a zero. An uncompressed file has no gaps, and is read into other memory.
		zeros := r.kind != Plain && bytes.HasPrefix(r.in.peek(1), []byte{0})
		if r.kind == Zstd && pos != r.taken && bytes.HasPrefix(r.in.peek(maxMagic), dictionaryMagic) {
			r.adopt(pos)
			r.in.seek(pos)
		}
		n, err := r.dec.gap()
		if err != nil {
			return b, err
		}
		if n > 0 {
			r.skipGap(pos, n, zeros)
			// Padding may have several pieces, so the loop looks for gaps again.
			continue
		}
		if r.dec.open() {
			r.start, r.size, r.open = pos, 0, true
			b.Gaps, b.Start = r.gaps, pos
			return b, nil
		}
		switch {
		// Nothing begins because the read failed. The next iteration returns the error.
		case r.in.err() != nil:
		case r.changesAt(pos):
			// The range ends here, and the next iteration returns io.EOF.
			r.end(pos)
		default:
			r.skipGarbage(pos)
		}
	}
}

// skipGarbage goes from pos, where no member begins, to the next one.
func (r *Reader) skipGarbage(pos int64) {
	// Not beyond the range, since another reader starts at its end.
	q := min(r.goOn(pos+1), r.rng.End)
	r.gaps = append(r.gaps, Gap{From: pos, To: q, Kind: schemas.KindGarbage, Why: "no " + r.kind.String() +
		" member begins here"})
	r.in.seek(q)
}

// goOn returns the offset at or after from where reading can continue. This is a member of the reader's kind, or the
// dictionary before such members. It may also be a change of the file's kind, which then ends the range.
func (r *Reader) goOn(from int64) int64 {
	q := r.nextHead(from)
	if from <= r.taken && r.taken < q {
		q = r.taken // it is usually stored uncompressed, and its content may look like an archive
	}
	if change := r.NextChange(from, q); change < q {
		r.end(change)
		return change
	}
	return q
}

// skipGap skips n bytes of structure at pos, or moves to the first record in it. A skippable frame, above all one with
// a wrong length, can hold a false start. The chain of FindStart may continue after the frame's end. So an unsplit
// reader has to find that start too.
func (r *Reader) skipGap(pos, n int64, zeros bool) {
	to := pos + n
	if r.kind == Zstd {
		to = r.headBefore(pos+1, to)
		r.in.seek(to)
	}
	if n := len(r.gaps); n > 0 && r.gaps[n-1].Kind == "" && r.gaps[n-1].To == pos { // a file may have millions
		r.gaps[n-1].To, r.gaps[n-1].Zeros = to, r.gaps[n-1].Zeros || zeros
		return
	}
	r.gaps = append(r.gaps, Gap{From: pos, To: to, Why: "padding or skippable frame", Zeros: zeros})
}

// maxVain limits the bytes decoded without success, in addition to sixteen times the file's size.
const maxVain = 16 << 20

// resume goes to the next true start after the damaged member and returns the damaged one's end. A bad code can lead
// the decoder across several good members, so the search begins after the member's own start. If that costs too much,
// it begins after the fault.
func (r *Reader) resume() int64 {
	d := r.bad
	r.bad = nil
	from := r.start + 1
	r.work += d.At - r.start + r.size/16
	// Many members were tried without success: from here on, the bytes that the decoder skipped count as lost.
	if r.work > 16*r.rng.Size+maxVain {
		from = max(from, d.At)
	}
	q := min(r.goOn(from), r.rng.End)
	// A start within the decoded bytes ends the damaged member there.
	end := min(d.At, q)
	if end < q {
		r.gaps = append(r.gaps, Gap{From: end, To: q, Kind: d.Kind, Why: d.Error()})
	}
	r.in.seek(q)
	return end
}

// Append appends decoded bytes of the current member to dst, within its capacity, which must leave room for some. Its
// end must be the bytes that earlier calls for this member appended, as many as History returns. The bytes between len
// and cap of dst may be overwritten. At the member's end it returns io.EOF, or ErrChecksum, or a *Damage, together with
// the last bytes. Any other error comes from the file.
func (r *Reader) Append(dst []byte) ([]byte, error) {
	if !r.open {
		return dst, io.EOF
	}
	before := len(dst)
	dst, err := r.decode(dst)
	r.size += int64(len(dst) - before)
	if r.from != nil {
		return dst, r.check(err)
	}
	if err == nil && r.o.Marks != nil {
		r.mark(dst)
	}
	// A file that cannot be read ends like a file that was cut, so its error is tested as well.
	if err == io.EOF && r.in.err() == nil {
		err = r.judgeUnchecked()
	}
	if err == nil || err == io.EOF && r.in.err() == nil {
		return dst, err
	}
	if ioErr := r.in.err(); ioErr != nil {
		return dst, ioErr
	}
	if err == ErrChecksum {
		if err = r.judge(err); err == ErrChecksum {
			return dst, err
		}
	}
	// Next then looks for the place to continue.
	r.open = false
	kind := schemas.KindInflate
	// Only at the very end of the file: elsewhere other data replace the rest.
	if errors.Is(err, io.ErrUnexpectedEOF) && r.in.pos() >= r.rng.Size {
		kind = schemas.KindTruncated
	}
	r.bad = &Damage{Kind: kind, At: r.in.pos(), Err: err}
	return dst, r.bad
}

// History returns the number of earlier bytes that Append needs in its buffer. It is less at the start of a member.
func (r *Reader) History() int { return historyOf(r.dec) }

// gzipHistory is the largest distance of a match in a deflate stream (RFC 1951, section 2).
const gzipHistory = 32 << 10

// SeekPlain moves an uncompressed reader to off bytes from the file's start. It moves within the one member; decoders
// have nothing to reset.
func (r *Reader) SeekPlain(off int64) {
	r.in.seek(off)
	r.open = true
}

// Reopen goes back to the member that starts at start. It drops recorded damage, because that belongs to another
// member.
func (r *Reader) Reopen(start int64) bool {
	r.in.seek(start)
	r.bad = nil
	r.start, r.size, r.open = start, 0, r.dec.open()
	return r.open
}
