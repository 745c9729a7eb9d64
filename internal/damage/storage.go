package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// storage are kinds of damage by disk arrays, volumes, tapes, memory and lines, and files within files. They come
// after the others, so that the seeds of those stay.
var storage = []kind{
	// A shorter archive over a longer one, whose end remains.
	{name: "old-end", layouts: all, turns: 1, arc: true, build: oldEnd},
	// An array of two disks, of which one returns zeros.
	{name: "stripes", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
		from := r.IntN(len(f.Data) / 2)
		for at := from / stripe * stripe; at < from+len(f.Data)/3; at += 2 * stripe {
			f.overwrite(at, make([]byte, stripe))
		}
	}},
	// Volumes joined in the order of their names: 1, 10, 11, 2.
	{name: "by-name", layouts: all, turns: 1, arc: true, build: volumes(func(_ *rand.Rand, n int) []int {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		slices.SortFunc(list, func(a, b int) int { return bytes.Compare(fmt.Append(nil, a+1), fmt.Append(nil, b+1)) })
		return list
	})},
	// Missing and repeated volumes.
	{name: "volumes", layouts: all, turns: 1, arc: true, build: volumes(func(r *rand.Rand, n int) (list []int) {
		for i := range n {
			for range []int{0, 1, 1, 1, 1, 2}[r.IntN(6)] {
				list = append(list, i)
			}
		}
		return append(list, n-1)
	})},
	// Archives in a tape archive (POSIX.1, pax interchange format), each after a head of 512 bytes.
	{name: "tape", layouts: all, turns: 1, arc: true, build: tape},
	// Truncated archives followed by another one with another compression.
	{name: "cut-mixed", layouts: []string{Plain}, turns: 12, arc: true, build: cutMixed},
	// A line that lost a bit: what follows is shifted until it is in step again.
	{name: "bit-slip", layouts: all, turns: 1, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
		b := slices.Clone(f.Data[at:min(len(f.Data), at+1+r.IntN(20_000))])
		for i := range b {
			b[i] <<= 1
			if i+1 < len(b) {
				b[i] |= b[i+1] >> 7
			}
		}
		f.overwrite(at, b)
	})},
	// A stuck bit in a buffer through which all bytes pass.
	{name: "stuck-bit", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
		for at, bit := r.IntN(1<<17), byte(1)<<r.IntN(8); at < len(f.Data); at += 1 << 17 {
			if f.Data[at]&bit == 0 {
				f.overwrite(at, []byte{f.Data[at] | bit})
			}
		}
	}},
	// Lost or repeated packets.
	{name: "packets", layouts: all, turns: 1, arc: true, file: places(8, func(r *rand.Rand, f *File, at int) {
		if at = at / packet * packet; r.IntN(2) == 0 {
			f.remove(at, packet)
		} else {
			f.insert(at, slices.Clone(f.Data[at:min(len(f.Data), at+packet)]))
		}
	})},
	// What a client of a bucket writes between the parts of a signed upload.
	{name: "signed-chunks", layouts: all, turns: 1, arc: true, file: periodic(128<<10, func(i int) []byte {
		return fmt.Appendf(nil, "\r\n20000;chunk-signature=%064x\r\n", i)
	})},
	// Members that were compressed twice.
	{name: "member-twice", layouts: []string{GzipEach, GzipSome}, turns: 1, arc: true, build: membersTwice},
	// A buffer that was written repeatedly.
	{name: "stutter", layouts: all, turns: 1, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
		at = at / block * block
		f.insert(at, bytes.Repeat(f.Data[at:min(len(f.Data), at+block)], 1+r.IntN(20)))
	})},
	// Heads with other versions, indented, or in lower case.
	{name: "odd-version", layouts: three, turns: 1, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(12) == 0 {
				odd := []string{"WARC/0.17", "WARC/1.1", "WARC/2.0", "warc/1.0", "  WARC/1.0", "WARC/1", "WARC /1.0"}[r.IntN(7)]
				rec.head = bytes.Replace(rec.head, []byte("WARC/1.0"), []byte(odd), 1)
				a.pages[rec.page].Touched = true
			}
		}
	}},
}

// Sizes of a disk array's stripe and of a network packet's payload.
const (
	stripe = 64 << 10
	packet = 1460
)

// oldEnd writes an archive over the beginning of a longer one.
func oldEnd(r *rand.Rand, a *archive) *File {
	half := len(a.records) / 2
	x, y := a.first(half).lay(a.c.Layout), a.rest(half).lay(a.c.Layout)
	if len(x.Data) > len(y.Data) {
		x, y = y, x
	}
	f := &File{front: x.front}
	f.piece(x, 0, len(x.Data))
	if y.front != nil { // the bytes that its pages need are overwritten
		y.touch(0, len(y.Data))
	}
	f.piece(y, len(x.Data), len(y.Data))
	f.broken(x, y)
	return f
}

// volumes joins the pieces of a file in the order given.
func volumes(order func(r *rand.Rand, n int) []int) func(*rand.Rand, *archive) *File {
	return func(r *rand.Rand, a *archive) *File {
		const n = 12
		o := a.lay(a.c.Layout)
		f := &File{front: o.front}
		size := (len(o.Data) + n - 1) / n
		done := map[int]bool{}
		for _, i := range order(r, n) {
			from, to := i*size, min((i+1)*size, len(o.Data))
			if done[i] { // its pages count once
				f.Data = append(f.Data, o.Data[from:to]...)
				continue
			}
			done[i] = true
			f.piece(o, from, to)
		}
		f.broken(o)
		return f
	}
}

// tape writes parts of an archive into a tape archive.
func tape(_ *rand.Rand, a *archive) *File {
	f := &File{}
	half := len(a.records) / 2
	for i, part := range []*archive{a.first(half), a.rest(half)} {
		o := part.lay(a.c.Layout)
		head := make([]byte, sector)
		copy(head, fmt.Sprintf("part-%d%s", i, a.c.Ext()))
		copy(head[100:], fmt.Sprintf("0000644\x000000000\x000000000\x00%011o\x0014000000000\x00        0", len(o.Data)))
		copy(head[257:], "ustar\x0000")
		sum := 0
		for _, c := range head {
			sum += int(c)
		}
		copy(head[148:], fmt.Sprintf("%06o\x00 ", sum))
		f.Data = append(f.Data, head...)
		f.add(o)
		f.Data = append(f.Data, make([]byte, (sector-len(f.Data)%sector)%sector)...)
	}
	f.Data = append(f.Data, make([]byte, 2*sector)...)
	return f
}

// cutMixed joins two archives with different compressions, of which the first is truncated.
func cutMixed(r *rand.Rand, a *archive) *File {
	layouts := append([]string{Plain, GzipEach, GzipOne, GzipSome, ZstdEach}, rareLayouts...)
	n := int(a.c.Seed)
	x := layouts[n%len(layouts)]
	y := layouts[(n+1+r.IntN(len(layouts)-1))%len(layouts)]
	half := len(a.records) / 2
	f := a.first(half).lay(x)
	keep := len(f.Data) - 1 - r.IntN(len(f.Data)/4)
	f.remove(keep, len(f.Data)-keep)
	f.add(a.rest(half).lay(y))
	return f
}

// membersTwice compresses some members again, which touches their pages.
func membersTwice(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for _, at := range f.starts() {
		behind := f.memberEnd(at + 1)
		if r.IntN(20) == 0 {
			twice := gzipped(f.Data[at:behind])
			f.touch(at, at+1)
			f.remove(at, behind-at)
			f.insert(at, twice)
		}
	}
	return f
}
