package record

import (
	"io"
)

// plainScan is how much of a file is looked at at once for heads that are not compressed, in bytes.
const plainScan = 256 << 10

// sight is a piece of the file in which uncompressed records were looked for.
type sight struct {
	from, to int64
	found    int64 // the first of them; -1 when there is none
}

// nextPlain returns the first place of from to limit at which uncompressed records stand, by their heads and by what
// follows them, or limit. Heads are in members that are stored without compression, too.
func (r *Reader) nextPlain(from, limit int64) int64 {
	for from < limit {
		if from < r.sight.from || from >= r.sight.to || r.sight.found >= 0 && r.sight.found < from {
			r.sight = r.lookForPlain(from)
		}
		if r.sight.found >= 0 {
			return min(r.sight.found, limit)
		}
		if r.sight.to <= from { // an error comes again with the next reading
			break
		}
		from = r.sight.to
	}
	return limit
}

// lookForPlain looks for uncompressed records in the piece of the file that begins at from.
func (r *Reader) lookForPlain(from int64) sight {
	b := make([]byte, min(plainScan, r.whole.Size-from))
	n, err := r.src.ReadAt(b, from)
	if err != nil && err != io.EOF {
		return sight{from: from, to: from, found: -1}
	}
	b = b[:n]
	s := sight{from: from, to: from + int64(n), found: -1}
	ended := s.to >= r.whole.Size
	if !ended {
		s.to = max(from, s.to-probe)
	}
	searched := searchable(b, ended)
	for _, g := range r.formats {
		c := chains{r: r, g: g, b: b, from: from, far: maxFar, broken: map[int64]bool{}}
		for i := indexOf(g, b, 0, searched); i >= 0; i = indexOf(g, b, i+1, searched) {
			if c.stands(from + int64(i)) {
				s.found, searched = from+int64(i), i // a record of another format counts if it is before this one
				break
			}
		}
	}
	return s
}
