package object

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
)

// scan finds each "12 0 obj", in the order of the file. It does not go by lines: writers put several objects on a
// line, and damage may remove line ends.
func (f *File) scan() []found {
	var list []found
	for pos := 0; ; {
		// This finds "endobj" as well, but it has no number before it.
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
		// Reading goes backwards: generation, then number.
		i, _, ok := numberBefore(f.data, at)
		if !ok {
			continue
		}
		// start < i means that there were digits.
		if start, num, ok := numberBefore(f.data, i); ok && start < i {
			list = append(list, found{num, entry{at: start}, start})
		}
	}
}

// numberBefore returns the integer that ends before end, with white space between, and its start. It reads at most ten
// spaces and ten digits, so that the scan stays linear.
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

// scanObjectStreams returns the objects in object streams. It leaves out streams that were replaced later, with all
// their objects.
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

// holders yields the objects of list that contain word, by offset and number. Parameter list is in the order of the
// file, so a position belongs to the last object that begins before it. Each object is yielded once.
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

// occurrences yields the positions of word in data. Words do not overlap themselves, so the search continues after
// each.
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

// streamEnd returns the end of a stream that begins at pos and has no known length. It is the next endstream or
// endobj, without the line end before it, or the end of the file.
func (f *File) streamEnd(pos int) int {
	// This is made once, for the first stream without a sound length; later ones only search in it.
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
