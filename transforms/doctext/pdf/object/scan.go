package object

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// scan finds "12 0 obj", in the order of the file. Not line by line: writers put several objects on a line, and
// damage takes line ends away.
func (f *File) scan() []found {
	var list []found
	for pos := 0; ; {
		// "endobj" is found as well: no number is before it.
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

// holders yields the objects of list that word is in, by offset and number. list is in the order of the file, so
// the object that a place lies in is the last that begins before it. Each is yielded once, however often the word
// is in it.
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

// occurrences yields where word is in data. Words do not overlap themselves, so going after each is enough.
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
