package archive

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// wounded is a damaged file. origin has the former offset of each of its bytes, or -1 if damage changed, added or moved
// the byte.
type wounded struct {
	data   []byte
	origin []int32
}

func unhurt(data []byte) wounded {
	w := wounded{data, make([]int32, len(data))}
	for i := range w.origin {
		w.origin[i] = int32(i)
	}
	return w
}

// splice returns w with other bytes in the place of [from, to).
func (w wounded) splice(from, to int, other []byte) wounded {
	foreign := slices.Repeat([]int32{-1}, len(other))
	return wounded{
		slices.Concat(w.data[:from], other, w.data[to:]),
		slices.Concat(w.origin[:from], foreign, w.origin[to:]),
	}
}

// surgeon hurts files at random. One of the same seed does the same.
type surgeon struct {
	*rand.Rand
	borders []int // of pieces, near which faults are the most telling
}

// place returns a position in a file of n > 0 bytes: at a border, near one, or anywhere.
func (s surgeon) place(n int) int {
	at := s.borders[s.IntN(len(s.borders))]
	switch s.IntN(4) {
	case 0:
		at += s.IntN(81) - 40
	case 1, 2:
		at = s.IntN(n)
	}
	return min(max(at, 0), n-1)
}

// stretch returns a stretch of 1 to 1<<limit bytes, fewer at the file's end; short ones are as usual as long ones.
func (s surgeon) stretch(n, limit int) (from, to int) {
	from = s.place(n)
	return from, min(n, from+1+s.IntN(1<<s.IntN(limit+1)))
}

func (s surgeon) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

// wounds are the ways to hurt a file that is not empty.
var wounds = []struct {
	name string
	do   func(s surgeon, w wounded) wounded
}{
	{"flip", func(s surgeon, w wounded) wounded {
		at := s.place(len(w.data))
		return w.splice(at, at+1, []byte{w.data[at] ^ byte(1+s.IntN(255))})
	}},
	{"cut", func(s surgeon, w wounded) wounded {
		from, to := s.stretch(len(w.data), 16)
		return w.splice(from, to, nil)
	}},
	{"insertion", func(s surgeon, w wounded) wounded {
		at := s.place(len(w.data))
		n := 1 + s.IntN(1<<s.IntN(17))
		if s.IntN(3) == 0 {
			return w.splice(at, at, make([]byte, n))
		}
		return w.splice(at, at, s.noise(n))
	}},
	{"zeros", func(s surgeon, w wounded) wounded {
		from, to := s.stretch(len(w.data), 16)
		return w.splice(from, to, make([]byte, to-from))
	}},
	{"swap", func(s surgeon, w wounded) wounded {
		a, b := s.stretch(len(w.data), 15)
		c, d := s.stretch(len(w.data), 15)
		if a > c {
			a, b, c, d = c, d, a, b
		}
		b = min(b, c)
		first, second := bytes.Clone(w.data[a:b]), bytes.Clone(w.data[c:d])
		return w.splice(c, d, first).splice(a, b, second)
	}},
	{"duplication", func(s surgeon, w wounded) wounded {
		from, to := s.stretch(len(w.data), 17)
		return w.splice(to, to, w.data[from:to])
	}},
	{"end", func(s surgeon, w wounded) wounded {
		return w.splice(s.place(len(w.data)), len(w.data), nil)
	}},
}

func (m made) borders() []int {
	b := []int{0}
	for _, p := range m.pieces {
		b = append(b, b[len(b)-1]+len(p.data))
	}
	return b
}

// untouched returns the indexes of the records that no damage touched. A record is touched if a byte of its pieces was
// changed, removed or moved, or if other bytes came between two of them. Damage right before the first byte or right
// after the last does not count. But an ARC record must begin on a line of its own. So in an uncompressed file the line
// end before it counts as one of its bytes.
func (m made) untouched(w wounded) (whole []int) {
	at := 0
	extent := map[int][2]int{}
	for _, p := range m.pieces {
		for _, k := range p.records {
			e, ok := extent[k]
			if !ok {
				e[0] = at
			}
			e[1] = at + len(p.data)
			extent[k] = e
		}
		at += len(p.data)
	}
	now := slices.Repeat([]int32{-1}, at)
	for i, o := range w.origin {
		if o >= 0 {
			now[o] = int32(i)
		}
	}
	for k := range m.raw {
		e := extent[k]
		if m.format.String() == "arc+plain" {
			e[0] = max(0, e[0]-1)
		}
		if unbroken(now[e[0]:e[1]]) {
			whole = append(whole, k)
		}
	}
	return whole
}

// unbroken reports whether places are all there, side by side.
func unbroken(places []int32) bool {
	for i, at := range places {
		if at < 0 || at != places[0]+int32(i) {
			return false
		}
	}
	return true
}
