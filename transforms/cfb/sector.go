package cfb

import (
	"encoding/binary"
	"strings"
)

// part returns the sector with a number, cut at the end of the file. Parameter from is the beginning of sector 0. The
// product has 64 bits, since numbers reach 2^32 and sectors 2^16.
func part(src []byte, size, from int, n uint32) []byte {
	at := uint64(n)*uint64(size) + uint64(from)
	if at >= uint64(len(src)) {
		return nil
	}
	return src[at:min(at+uint64(size), uint64(len(src)))]
}

// chain returns the bytes of the sectors of a chain.
func (f *File) chain(start uint32) []byte {
	return f.follow(f.src, f.sector, f.sector, f.fat, start) // the header takes the place of a sector
}

// follow joins the sectors of a chain. A sound chain has no more sectors than src, so a circular chain ends after that
// many. So the copied bytes never exceed those of src by more than a sector.
func (f *File) follow(src []byte, size, from int, fat []uint32, start uint32) []byte {
	var out []byte
	n := start
	for range len(src)/size + 1 {
		// A sound chain always ends here.
		if n > maxSector {
			return out
		}
		s := part(src, size, from, n)
		out = append(out, s...)
		// An incomplete sector, or one that the table does not know, is the last one.
		if len(s) < size || int64(n) >= int64(len(fat)) {
			break
		}
		n = fat[n]
	}
	f.damaged = true
	return out
}

// readFAT reads the table of sectors. The header lists its own sectors, and then a chain of lists (the DIFAT, section
// 2.5).
func (f *File) readFAT() {
	list := numbers(f.src[76:headerSize])
	next := u32(f.src, 68)
	for range len(f.src)/f.sector + 1 {
		s := part(f.src, f.sector, f.sector, next)
		if next > maxSector || len(s) < f.sector {
			break
		}
		more := numbers(s)
		// The last number of such a sector is the next sector of the list.
		list = append(list, more[:len(more)-1]...)
		next = more[len(more)-1]
	}
	for i, n := range list {
		// Free places in the list are skipped. A list longer than the number of sectors repeats some.
		if n > maxSector || i > len(f.src)/f.sector {
			continue
		}
		f.fat = append(f.fat, numbers(part(f.src, f.sector, f.sector, n))...)
	}
}

// readTop collects the entries of the root storage, which are a tree. Names are compared in lower case; the format
// itself uses upper case (section 2.6.4). Broken writers leave the tree unsorted, so all of it is walked.
func (f *File) readTop() {
	seen := map[uint32]bool{}
	// An explicit stack replaces recursion: a hostile tree may be a list 100,000 deep.
	todo := []uint32{f.entries[0].child}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i == noEntry || int64(i) >= int64(len(f.entries)) || seen[i] {
			continue
		}
		seen[i] = true
		e := &f.entries[i]
		f.top[strings.ToLower(e.name)] = e
		todo = append(todo, e.left, e.right)
	}
}

func u16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// numbers returns the 32-bit numbers in b.
func numbers(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = u32(b, 4*i)
	}
	return out
}
