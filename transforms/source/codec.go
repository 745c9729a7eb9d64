package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// version is the first byte of an encoded state. Versions 2 to 4 can still be read. In version 2,
// pages have no site signs; before version 4, they have no visits; in version 4, they have one byte of marks.
const version = 5

// maxText bounds a text of an encoded state; all have lower limits of their own.
const maxText = 4096

// ErrState is the error of Decode for bytes that are not a state.
var ErrState = errors.New("source: not a state")

// Encode appends the state to b. Equal states give equal bytes. Numbers are varints, and times differences to the
// element before, so a source of 18 items takes about a kilobyte.
func Encode(b []byte, s State) []byte {
	w := encoder{b: append(b, version)}
	w.int(s.First)
	w.int(s.Last)
	w.info(s.Info)
	// The order of the lists is part of the format: another needs another version.
	each(&w, s.Items, (*encoder).item)
	each(&w, s.Entries, (*encoder).entry)
	each(&w, s.Visits, (*encoder).visit)
	each(&w, s.Pages, (*encoder).page)
	each(&w, s.Announces, (*encoder).announce)
	each(&w, s.Aliases, (*encoder).alias)
	return w.b
}

type encoder struct {
	b    []byte
	time int64 // of the element before
}

func each[T any](w *encoder, list []T, write func(*encoder, T)) {
	w.uint(uint64(len(list)))
	// Each list has its own differences, so that it can be read by itself.
	w.time = 0
	for _, x := range list {
		write(w, x)
	}
}

func (w *encoder) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *encoder) int(v int64)   { w.b = binary.AppendVarint(w.b, v) }
func (w *encoder) hash(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

func (w *encoder) text(s string) {
	w.uint(uint64(len(s)))
	w.b = append(w.b, s...)
}

// when writes a time as the difference from the previous time in the list. Overflow wraps around, and is undone when
// read.
func (w *encoder) when(t int64) {
	w.int(t - w.time)
	w.time = t
}

// words are eight hashes of two bytes each.
func (w *encoder) words(s [8]uint16) {
	for _, h := range s {
		w.b = binary.LittleEndian.AppendUint16(w.b, h)
	}
}

func (w *encoder) info(i Info) {
	w.int(i.Time)
	for _, s := range []string{i.URL, i.Type, i.Title, i.Link, i.Self, i.Language, i.Publisher} {
		w.text(s)
	}
	w.int(i.MaxAge)
	w.int(i.Period)
	w.int(i.TTLMinutes)
}

func (w *encoder) item(i Item) {
	// Hashes are random: a varint would take more than eight bytes.
	w.hash(i.ID)
	w.hash(i.Link)
	w.when(i.Time)
	// Most items are seen soon after publication, so the difference is short.
	w.int(i.First - i.Time)
	w.b = append(w.b, byte(i.Marks))
	w.words(i.Words)
}

func (w *encoder) entry(e Entry) {
	w.when(e.Time)
	w.hash(e.ID)
	w.text(e.URL)
	w.text(e.Title)
}

func (w *encoder) visit(f Fetch) {
	w.when(f.Time)
	w.hash(f.Digest)
	w.uint(uint64(f.Items))
	w.uint(uint64(f.Status))
}

func (w *encoder) announce(a Announce) {
	w.hash(a.Page)
	w.text(a.URL)
	w.text(a.Class)
	w.text(a.Title)
}

func (w *encoder) alias(a Alias) {
	w.text(a.URL)
	w.text(a.Evidence)
}

func (w *encoder) page(p Page) {
	w.hash(p.Link)
	// Pages are sorted by link, so differences of their times are not short.
	w.int(p.Time)
	w.uint(uint64(p.Marks))
	w.uint(uint64(p.Status))
	w.uint(uint64(p.Words))
	w.hash(p.Simhash)
	w.words(p.Signature)
	for _, s := range []string{p.Path, p.Language, p.Publisher, p.Title, p.URL, p.Filename} {
		w.text(s)
	}
	w.int(p.Offset)
	w.hash(p.Redirect)
	w.hash(p.Author)
	w.uint(uint64(p.Signs))
	// Names are sorted, see namesOf; Decode refuses others.
	w.uint(uint64(len(p.Entities)))
	for _, n := range p.Entities {
		w.text(n.Type)
		w.text(n.Text)
	}
	// At the end: see hasVisits.
	w.fates(p.Visits)
}

// fates writes visits without digests and items.
func (w *encoder) fates(list []Fetch) {
	each(w, list, func(w *encoder, f Fetch) {
		w.when(f.Time)
		w.uint(uint64(f.Status))
	})
}

// Decode reads the output of Encode, all of b. Other bytes give ErrState, and so do lists that are unsorted or too
// long. So Merge accepts any decoded state.
func Decode(b []byte) (State, error) {
	r := newDecoder(b)
	if !r.known() {
		return State{}, fmt.Errorf("%w of version %d: a Source DB that another version of Gleaner has made has to be "+
			"made anew, in another folder", ErrState, version)
	}
	s := State{First: r.int(), Last: r.int(), Info: r.info()}
	// Times before 1970, which an earlier version took from records, are invalid: see captured.
	s.First, s.Last, s.Info.Time = max(0, s.First), max(0, s.Last), max(0, s.Info.Time)
	s.Items = list(&r, MaxItems, (*decoder).item, orderItems)
	s.Entries = list(&r, MaxEntries, (*decoder).entry, orderEntries)
	s.Visits = list(&r, MaxVisits, (*decoder).visit, compareFetches)
	s.Pages = list(&r, MaxPages, (*decoder).page, orderPages)
	s.Announces = list(&r, MaxAnnounces, (*decoder).announce, orderAnnounces)
	s.Aliases = list(&r, MaxAliases, (*decoder).alias, orderAliases)
	if r.bad || len(r.b) > 0 {
		return State{}, ErrState
	}
	return s, nil
}

// decoder reads values until one is missing; then it is bad and returns zeros.
type decoder struct {
	b    []byte
	all  string // original b: texts are parts of it, so one allocation serves all texts of a record
	bad  bool
	time int64

	version byte
}

func (r *decoder) known() bool {
	r.version = r.byte()
	return r.version >= 2 && r.version <= version
}

func newDecoder(b []byte) decoder { return decoder{b: b, all: string(b)} }

// list reads a list of at most n elements, in order and without duplicates.
func list[T any](r *decoder, n int, read func(*decoder) T, order func(x, y T) int) []T {
	count := r.uint()
	if count > uint64(n) {
		r.fail()
	}
	if r.bad || count == 0 {
		return nil
	}
	r.time = 0
	out := make([]T, 0, count) // at most n
	for range count {
		x := read(r)
		if len(out) > 0 && order(out[len(out)-1], x) >= 0 {
			r.fail()
		}
		if r.bad {
			return nil
		}
		out = append(out, x)
	}
	return out
}

func (r *decoder) fail() { r.b, r.bad = nil, true }

// take returns the next n bytes, or n zeros if there are fewer. n is small.
func (r *decoder) take(n int) []byte {
	// Zeros, so that callers may index without a check.
	if n > len(r.b) {
		r.fail()
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *decoder) byte() byte         { return r.take(1)[0] }
func (r *decoder) hash() uint64       { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *decoder) announce() Announce { return Announce{r.hash(), r.text(), r.text(), r.text()} }
func (r *decoder) alias() Alias       { return Alias{r.text(), r.text()} }

func (r *decoder) uint() uint64 {
	// 0 means too few bytes, less than 0 a number above 64 bits.
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *decoder) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// small reads a number of at most most.
func (r *decoder) small(most uint64) uint64 {
	v := r.uint()
	if v > most {
		r.fail()
		return 0
	}
	return v
}

func (r *decoder) text() string {
	n := r.small(maxText)
	// Checked before the slice is made: the length may be damaged.
	if n > uint64(len(r.b)) {
		r.fail()
		return ""
	}
	// all and b end at the same place, which gives the start in all.
	start := len(r.all) - len(r.b)
	r.b = r.b[n:]
	return r.all[start : start+int(n)]
}

func (r *decoder) when() int64 {
	// It may wrap around like the other when: the sum is right again.
	r.time += r.int()
	return r.time
}

func (r *decoder) words() (s [8]uint16) {
	for i := range s {
		s[i] = binary.LittleEndian.Uint16(r.take(2))
	}
	return s
}

func (r *decoder) info() (i Info) {
	i.Time = r.int()
	for _, s := range []*string{&i.URL, &i.Type, &i.Title, &i.Link, &i.Self, &i.Language, &i.Publisher} {
		*s = r.text()
	}
	// Negative hints are invalid; so the zero Info is the least.
	i.MaxAge, i.Period, i.TTLMinutes = max(0, r.int()), max(0, r.int()), max(0, r.int())
	return i
}

func (r *decoder) item() (i Item) {
	i.ID, i.Link, i.Time = r.hash(), r.hash(), r.when()
	i.First = i.Time + r.int()
	i.Marks = ItemMarks(r.byte())
	i.Words = r.words()
	return i
}

func (r *decoder) entry() (e Entry) {
	e.Time, e.ID, e.URL, e.Title = r.when(), r.hash(), r.text(), r.text()
	return e
}

func (r *decoder) visit() (f Fetch) {
	f.Time, f.Digest = r.when(), r.hash()
	f.Items, f.Status = uint32(r.small(1<<32-1)), uint16(r.small(1<<16-1))
	return f
}

func (r *decoder) page() (p Page) {
	p.Link, p.Time, p.Marks = r.hash(), r.int(), r.marks()
	p.Status, p.Words = uint16(r.small(1<<16-1)), uint32(r.small(1<<32-1))
	p.Simhash, p.Signature = r.hash(), r.words()
	for _, s := range []*string{&p.Path, &p.Language, &p.Publisher, &p.Title, &p.URL, &p.Filename} {
		*s = r.text()
	}
	p.Offset, p.Redirect, p.Author = r.int(), r.hash(), r.hash()
	if r.version > 2 {
		p.Signs = SiteSigns(r.small(1<<16 - 1))
	}
	// MaxNames bounds the allocation.
	if n := r.small(MaxNames); n > 0 {
		p.Entities = make([]Name, n)
	}
	for i := range p.Entities {
		p.Entities[i] = Name{r.text(), r.text()}
	}
	// Encode writes them sorted.
	if !slices.IsSortedFunc(p.Entities, compareNames) {
		r.fail()
	}
	if r.version > 3 {
		p.Visits = r.fates()
	} else {
		p.renew()
	}
	return p
}

func (r *decoder) marks() PageMarks {
	if r.version < 5 {
		return PageMarks(r.byte())
	}
	return PageMarks(r.small(1<<16 - 1))
}

// renew gives a page of an earlier version the mark and the visit that it would have now.
func (p *Page) renew() {
	if showedNothing(uint64(p.Status), p.Link, p.Redirect) {
		p.Marks, p.Redirect = p.Marks|Bare, 0
	}
	if s := fateOf(*p); s != 0 && p.Time > 0 {
		p.Visits = []Fetch{{Time: p.Time, Status: s}}
	}
}

// showedNothing reports whether a page of an earlier version showed nothing: see isBare.
func showedNothing(status, link, redirect uint64) bool {
	return status == 304 || redirect == link && redirect != 0
}

func (r *decoder) fates() []Fetch { return list(r, MaxFates, (*decoder).fate, compareFetches) }

func (r *decoder) fate() Fetch {
	f := Fetch{Time: r.when(), Status: uint16(r.small(1<<16 - 1))}
	if f.Status == 0 {
		r.fail() // see hasVisits
	}
	return f
}
