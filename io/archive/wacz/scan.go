package wacz

import "bytes"

// scan looks for files in a span that no file covers, whose headers the directory does not lead to. What is found in
// front of the first and behind the last belongs to the file before, if that is an archive, or to none.
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
		if before != nil && before.to == at {
			before.end, before.to, before.exact = next, next, false
			l.say("%.200q goes on behind its end", before.name())
		} else {
			l.raw = append(l.raw, span{at, next})
		}
		at, before = next, nil
	}
}

// fileAt returns the file whose local header stands at a place, or nil.
func (l *layout) fileAt(at, to int64) *file {
	h := l.header(at, to)
	if h == nil {
		return nil
	}
	f := &file{span: span{at, at}, head: h}
	if f.dir = l.missing(h.name); f.dir != nil {
		f.dir.placed = true
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
	// Only then the name and more are read, which costs more.
	if len(b) < localSize || string(b[:4]) != localSig || le.Uint16(b[26:]) > 4<<10 {
		return nil
	}
	h := readLocal(l.w, at)
	if h == nil || !h.sane(l.w.size) || h.data > to {
		return nil
	}
	return h
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
	case "\x00\x00\x00\x00":
		if l.zeros(at, to) {
			return to - at
		}
	}
	return min(int64(n), to-at)
}

// search returns the first place of [from, to) at which a header stands that is surely one of this ZIP file, or to:
// those of ZIP files that are in pages of the archives are not.
func (l *layout) search(from, to int64) int64 {
	for at := from; at < to; {
		at = l.w.find(at, to, func(b []byte) int {
			i, j := bytes.Index(b, []byte(localSig)), bytes.Index(b, []byte(directorySig))
			if i < 0 || j >= 0 && j < i {
				return j
			}
			return i
		})
		if at < 0 {
			break
		}
		if l.isOurs(at, to) {
			return at
		}
		at++
	}
	return to
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
