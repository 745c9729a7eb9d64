package member

import (
	"bytes"
	"io"
)

// A file may be a concatenation of archives with different compressions, and a compressed archive may be compressed
// again. Changes are searched for where members of the reader's kind end or are damaged. They are members of another
// kind that decode to a record's head and, with Options.NextPlain, uncompressed heads.

// compressed are the kinds with magic bytes.
var compressed = [...]Kind{Gzip, Zstd, LZ4}

// signs are the first bytes of archives by kind: a zstd archive may begin with its dictionary.
var signs = [...]struct {
	kind  Kind
	magic []byte
}{{Gzip, magics[Gzip]}, {Zstd, magics[Zstd]}, {LZ4, magics[LZ4]}, {Zstd, dictionaryMagic}}

// HasMagic reports whether b has magic bytes of a compressed archive.
func HasMagic(b []byte) bool {
	for _, s := range signs {
		if bytes.Contains(b, s.magic) {
			return true
		}
	}
	return false
}

// Double returns the kind of a file with members of the kind outer that hold the members of an archive of the kind
// inner. There are at most two layers.
func Double(outer, inner Kind) Kind { return outer | inner<<innerBits }

const innerBits = 4

// IsDouble reports whether the content of the members is compressed too.
func (k Kind) IsDouble() bool { return k>>innerBits != 0 }

// outer returns the low four bits; the next four are the inner kind, which is zero for one layer.
func (k Kind) outer() Kind { return k & (1<<innerBits - 1) }

func (k Kind) inner() Kind { return k >> innerBits }

// Kinds returns all kinds: plain, the three compressed ones, and each of these within each.
func Kinds() []Kind {
	kinds := append([]Kind{Plain}, compressed[:]...)
	for _, outer := range compressed {
		for _, inner := range compressed {
			kinds = append(kinds, Double(outer, inner))
		}
	}
	return kinds
}

// KindAt returns the kind of the member that begins at off and decodes to a record's head. If there is none, ok is
// false. An error comes from the file.
func KindAt(src io.ReaderAt, off, size int64, o Options) (kind Kind, ok bool, err error) {
	// As plain, so that the raw bytes are tested first.
	r, err := NewReader(src, Range{Start: off, End: size, Size: size}, Plain, o)
	if err != nil {
		return Plain, false, err
	}
	// An uncompressed head needs no further test.
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

// kindAt returns the kind of the member at off and reports whether it decodes to a record's head. It has the reader's
// own kind, or two layers with that as the outer one.
func (r *Reader) kindAt(off int64) (Kind, bool) {
	if r.kind == Zstd && bytes.HasPrefix(r.scanFrom(off), dictionaryMagic) {
		return Zstd, r.adopt(off) >= 0
	}
	b := r.beginning(off)
	// Nothing decodes here, so no member of this kind begins.
	if len(b) == 0 {
		return Plain, false
	}
	if r.o.IsHead(b) {
		return r.kind, true
	}
	// There is no head, but perhaps another member; a third layer is not searched for.
	inner := Sniff(b)
	if inner == Plain || r.kind.IsDouble() {
		return Plain, false
	}
	double := Double(r.kind, inner)
	// The inner member must decode to a head: magic bytes alone occur by chance.
	return double, r.other(double).headAt(off)
}

// other returns a reader of another kind for the same file. It is made on first use.
func (r *Reader) other(k Kind) *Reader {
	if k == r.kind {
		return r
	}
	// Made when needed, because most files have one kind throughout.
	if r.others == nil {
		r.others = map[Kind]*Reader{}
	}
	if r.others[k] == nil {
		o := r.o
		// Without NextPlain it looks for no changes itself, so that readers cannot create readers without end.
		o.NextPlain = nil
		// Over the whole file, because a member may reach beyond the range.
		other, err := NewReader(r.src, Range{End: r.rng.Size, Size: r.rng.Size}, k, o)
		if err != nil { // an error of the file; it returns with the members that need the dictionary
			// This replaces a reader that failed: it finds nothing, and callers need no test for nil.
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

// failed returns an error of the file from this reader, or from one of another kind.
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

// changesAt reports whether the file continues in another kind at pos, where no member of the reader's kind begins.
func (r *Reader) changesAt(pos int64) bool {
	if pos >= r.rng.Size || r.o.NextPlain == nil {
		return false
	}
	head := r.other(Plain).beginning(pos)
	if r.kind != Plain && r.o.IsHead(head) {
		return true
	}
	for _, s := range signs {
		// Magic bytes come first, since decoding costs far more.
		if s.kind != r.kind && bytes.HasPrefix(head, s.magic) {
			if _, ok := r.other(s.kind).kindAt(pos); ok {
				return true
			}
		}
	}
	return false
}

// NextChange returns the first offset in [from, limit) where the file continues in another kind than the reader's, or
// limit.
func (r *Reader) NextChange(from, limit int64) int64 {
	if r.o.NextPlain == nil {
		return limit
	}
	// The compressed kinds come first, since their result limits the search for plain heads.
	limit = r.nextOther(from, limit)
	if r.kind != Plain && from < limit {
		limit = r.o.NextPlain(from, limit)
	}
	return limit
}

// LeadsAcross reports whether the members at off, of another kind than the reader's, lead to an offset after end.
// Directly following archives of other kinds count too. Members of an archive that is stored before end do not lead
// there. A member cut by the file's end proves nothing if end is the file's last byte. The file's size limits the cost.
func (r *Reader) LeadsAcross(off, end int64) bool {
	for range maxJoined {
		to, cut := r.leads(off, end)
		if to > end || cut {
			return true
		}
		if to <= off {
			return false
		}
		// A head without a line end before it belongs to a following uncompressed archive.
		if b := r.scanFrom(to); len(b) > 0 && b[0] != '\r' && b[0] != '\n' && r.o.IsHead(b) {
			return true
		}
		off = to
	}
	return false
}

// maxJoined is the number of consecutive archives of different kinds that counts as proof.
const maxJoined = 8

// leads returns the offset to which the members at off lead, at most the first one after end. It returns -1 if no
// member of another kind than the reader's begins there. If cut is true, the last member continues after end, and is
// damaged there.
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
		// Only offsets with a complete magic are tested; the last bytes are tested in the next iteration.
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

// otherIn returns the index in b, which starts at at, where a member of another kind than the reader's begins, or -1.
func (r *Reader) otherIn(b []byte, at int64) int64 {
	// Each magic is searched from its last hit, and not again for each candidate, so the work is linear.
	var next [len(signs)]int // next offset of each
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
		// A false hit costs one attempt to decode a head.
		i = best + 1
	}
}

// end ends the range at q, where the file changes.
func (r *Reader) end(q int64) { r.rng.End, r.rng.Size = min(r.rng.End, q), q }
