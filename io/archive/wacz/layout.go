package wacz

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// file is a file in the ZIP file, whose place is known.
type file struct {
	span              // from its local header to the end of its data descriptor
	dir       *header // its entry in the directory, or nil
	head      *local
	data, end int64 // of its data
	tail      int64 // where its data ends as stated: bytes that nothing covers stand after it
	exact     bool  // directory and header agree, and another structure follows
	crcs      []uint32
}

// layout is the position of each part of a ZIP file. The directory and the local headers are two witnesses; if they
// differ, or leave bytes uncovered, the bytes themselves decide.
type layout struct {
	w       *window
	dir     *directory
	names   map[string][]*header // of the directory
	files   []*file              // in the order of the ZIP file
	raw     []span               // that no file covers
	missed  []string             // names of archives that are looked for
	extra   int64                // bytes of extra fields of the last file that is whole: programs give all the same
	damage  []string
	damaged bool
}

func newLayout(w *window) *layout {
	l := &layout{w: w, dir: readDirectory(w), names: map[string][]*header{}}
	if l.dir.damage != "" {
		l.say("%s", l.dir.damage)
	}
	for _, e := range l.dir.entries {
		l.names[e.name] = append(l.names[e.name], e)
	}
	l.place()
	l.cover()
	for _, e := range l.dir.entries {
		if !e.placed && !isFolder(e.name) {
			l.say("%.200q is not where the directory says", e.name)
		}
	}
	return l
}

// maxSaid limits the messages about a ZIP file without lost bytes.
const maxSaid = 1000

func (l *layout) say(format string, args ...any) {
	l.damaged = true
	if len(l.damage) < maxSaid {
		l.damage = append(l.damage, fmt.Sprintf(format, args...))
	}
}

func isFolder(name string) bool { return len(name) > 0 && name[len(name)-1] == '/' }

// place finds the local headers that the directory points to.
func (l *layout) place() {
	entries := slices.Clone(l.dir.entries)
	slices.SortStableFunc(entries, func(a, b *header) int { return cmp.Compare(a.at, b.at) })
	taken := map[int64]bool{}
	moved := false // the end record says that something is in front, and offsets do not
	add := func(e *header, h *local) {
		moved = moved || l.dir.base != 0 && h.at == e.at
		taken[h.at], e.placed = true, true
		l.files = append(l.files, &file{span: span{h.at, h.at}, dir: e, head: h})
	}
	// Headers with the right name first: similar ones must not take their place.
	for _, e := range entries {
		for _, off := range l.offsets(e) {
			h := readLocal(l.w, off)
			if h != nil && h.signed && h.name == e.name && !taken[off] {
				add(e, h)
				break
			}
		}
	}
	for _, e := range entries {
		for _, off := range l.offsets(e) {
			if e.placed || taken[off] {
				break
			}
			if h, of := l.similar(e, off); h != nil {
				add(of, h)
			}
		}
	}
	if moved || l.dir.base < 0 {
		l.say("its directory is not where the end record says")
	}
	slices.SortFunc(l.files, func(a, b *file) int { return cmp.Compare(a.from, b.from) })
	l.miss()
}

// offsets are the possible positions of the local header of an entry: with the bytes in front of the ZIP file, and
// without.
func (l *layout) offsets(e *header) (at []int64) {
	for _, off := range []int64{e.at + l.dir.base, e.at} {
		inside := off >= l.dir.from && off < l.dir.to
		if e.at >= 0 && off >= 0 && off < l.w.size && !inside && !slices.Contains(at, off) {
			at = append(at, off)
		}
	}
	return at
}

// similar returns the local header at off if it belongs to e despite its faults, or to another entry with which e was
// mixed up.
func (l *layout) similar(e *header, off int64) (*local, *header) {
	h := readLocal(l.w, off)
	switch {
	case h == nil:
		return nil, nil
	case h.signed:
		if other := l.missing(h.name); other != nil {
			return h, other
		}
		return h, e
	// Without signature, or with wrong lengths: its name is where it has to be.
	case string(l.w.at(off+localSize, len(e.name))) == e.name && e.name != "":
		h.name = e.name
		return h, e
	}
	return nil, nil
}

// missing returns the entry of this name whose local header was not found, or nil.
func (l *layout) missing(name string) *header {
	for _, e := range l.names[name] {
		if !e.placed {
			return e
		}
	}
	return nil
}

// cover settles where each file ends, and examines the bytes between them.
func (l *layout) cover() {
	known := l.files
	l.files = nil
	at, before := int64(0), (*file)(nil)
	gap := func(to int64) {
		if at < to && !l.zeros(at, to) {
			l.scan(at, to, before)
		}
	}
	directory := l.dir.from
	for i, f := range known {
		bound := l.w.size
		if i+1 < len(known) {
			bound = known[i+1].from
		}
		if f.from < directory {
			bound = min(bound, directory)
		} else if directory < l.w.size && at <= directory {
			gap(directory)
			at, before = l.dir.to, nil
		}
		gap(f.from)
		l.settle(f, bound)
		l.files = append(l.files, f)
		at, before = f.to, f
	}
	if at <= directory && directory < l.w.size {
		gap(directory)
		at, before = l.dir.to, nil
	}
	gap(l.w.size)
	slices.SortStableFunc(l.files, func(a, b *file) int { return cmp.Compare(a.from, b.from) })
}

// zeros reports whether there is nothing else in a span.
func (l *layout) zeros(from, to int64) bool { return l.nonzero(from, to) == to }

// nonzero returns the first place of a span at which no zero is, or its end.
func (l *layout) nonzero(from, to int64) int64 {
	at := l.w.find(from, to, func(b []byte) int {
		if n := len(b) - len(bytes.TrimLeft(b, "\x00")); n < len(b) {
			return n
		}
		return -1
	})
	if at < 0 {
		return to
	}
	return at
}

// settle decides where the data of a file begins and ends; bound is where the next thing stands.
func (l *layout) settle(f *file, bound int64) {
	f.data = f.head.data
	fits := l.fits(f, bound)
	// What fits may still be wrong at both ends by as much.
	if fits && (!isArchive(f.name()) || l.isData(f.data)) {
		l.compare(f)
		return
	}
	if data, ok := l.dataOf(f, bound); ok && data != f.data {
		l.say("%.200q does not begin where its header says", f.name())
		f.data = data
		fits = l.fits(f, bound)
		f.exact = false
	}
	if !fits {
		l.cut(f, bound)
	}
	l.compare(f)
}

// cut ends the data of a file of which nothing tells where it ends.
func (l *layout) cut(f *file, bound int64) {
	sizes := f.sizes()
	agree := f.dir != nil && f.head.signed && f.dir.name == f.head.name && len(sizes) == 1 && f.data+sizes[0] <= bound
	// These bytes are searched, so that none is skipped.
	if !agree && (f.data > bound || !l.isData(f.data)) {
		f.data = min(f.named(), bound)
	}
	f.end = bound
	for _, n := range sizes {
		switch end := f.data + n; {
		case end < f.data || end > bound:
			l.say("%.200q is not as long as its headers say", f.name())
		default:
			f.end = min(f.end, end)
		}
	}
	f.tail, f.to = f.end, f.end
}

// named is where a file's data would begin if there were no extra fields.
func (f *file) named() int64 { return f.from + localSize + int64(len(f.name())) }

// fits reports whether the data of a file has one of the stated sizes, and ends where another part begins. Then it is
// settled.
func (l *layout) fits(f *file, bound int64) bool {
	for _, n := range f.sizes() {
		to, crc, ok := l.reaches(f.data+n, n, bound)
		if ok && f.data+n >= f.data {
			f.end, f.tail, f.to, f.exact = f.data+n, f.data+n, to, true
			f.crcs = append(f.crcs, crc...)
			return true
		}
	}
	return l.described(f, bound)
}

// sizes are the sizes of a file's data that the directory and its header state.
func (f *file) sizes() (sizes []int64) {
	if f.dir != nil && f.dir.packed >= 0 {
		sizes = append(sizes, f.dir.packed)
	}
	if n := f.head.packed; n >= 0 && !slices.Contains(sizes, n) {
		sizes = append(sizes, n)
	}
	return sizes
}

// name is the file's name: of two that differ, the one of an archive.
func (f *file) name() string {
	if f.dir == nil || !isArchive(f.dir.name) && isArchive(f.head.name) {
		return f.head.name
	}
	return f.dir.name
}

// maxPadding bounds the zeros that are taken for padding between two files; bytes.
const maxPadding = 64 << 10

// reaches reports whether data of n bytes that ends at end can end there. A data descriptor, padding or another header
// must follow, up to bound. If a descriptor follows, to is the offset after it, and crc has its checksum.
func (l *layout) reaches(end, n, bound int64) (to int64, crc []uint32, ok bool) {
	if end < 0 || end > bound {
		return 0, nil, false
	}
	if end == bound {
		return end, nil, true
	}
	b := l.w.at(end, int(min(24, bound-end)))
	k, sum := descriptor(b, n)
	if k > 0 {
		return end + int64(k), []uint32{sum}, true
	}
	next := l.w.at(end, 4)
	follows := string(next) == localSig || isDirectory(next)
	return end, nil, follows || bound-end <= maxPadding && l.zeros(end, bound)
}

// described settles a file whose size a data descriptor in front of bound states, or in front of padding.
func (l *layout) described(f *file, bound int64) bool {
	tail := l.w.at(max(f.data, bound-maxPadding), int(min(maxPadding, max(bound-f.data, 0))))
	padding := int64(len(tail) - len(bytes.TrimRight(tail, "\x00")))
	// The last bytes of a size are zeros, too.
	for to := bound - padding; to <= min(bound, bound-padding+8); to++ {
		for _, k := range []int64{16, 24, 12, 20} {
			n := to - k - f.data
			if n < 0 {
				continue
			}
			if got, crc := descriptor(l.w.at(to-k, int(k)), n); int64(got) == k {
				f.end, f.tail, f.to, f.exact = to-k, to-k, to, true
				f.crcs = append(f.crcs, crc)
				return true
			}
		}
	}
	return len(f.sizes()) == 0 && l.streamed(f, bound)
}

// streamed finds the size of a file that only a data descriptor after it states. It is the descriptor that states
// exactly the number of bytes before it.
func (l *layout) streamed(f *file, bound int64) bool {
	for at := f.data; at < bound; at++ {
		at = l.w.find(at, bound, func(b []byte) int { return bytes.Index(b, []byte(descriptorSig)) })
		if at < 0 {
			return false
		}
		if n, crc := descriptor(l.w.at(at, int(min(24, bound-at))), at-f.data); n > 0 {
			f.end, f.tail, f.to, f.exact = at, at, at+int64(n), true
			f.crcs = append(f.crcs, crc)
			return true
		}
	}
	return false
}

// dataOf returns the start of an archive's data if its header may be wrong. It is the candidate at which an archive
// begins, if there is one.
func (l *layout) dataOf(f *file, bound int64) (int64, bool) {
	if !isArchive(f.name()) {
		return 0, false
	}
	named := f.named()
	places := []int64{f.head.data, named + f.head.extra, named, named + l.extra}
	for _, n := range f.sizes() {
		for _, descriptor := range []int64{0, 12, 16, 20, 24} {
			places = append(places, bound-n-descriptor)
		}
	}
	// One wrong bit of the length of its extra fields, or of its name, as often happens.
	for bit := range 16 {
		places = append(places, named+(f.head.extra^1<<bit))
	}
	for _, at := range places {
		if at >= named && at < bound && at-named <= 2*maxField && l.isData(at) {
			return at, true
		}
	}
	return 0, false
}

// isData reports whether an archive begins at a place, deflated or not.
func (l *layout) isData(at int64) bool {
	return begins(l.w.at(at, 64)) || inflates(l.w.at(at, maxBlock))
}

// compare notes the checksums of a file, and says where the directory and its header differ.
func (l *layout) compare(f *file) {
	d, h := f.dir, f.head
	// 0 is written in front of data whose checksum is in the descriptor after it, even if the sizes are known.
	if h.packed >= 0 && (h.crc != 0 || h.flags&flagDescriptor == 0) {
		f.crcs = append(f.crcs, h.crc)
	}
	if d != nil {
		f.crcs = append(f.crcs, d.crc)
	}
	slices.Sort(f.crcs)
	f.crcs = slices.Compact(f.crcs)
	if d == nil {
		return
	}
	sizes := d.packed != h.packed || d.size != h.size
	if !h.signed || d.name != h.name || d.method != h.method || (d.flags^h.flags)&flagEncrypted != 0 ||
		h.packed >= 0 && sizes || f.exact && d.packed != f.end-f.data || len(f.crcs) > 1 {
		f.exact = false
		l.say("%.200q: the directory and its own header differ", f.name())
	}
	if f.exact {
		l.extra = h.extra
	}
}
