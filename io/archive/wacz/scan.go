package wacz

import (
	"bytes"
	"slices"
)

// scan looks for files in a span that no file covers, whose headers the directory does not lead to. Members found
// before the first and after the last entry belong to the previous file, if it is an archive, or to no file.
func (l *layout) scan(from, to int64, before *file) {
	for at := from; at < to; {
		// A hostile file may be nothing but headers: the rest of it is searched as bytes of no file.
		if len(l.files) > 2*maxEntries {
			l.raw = append(l.raw, span{at, to})
			return
		}
		if f := l.fileAt(at, to); f != nil {
			l.files = append(l.files, f)
			at, before = f.to, f
			continue
		}
		if n := l.structure(at, to); n > 0 {
			at, before = at+n, nil
			continue
		}
		next := l.search(at, to)
		if l.zeros(at, next) {
			at, before = next, nil
			continue
		}
		if f := l.guess(at, next); f != nil {
			l.files = append(l.files, f)
			at, before = f.to, f
			continue
		}
		// A deflated file ends where it ends.
		if before != nil && before.to == at && !before.deflated(l.w) {
			before.end, before.to, before.exact = next, next, false
			l.say("%.200q goes on behind its end", before.name())
		} else {
			l.raw = append(l.raw, span{at, next})
		}
		at, before = next, nil
	}
}

// guess returns the archive that the directory places in a span, if only its data is left; or nil.
func (l *layout) guess(from, to int64) *file {
	for _, name := range l.missed {
		e := l.missing(name)
		for _, off := range l.offsets(e) {
			if off < from || off >= to {
				continue
			}
			named := off + localSize + int64(len(name))
			for _, at := range []int64{named + l.extra, named, to - e.packed, to - e.packed - 12, to - e.packed - 16} {
				if at < from || at >= to || !l.isData(at) {
					continue
				}
				h := &local{header: *e, data: at}
				f := &file{span: span{from, from}, dir: e, head: h}
				e.placed = true
				l.miss()
				l.settle(f, to)
				f.exact = false
				return f
			}
		}
	}
	return nil
}

// fileAt returns the file whose local header is at a place, or nil.
func (l *layout) fileAt(at, to int64) *file {
	h := l.header(at, to)
	if h == nil {
		return nil
	}
	f := &file{span: span{at, at}, head: h}
	if f.dir = l.missing(h.name); f.dir != nil {
		f.dir.placed = true
		l.miss()
	}
	l.say("%.200q: the directory does not say where it is", h.name)
	for _, n := range f.sizes() {
		if _, _, ok := l.reaches(h.data+n, n, to); ok && h.data+n >= h.data {
			l.settle(f, to)
			return f
		}
	}
	// Where it ends is not known, or is wrong: at the next header.
	l.settle(f, l.search(min(h.data, to), to))
	return f
}

// header returns the local header at a place, or nil.
func (l *layout) header(at, to int64) *local {
	b := l.w.at(at, localSize)
	if len(b) < localSize {
		return nil
	}
	// Only then the name and more are read, which costs more.
	if string(b[:4]) == localSig && le.Uint16(b[26:]) <= 4<<10 {
		if h := readLocal(l.w, at); h != nil && h.sane() && h.data <= to {
			return h
		}
	}
	// The name of a missing file shows the position of its header, even if that is damaged.
	for _, name := range l.missed {
		if at+localSize+int64(len(name)) > to || string(l.w.at(at+localSize, len(name))) != name {
			continue
		}
		// Descriptions and indexes have the name too.
		if h, e := readLocal(l.w, at), l.missing(name); e != nil && h.isOf(e) {
			h.name = name
			return h
		}
	}
	return nil
}

// isOf reports whether a damaged header, in front of the right name, is that of e.
func (h *local) isOf(e *header) bool {
	if h.signed || h.packed == e.packed || h.crc == e.crc {
		return true
	}
	return len(h.name) == len(e.name) && h.method == e.method
}

// maxMissed bounds the names that are looked for.
const maxMissed = 8

// miss notes the names of archives in the directory whose headers were not found.
func (l *layout) miss() {
	l.missed = l.missed[:0]
	for _, e := range l.dir.entries {
		if !e.placed && isArchive(e.name) && len(l.missed) < maxMissed {
			l.missed = append(l.missed, e.name)
		}
	}
}

// structure returns how many bytes at a place are of a directory, of its end, or of padding.
func (l *layout) structure(at, to int64) int64 {
	b := l.w.at(at, directorySize)
	if len(b) < endSize-2 {
		return 0
	}
	n := 0
	switch string(b[:4]) {
	case directorySig:
		if len(b) == directorySize {
			n = recordSize(b)
		}
	case end64Sig:
		n = end64Size
	case locatorSig:
		n = locatorSize
	case endSig:
		if len(b) >= endSize {
			n = endSize + int(le.Uint16(b[20:]))
		}
	default:
		return l.padding(at, to)
	}
	return min(int64(n), to-at)
}

// padding returns how many zeros there are at a place, if nothing else is there up to to, or another header.
func (l *layout) padding(at, to int64) int64 {
	if b := l.w.at(at, 1); len(b) == 0 || b[0] != 0 {
		return 0
	}
	end := l.nonzero(at, to)
	if end == to || end-at <= maxPadding && (l.header(end, to) != nil || isDirectory(l.w.at(end, 4))) {
		return end - at
	}
	return 0
}

// search returns the first offset of [from, to) with a header that surely belongs to this ZIP file, or to. Headers of
// ZIP files in pages of the archives do not count.
func (l *layout) search(from, to int64) int64 {
	marks := []string{localSig, directorySig}
	for at := from; at < to; {
		at = l.w.find(at, to, func(b []byte) int { return first(b, marks, l.missed) })
		if at < 0 {
			break
		}
		// Of a name, its header is in front.
		place := at
		if mark := string(l.w.at(at, 4)); !slices.Contains(marks, mark) {
			place -= localSize
		}
		if place >= from && l.isOurs(place, to) {
			return place
		}
		at++
	}
	return to
}

// first returns the first offset in b of one of the marks or names, or -1. Names have more bytes than marks: of those
// only the beginning has to be there.
func first(b []byte, marks, names []string) int {
	found := -1
	for _, list := range [][]string{marks, names} {
		for _, s := range list {
			end := len(b)
			if found >= 0 {
				end = min(end, found+4)
			}
			if i := bytes.Index(b[:end], []byte(s[:min(4, len(s))])); i >= 0 && (found < 0 || i < found) {
				found = i
			}
		}
	}
	return found
}

// isOurs reports whether the header at a place has a name that a file of this ZIP file may have.
func (l *layout) isOurs(at, to int64) bool {
	if h := l.header(at, to); h != nil {
		return l.isName(h.name)
	}
	b := l.w.at(at, directorySize)
	if len(b) < directorySize || string(b[:4]) != directorySig || le.Uint16(b[28:]) > 4<<10 {
		return false
	}
	return l.isName(string(l.w.at(at+directorySize, int(le.Uint16(b[28:])))))
}

func (l *layout) isName(name string) bool {
	return isName(name) && (isArchive(name) || isOther(name) || l.names[name] != nil)
}
