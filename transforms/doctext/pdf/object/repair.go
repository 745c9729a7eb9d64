package object

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// found is an object that a look through the file has found.
type found struct {
	num int
	entry
	pos int // where it is, or the object stream that holds it
}

// Repair looks through the whole file for objects, and for trailers, as if it had no cross-reference table. What is
// further behind is newer. It does so once; why is what Repaired tells from then on. The flag comes first: what
// follows loads objects, which may ask for a repair again.
func (f *File) Repair(why string) {
	if f.scanned {
		return
	}
	f.scanned = true
	f.Repaired = why
	// Cleared, not replaced: nothing that was read by a wrong table is kept.
	clear(f.xref)
	clear(f.objects)
	clear(f.streams)
	list := f.scan()
	// First the objects of the file itself, which are needed to find trailers and to decrypt object
	// streams.
	f.take(list)
	f.trailers(list)
	f.unlock()
	list = append(list, f.scanObjectStreams(list)...)
	// Objects within object streams take the place of their stream, so that later versions win over
	// earlier ones whichever way they are stored. Stable, for several objects of one stream.
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(a.pos, b.pos) })
	clear(f.xref)
	f.take(list)
	// Without a catalog in any trailer, the objects are asked; a file may have many that lead
	// nowhere, and each costs a look.
	maxCatalogs := 64
	if f.Dict(f.Trailer["Root"])["Pages"] != nil {
		return
	}
	for ref, o := range f.All() {
		if d, ok := o.(Dict); ok && f.Name(d["Type"]) == "Catalog" {
			f.Trailer["Root"] = ref
			if maxCatalogs--; maxCatalogs == 0 || f.Dict(d["Pages"]) != nil {
				return
			}
		}
	}
}

// take enters the objects of list; the last of a number counts. Numbers beyond the format's are left out, so a
// hostile file does not get entries for them.
func (f *File) take(list []found) {
	for _, o := range list {
		if o.num > 0 && o.num <= maxNumber {
			f.xref[o.num] = o.entry
		}
	}
}

// scan finds "12 0 obj", in the order of the file. Not line by line: writers put several objects on a line, and
// damage takes line ends away.
func (f *File) scan() []found {
	var list []found
	for pos := 0; ; {
		// "endobj" is found as well: no number stands before it.
		n := bytes.Index(f.data[pos:], []byte("obj"))
		if n < 0 {
			return list
		}
		if len(list) == maxEntries {
			f.Cut = true
			return list
		}
		at := pos + n
		pos = at + 3
		// Backwards: generation, then number.
		i, _, ok := numberBefore(f.data, at)
		if !ok {
			continue
		}
		// start < i makes sure that digits were there.
		if start, num, ok := numberBefore(f.data, i); ok && start < i {
			list = append(list, found{num, entry{at: start}, start})
		}
	}
}

// numberBefore returns the whole number that ends before end, with white space between, and where it begins. At most
// ten spaces and ten digits are looked at, so that the look through the file stays linear.
func numberBefore(b []byte, end int) (start, n int, ok bool) {
	const widest = 10
	i := end
	for i > 0 && end-i < widest && class[b[i-1]] == 1 {
		i--
	}
	start = i
	for scale := 1; start > 0 && i-start < widest && b[start-1] >= '0' && b[start-1] <= '9'; scale *= 10 {
		start--
		n += int(b[start]-'0') * scale
	}
	return start, n, start < i
}

// trailers reads the dictionaries behind the keyword trailer, and those of cross-reference streams. The last one
// wins, since changes are appended. Some writers drop the keyword and damage takes cross-reference streams, so both
// kinds are looked for.
func (f *File) trailers(list []found) {
	for pos := range occurrences(f.data, "trailer") {
		p := f.parser(f.data)
		p.pos = pos + len("trailer")
		o, _ := p.object()
		f.work -= p.pos - pos
		f.addNewerTrailer(o)
		if f.work < 0 {
			return
		}
	}
	for at := range holders(f.data, list, "/XRef") {
		_, o, _ := f.indirect(at)
		if s, ok := o.(*Stream); ok && f.Name(s.Dict["Type"]) == "XRef" {
			f.addNewerTrailer(s.Dict)
		}
	}
}

// addNewerTrailer takes the entries of o that matter, when it is a trailer whose catalog is there. Keys one by one:
// the last trailer of a damaged file may lack what an earlier one has.
func (f *File) addNewerTrailer(o Object) {
	d, ok := o.(Dict)
	if !ok {
		return
	}
	for _, k := range []Name{"Root", "Info", "Encrypt", "ID"} {
		if v := d[k]; v != nil {
			f.Trailer[k] = v
		}
	}
}

// scanObjectStreams returns the objects that are in object streams. Streams that were replaced later are left out
// with all their objects.
func (f *File) scanObjectStreams(list []found) []found {
	var inside []found
	for at, num := range holders(f.data, list, "/ObjStm") {
		if f.xref[num].at != at {
			continue // an older one
		}
		for n := range f.objectStream(num).at {
			inside = append(inside, found{n, entry{in: num}, at})
		}
	}
	return inside
}

// holders yields the objects of list that word stands in, by offset and number. list is in the order of the file, so
// the object that a place lies in is the last that begins before it. Each is yielded once, however often the word
// stands in it.
func holders(data []byte, list []found, word string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		last := -1
		for pos := range occurrences(data, word) {
			i, _ := slices.BinarySearchFunc(list, pos, func(o found, pos int) int { return cmp.Compare(o.pos, pos) })
			if i == 0 || i-1 == last {
				continue
			}
			last = i - 1
			if !yield(list[last].at, list[last].num) {
				return
			}
		}
	}
}

// occurrences yields where word stands in data. Words do not overlap themselves, so going behind each is enough.
func occurrences(data []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for pos := 0; ; {
			n := bytes.Index(data[pos:], []byte(word))
			if n < 0 || !yield(pos+n) {
				return
			}
			pos += n + len(word)
		}
	}
}

// All yields every object that can be loaded, in the order of the file, objects of object streams where their stream
// is.
func (f *File) All() iter.Seq2[Ref, Object] {
	// Sorted anew, because maps have no order and the result must be the same each time.
	list := make([]found, 0, len(f.xref))
	for num, e := range f.xref {
		pos := e.at
		// The place of an object stream is that of its own entry; where it has none, 0.
		if e.in != 0 {
			pos = f.xref[e.in].at
		}
		list = append(list, found{num, e, pos})
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.num, b.num)) })
	return func(yield func(Ref, Object) bool) {
		// load may repair the file and change the table; the list was made before, and objects that
		// are gone are nil.
		for _, o := range list {
			if v := f.load(o.num); v != nil && !yield(Ref{Num: o.num}, v) {
				return
			}
		}
	}
}

// streamEnd returns where the stream that begins at pos ends when its length is not known: at the next endstream or
// endobj, without the line's end before it, or at the end of the file.
func (f *File) streamEnd(pos int) int {
	// Made once, at the first stream without a sound length: later ones only search in it.
	if f.ends == nil {
		f.ends = append(slices.Collect(occurrences(f.data, "endstream")), slices.Collect(occurrences(f.data, "endobj"))...)
		f.ends = append(f.ends, len(f.data))
		slices.Sort(f.ends)
	}
	i, _ := slices.BinarySearch(f.ends, pos)
	if i == len(f.ends) {
		return len(f.data)
	}
	// One line end before the keyword belongs to it, CR LF at most.
	end := f.ends[i]
	if end > pos && end < len(f.data) && f.data[end-1] == '\n' {
		end--
	}
	if end > pos && end < len(f.data) && f.data[end-1] == '\r' {
		end--
	}
	return end
}
