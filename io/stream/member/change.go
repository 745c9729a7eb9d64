package member

import (
	"bytes"
	"io"
)

// A file may be a concatenation of archives that are compressed in different ways, and an archive that is compressed
// may have been compressed once more. Changes are searched for where members of the reader's kind end or are damaged:
// members of every other kind that decode to a record's head and, with Options.NextPlain, uncompressed heads.

// compressed are the kinds that have magic bytes.
var compressed = [...]Kind{Gzip, Zstd, LZ4}

// signs are what the members of an archive of another kind begin with: a zstd archive may have its dictionary in front.
var signs = [...]struct {
	kind  Kind
	magic []byte
}{{Gzip, magics[Gzip]}, {Zstd, magics[Zstd]}, {LZ4, magics[LZ4]}, {Zstd, dictionaryMagic}}

// HasMagic reports whether b has magic bytes with which a compressed archive could begin.
func HasMagic(b []byte) bool {
	for _, s := range signs {
		if bytes.Contains(b, s.magic) {
			return true
		}
	}
	return false
}

// Double is the kind of a file whose members, of the kind outer, hold the members of an archive, of the kind inner.
// There are no more than two layers.
func Double(outer, inner Kind) Kind { return outer | inner<<innerBits }

const innerBits = 4

// IsDouble reports whether the members' content is compressed, too.
func (k Kind) IsDouble() bool { return k>>innerBits != 0 }

// The low four bits are the outer kind, the next the inner one: a kind of one layer has zeros there.
func (k Kind) outer() Kind { return k & (1<<innerBits - 1) }

func (k Kind) inner() Kind { return k >> innerBits }

// Kinds are all kinds.
// Ten or so: plain, the three, and each of these within each.
func Kinds() []Kind {
	kinds := append([]Kind{Plain}, compressed[:]...)
	for _, outer := range compressed {
		for _, inner := range compressed {
			kinds = append(kinds, Double(outer, inner))
		}
	}
	return kinds
}

// KindAt returns the kind of the member that begins at off and decodes to a record's head; ok is false if there is
// none. An error is the file's own.
func KindAt(src io.ReaderAt, off, size int64, o Options) (kind Kind, ok bool, err error) {
	// As plain, so that the bytes themselves are looked at first.
	r, err := NewReader(src, Range{Start: off, End: size, Size: size}, Plain, o)
	if err != nil {
		return Plain, false, err
	}
	// A head that is not compressed needs no further test.
	if r.o.IsHead(r.beginning(off)) {
		return Plain, r.in.err() == nil, r.in.err()
	}
	for _, k := range compressed {
		if kind, ok = r.other(k).kindAt(off); ok {
			break
		}
	}
	return kind, ok, r.failed()
}

// kindAt reports whether a member that decodes to a record's head begins at off: of the reader's own kind, or of one
// with two layers of which that is the outer.
func (r *Reader) kindAt(off int64) (Kind, bool) {
	if r.kind == Zstd && bytes.HasPrefix(r.scanFrom(off), dictionaryMagic) {
		return Zstd, r.adopt(off) >= 0
	}
	b := r.beginning(off)
	// Nothing decodes here: no member of this kind begins.
	if len(b) == 0 {
		return Plain, false
	}
	if r.o.IsHead(b) {
		return r.kind, true
	}
	// No head, but perhaps a member once more; a third layer is not looked for.
	inner := Sniff(b)
	if inner == Plain || r.kind.IsDouble() {
		return Plain, false
	}
	double := Double(r.kind, inner)
	// That of the inner member has to be a head: magic bytes alone occur by chance.
	return double, r.other(double).headAt(off)
}

// other returns a reader of another kind of the same file, which is made when it is first asked for.
func (r *Reader) other(k Kind) *Reader {
	if k == r.kind {
		return r
	}
	// Made when needed, for most files are of one kind throughout.
	if r.others == nil {
		r.others = map[Kind]*Reader{}
	}
	if r.others[k] == nil {
		o := r.o
		// Without NextPlain it looks for no changes itself, so that readers cannot make readers without end.
		o.NextPlain = nil
		// Over the whole file: a member may reach beyond the range.
		other, err := NewReader(r.src, Range{End: r.rng.Size, Size: r.rng.Size}, k, o)
		if err != nil { // the file's, of a dictionary; it comes again with the members that need it
			// In place of a reader that could not be made: it finds nothing, and callers need no test for nil.
			other = &Reader{src: r.src, rng: r.rng, kind: k, o: o, in: newInput(r.src, 0, 0), dec: noDecoder{}}
		}
		r.others[k] = other
	}
	return r.others[k]
}

// noDecoder decodes nothing.
type noDecoder struct{}

func (noDecoder) open() bool                        { return false }
func (noDecoder) gap() (int64, error)               { return 0, nil }
func (noDecoder) append(dst []byte) ([]byte, error) { return dst, io.EOF }

// failed returns an error of the file that this reader, or one of another kind, has met.
func (r *Reader) failed() error {
	if err := r.in.err(); err != nil {
		return err
	}
	// Readers of other kinds may have made readers of double kinds in turn.
	for _, o := range r.others {
		if err := o.failed(); err != nil {
			return err
		}
	}
	return nil
}

// changesAt reports whether at pos, where no member of the reader's kind begins, the file goes on in another kind.
func (r *Reader) changesAt(pos int64) bool {
	if pos >= r.rng.Size || r.o.NextPlain == nil {
		return false
	}
	head := r.other(Plain).beginning(pos)
	if r.kind != Plain && r.o.IsHead(head) {
		return true
	}
	for _, s := range signs {
		// Magic bytes before decoding, which costs far more.
		if s.kind != r.kind && bytes.HasPrefix(head, s.magic) {
			if _, ok := r.other(s.kind).kindAt(pos); ok {
				return true
			}
		}
	}
	return false
}

// NextChange returns the first place of from to limit at which the file goes on in another kind than the reader's;
// limit when there is none.
func (r *Reader) NextChange(from, limit int64) int64 {
	if r.o.NextPlain == nil {
		return limit
	}
	// First the compressed kinds, whose result bounds the search for plain heads.
	limit = r.nextOther(from, limit)
	if r.kind != Plain && from < limit {
		limit = r.o.NextPlain(from, limit)
	}
	return limit
}

// LeadsAcross reports whether the members that begin at off, of another kind than the reader's, lead to a place after
// end, by themselves or with archives of other kinds that follow at once. Those of an archive that is stored before end
// do not. A member that the file's end cuts is not proof where end is the file's last byte. What it may cost is bounded
// by the file's size.
func (r *Reader) LeadsAcross(off, end int64) bool {
	for range maxJoined {
		to, cut := r.leads(off, end)
		if to > end || cut {
			return true
		}
		if to <= off {
			return false
		}
		// A head that is there without a line end before it is of an uncompressed archive that follows.
		if b := r.scanFrom(to); len(b) > 0 && b[0] != '\r' && b[0] != '\n' && r.o.IsHead(b) {
			return true
		}
		off = to
	}
	return false
}

// maxJoined is how many archives of different kinds that follow one another are taken for a proof.
const maxJoined = 8

// leads returns where the members that begin at off lead, up to the first place after end: -1 when none of another
// kind than the reader's begins there. cut tells that the last of them goes on after end, and is damaged there.
func (r *Reader) leads(off, end int64) (to int64, cut bool) {
	for _, k := range compressed {
		kind, ok := r.other(k).kindAt(off)
		if !ok || k == r.kind {
			continue
		}
		o := r.other(k).other(kind)
		if off == o.taken {
			off = o.behind
		}
		left := max(0, 16*r.rng.Size+maxVain-r.work)
		before := left
		to, whole := o.chain(off, end-off+1, &left)
		r.work += before - left
		return to, !whole && o.in.pos() > end && end < r.rng.Size-1
	}
	return -1, false
}

// nextOther is NextChange for compressed members.
func (r *Reader) nextOther(from, limit int64) int64 {
	for from < limit {
		b := r.scanFrom(from)
		n := min(int64(len(b)-maxMagic+1), limit-from)
		// So many places can be tested that a magic is whole at each; the last bytes are looked at again in the
		// next turn.
		if n <= 0 {
			break
		}
		if i := r.otherIn(b[:n+maxMagic-1], from); i >= 0 {
			return from + i
		}
		from += n
	}
	return limit
}

// otherIn returns where in b, which is at at, a member of another kind than the reader's begins, or -1.
func (r *Reader) otherIn(b []byte, at int64) int64 {
	// Each magic is searched for on from where it was found last, and not again for each candidate: the work is
	// linear.
	var next [len(signs)]int // where each stands next
	for i := 0; ; {
		best, kind := len(b), Plain
		for j, s := range signs {
			if s.kind == r.kind {
				continue
			}
			if next[j] <= i {
				next[j] = len(b)
				if n := bytes.Index(b[min(i, len(b)):], s.magic); n >= 0 {
					next[j] = i + n
				}
			}
			if next[j] < best {
				best, kind = next[j], s.kind
			}
		}
		// The last bytes, fewer than a magic has, belong to the next block.
		if best > len(b)-maxMagic {
			return -1
		}
		if _, ok := r.other(kind).kindAt(at + int64(best)); ok {
			return int64(best)
		}
		// False hits cost one attempt each to decode a head.
		i = best + 1
	}
}

// end ends the range at q, where the file changes.
func (r *Reader) end(q int64) { r.rng.End, r.rng.Size = min(r.rng.End, q), q }
