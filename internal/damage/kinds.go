package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
)

// kind is one way to damage an archive: its records before they are written, the file, or how files are put together.
type kind struct {
	name    string
	layouts []string
	turns   int // cases of each layout
	arc     bool
	records func(r *rand.Rand, a *archive)
	file    func(r *rand.Rand, f *File)
	build   func(r *rand.Rand, a *archive) *File
}

var (
	all   = Layouts()
	three = []string{Plain, GzipEach, GzipOne}
	kinds = []kind{
		{name: "insert", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.insert(at, noise(r, 1+r.IntN(5000)))
		})},
		{name: "delete", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.remove(at, 1+r.IntN(5000))
		})},
		{name: "duplicate", layouts: all, turns: 2, arc: true, file: places(4, func(_ *rand.Rand, f *File, at int) {
			at = at / block * block
			f.insert(min(at+block, len(f.Data)), slices.Clone(f.Data[at:min(at+block, len(f.Data))]))
		})},
		{name: "swap", layouts: all, turns: 2, arc: true, file: swap},
		{name: "zero", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at/sector*sector, make([]byte, sector<<r.IntN(8)))
		})},
		{name: "hole", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, noise(r, 1024<<r.IntN(7)))
		})},
		{name: "large-hole", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.overwrite(len(f.Data)/4+r.IntN(len(f.Data)/4), noise(r, min(3<<20, len(f.Data)/4)))
		}},
		{name: "end-of-record", layouts: []string{Plain}, turns: 4, arc: true, build: holesBehind},
		{name: "flip", layouts: all, turns: 2, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, []byte{f.Data[at] ^ 1<<r.IntN(8)})
		})},
		{name: "short-length", layouts: all, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
			return fmt.Sprint(r.IntN(n))
		})},
		{name: "long-length", layouts: all, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
			return fmt.Sprint(n + 1 + r.IntN(100_000))
		})},
		{name: "off-by-few", layouts: all, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
			return fmt.Sprint(n - 4 + r.IntN(9))
		})},
		{name: "huge-length", layouts: all, turns: 1, arc: true, records: lengths(func(*rand.Rand, int) string {
			return "9223372036854775807"
		})},
		{name: "negative-length", layouts: three, turns: 1, arc: true, records: lengths(func(_ *rand.Rand, n int) string {
			return fmt.Sprint(-n)
		})},
		{name: "crlf-to-lf", layouts: three, turns: 1, arc: true, file: translate(toLF, false)},
		{name: "crlf-to-lf-part", layouts: three, turns: 1, file: translate(toLF, true)},
		{name: "lf-to-crlf", layouts: three, turns: 1, arc: true, file: translate(toCRLF, false)},
		{name: "lf-to-crlf-part", layouts: three, turns: 1, file: translate(toCRLF, true)},
		{name: "heads-to-lf", layouts: all, turns: 1, records: func(_ *rand.Rand, a *archive) { a.headsToLF() }},
		{name: "cut-and-append", layouts: all, turns: 1, arc: true, build: cutAndAppend},
		{name: "no-blank-line", layouts: three, turns: 1, records: func(r *rand.Rand, a *archive) {
			for i := range a.records {
				if r.IntN(10) == 0 {
					a.records[i].tail = a.records[i].tail[:r.IntN(2)*2]
				}
			}
		}},
		{name: "over-records", layouts: []string{Plain, GzipOne, GzipSome}, turns: 1, arc: true, records: overRecords},
		{name: "lost-line-end", layouts: []string{Plain}, turns: 2, arc: true, build: lettersForLineEnds},
		{name: "run-together", layouts: all, turns: 1, arc: true, build: runTogether},
		{name: "head-gone", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.remove(0, len(f.Data)/8+r.IntN(len(f.Data)/4))
		}},
		{name: "member-head", layouts: []string{GzipEach, GzipOne, GzipSome, ZstdEach}, turns: 1, build: memberHeads},
		{name: "chunk-size", layouts: []string{Plain, ZstdEach}, turns: 2, records: chunkSizes},
		{name: "text-editor", layouts: three, turns: 1, arc: true, file: func(_ *rand.Rand, f *File) {
			f.insert(0, []byte("\uFEFF"))
		}},
		{name: "packed", layouts: []string{GzipEach, GzipOne, ZstdEach}, turns: 1, file: func(_ *rand.Rand, f *File) {
			f.pack()
		}},
		{name: "mixed", layouts: []string{Plain}, turns: 5, arc: true, build: mixed},
	}
)

const (
	block  = 4096
	sector = 512
)

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// places does it at so many places.
func places(n int, do func(r *rand.Rand, f *File, at int)) func(*rand.Rand, *File) {
	return func(r *rand.Rand, f *File) {
		for range n {
			do(r, f, r.IntN(len(f.Data)))
		}
	}
}

func swap(r *rand.Rand, f *File) {
	for range 3 {
		x, y := r.IntN(len(f.Data)/block)*block, r.IntN(len(f.Data)/block)*block
		first, second := slices.Clone(f.Data[x:x+block]), slices.Clone(f.Data[y:y+block])
		if x != y {
			f.overwrite(x, second)
			f.overwrite(y, first)
		}
	}
}

// holesBehind overwrites the ends of some records, and from nothing to all of the heads behind them.
func holesBehind(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		n := []int{4, 12, 64, 700, 5000}[r.IntN(5)]
		b := noise(r, n)
		if r.IntN(2) == 0 {
			b = make([]byte, n)
		}
		f.overwrite(p.To, b)
	}
	return f
}

var stated = regexp.MustCompile(`(Content-Length: | )(\d+)(\r?\n(?:\r\n)?)$`)

// lengths changes what every fifteenth page's head says of its length.
func lengths(of func(r *rand.Rand, n int) string) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			rec := &a.records[i]
			if rec.page < 0 || r.IntN(15) > 0 {
				continue
			}
			a.pages[rec.page].Touched = true
			rec.head = stated.ReplaceAll(rec.head, []byte("${1}"+of(r, len(rec.block))+"${3}"))
		}
	}
}

// overRecords makes some heads state a length that leads to the end of one of the next records.
func overRecords(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		over := a.records[i+1 : min(len(a.records), i+2+r.IntN(3))]
		if rec.page < 0 || r.IntN(40) > 0 || len(over) == 0 {
			continue
		}
		n := len(rec.block) - len(over[len(over)-1].tail) + len(rec.tail)
		for _, next := range over {
			n += len(next.bytes())
		}
		a.pages[rec.page].Touched = true
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", n))
	}
}

// runTogether cuts the ends off some records, in the block or in the head, so that the next follow at once.
func runTogether(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		n := 1 + r.IntN(max(1, p.To-p.From))
		if a.c.Layout == Plain {
			n += len("\r\n\r\n")
		}
		f.remove(p.To-n+(f.nextRecord(p.To)-p.To), n)
	}
	return f
}

// lettersForLineEnds puts letters and blanks in the place of what closes some records.
func lettersForLineEnds(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		end := f.nextRecord(p.To)
		if end == p.To { // it was done before
			continue
		}
		n := 1 + r.IntN(end-p.To)
		f.overwrite(end-n, []byte("k    ")[r.IntN(2):][:n])
	}
	return f
}

// nextRecord returns where the record ends that has its page's end at at.
func (f *File) nextRecord(at int) int {
	for at < len(f.Data) && (f.Data[at] == '\r' || f.Data[at] == '\n') {
		at++
	}
	return at
}

// memberHeads changes a byte in the heads of some members, and in that of the first one.
func memberHeads(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	places := []int{f.Pages[0].From}
	for range 8 {
		places = append(places, f.Pages[r.IntN(len(f.Pages))].From)
	}
	for _, at := range places {
		at += r.IntN(4)
		f.overwrite(at, []byte{f.Data[at] ^ byte(1+r.IntN(255))})
	}
	return f
}

var chunkSize = regexp.MustCompile(`\r\n[0-9a-f]+\r\n`)

// chunkSizes changes the size of one chunk of some pages.
func chunkSizes(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		if rec.page < 0 || !bytes.Contains(rec.block[:min(len(rec.block), 400)], []byte("chunked")) || r.IntN(2) > 0 {
			continue
		}
		at := chunkSize.FindAllIndex(rec.block, -1)
		one := at[r.IntN(max(1, len(at)-1))] // not the last one, of size 0
		size := []string{"0", "zz", "", "1", "ffff", "7fffffffffffffff"}[r.IntN(6)]
		a.pages[rec.page].Touched = true
		rec.block = slices.Concat(rec.block[:one[0]+2], []byte(size), rec.block[one[1]-2:])
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	}
}

func toLF(data []byte, i int) []byte {
	if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
		return nil
	}
	return data[i : i+1]
}

func toCRLF(data []byte, i int) []byte {
	if data[i] == '\n' && (i == 0 || data[i-1] != '\r') {
		return []byte("\r\n")
	}
	return data[i : i+1]
}

// translate changes line ends in all of the file, or from a fourth to three fourths of it.
func translate(of func([]byte, int) []byte, part bool) func(*rand.Rand, *File) {
	return func(_ *rand.Rand, f *File) {
		if part {
			f.rewrite(len(f.Data)/4, len(f.Data)*3/4, of)
			return
		}
		f.rewrite(0, len(f.Data), of)
	}
}

// headsToLF changes the line ends of all WARC and HTTP heads, and leaves bodies as they are.
func (a *archive) headsToLF() {
	crlf, lf := []byte("\r\n"), []byte("\n")
	for i := range a.records {
		rec := &a.records[i]
		rec.head, rec.tail = bytes.ReplaceAll(rec.head, crlf, lf), bytes.ReplaceAll(rec.tail, crlf, lf)
		if rec.page >= 0 {
			a.pages[rec.page].Touched = true
			head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
			rec.block = slices.Concat(bytes.ReplaceAll(head, crlf, lf), []byte("\n\n"), body)
		}
	}
}

// cutAndAppend cuts the file in its middle and appends another one.
func cutAndAppend(r *rand.Rand, a *archive) *File {
	half := *a
	f := half.first(len(a.records) / 2).lay(a.c.Layout)
	keep := len(f.Data) - 1 - r.IntN(len(f.Data)/4)
	f.remove(keep, len(f.Data)-keep)
	f.add(a.rest(len(a.records) / 2).lay(a.c.Layout))
	return f
}

// first returns the archive of the first n records.
func (a *archive) first(n int) *archive { return a.part(a.records[:n]) }

// rest returns the archive of all but the first n records.
func (a *archive) rest(n int) *archive { return a.part(a.records[n:]) }

func (a *archive) part(records []record) *archive {
	p := &archive{c: a.c}
	for _, rec := range records {
		if rec.page >= 0 {
			p.pages = append(p.pages, a.pages[rec.page])
			rec.page = len(p.pages) - 1
		}
		p.records = append(p.records, rec)
	}
	return p
}

// mixed joins parts of different compressions, two or three of them, one sometimes packed once more.
func mixed(r *rand.Rand, a *archive) *File {
	joins := [][]string{
		{GzipEach, Plain},
		{Plain, GzipEach},
		{GzipEach, ZstdEach},
		{GzipOne, Plain},
		{ZstdEach, Plain, GzipEach},
		{Plain, ZstdEach},
	}
	join := joins[int(a.c.Seed)%len(joins)]
	f := &File{}
	n := len(a.records) / len(join)
	for i, layout := range join {
		end := (i + 1) * n
		if i == len(join)-1 {
			end = len(a.records)
		}
		part := a.part(a.records[i*n : end]).lay(layout)
		if i > 0 && layout != Plain && r.IntN(4) == 0 { // packed once, what was plain is what others are
			part.pack()
		}
		f.add(part)
	}
	return f
}
