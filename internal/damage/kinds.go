package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
)

// kind is one way to damage an archive: its records before they are written, the file, or how files are put together.
// One of records, file and build is set, or the first and one of the others.
type kind struct {
	name    string
	layouts []string
	turns   int // cases of each layout
	arc     bool
	records func(r *rand.Rand, a *archive)
	file    func(r *rand.Rand, f *File)
	build   func(r *rand.Rand, a *archive) *File
}

// The kinds, with what happens to archives in the wild.
var (
	all   = Layouts()
	three = []string{Plain, GzipEach, GzipOne}
	kinds = []kind{
		// Bytes that do not belong there, such as messages of a program that wrote to the same output.
		{name: "insert", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.insert(at, noise(r, 1+r.IntN(5000)))
		})},
		// Bytes that were lost between two that are there.
		{name: "delete", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.remove(at, 1+r.IntN(5000))
		})},
		// A block that a copy wrote twice.
		{name: "duplicate", layouts: all, turns: 2, arc: true, file: places(4, func(_ *rand.Rand, f *File, at int) {
			at = at / block * block
			f.insert(min(at+block, len(f.Data)), slices.Clone(f.Data[at:min(at+block, len(f.Data))]))
		})},
		// Blocks in the wrong order.
		{name: "swap", layouts: all, turns: 2, arc: true, file: swap},
		// What a file system leaves of sectors that were never written: from one to 128 of them.
		{name: "zero", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at/sector*sector, make([]byte, sector<<r.IntN(8)))
		})},
		// Bytes that were overwritten, from 1 to 64 KiB.
		{name: "hole", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, noise(r, 1024<<r.IntN(7)))
		})},
		// A large one: the next record is far away.
		{name: "large-hole", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.overwrite(len(f.Data)/4+r.IntN(len(f.Data)/4), noise(r, min(3<<20, len(f.Data)/4)))
		}},
		// The ends of records and the heads after them, where a reader decides how to go on.
		{name: "end-of-record", layouts: []string{Plain}, turns: 4, arc: true, build: holesBehind},
		// Single bits, as bad memory makes them.
		{name: "flip", layouts: all, turns: 2, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, []byte{f.Data[at] ^ 1<<r.IntN(8)})
		})},
		// Lengths that are wrong but look right: too short, too long, by a few bytes, and beyond all bounds.
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
		// Compressed per record, a negative number meets the same code as plain text, so three layouts do.
		{name: "negative-length", layouts: three, turns: 1, arc: true, records: lengths(func(_ *rand.Rand, n int) string {
			return fmt.Sprint(-n)
		})},
		// Transfers in text mode, of a whole file or of a part.
		{name: "crlf-to-lf", layouts: three, turns: 1, arc: true, file: translate(toLF, false)},
		{name: "crlf-to-lf-part", layouts: three, turns: 1, file: translate(toLF, true)},
		{name: "lf-to-crlf", layouts: three, turns: 1, arc: true, file: translate(toCRLF, false)},
		{name: "lf-to-crlf-part", layouts: three, turns: 1, file: translate(toCRLF, true)},
		// Writers that end their own lines by LF and keep the bodies as they are.
		{name: "heads-to-lf", layouts: all, turns: 1, records: func(_ *rand.Rand, a *archive) { a.headsToLF() }},
		// A crawl that was killed in the middle of a record, and began again in the same file.
		{name: "cut-and-append", layouts: all, turns: 1, arc: true, build: cutAndAppend},
		// Records without the two line ends after them, or with one.
		{name: "no-blank-line", layouts: three, turns: 1, records: func(r *rand.Rand, a *archive) {
			for i := range a.records {
				if r.IntN(10) == 0 {
					a.records[i].tail = a.records[i].tail[:r.IntN(2)*2]
				}
			}
		}},
		// A length that leads exactly to the end of a later record swallows those between, and looks right.
		{name: "over-records", layouts: []string{Plain, GzipOne, GzipSome}, turns: 1, arc: true, records: overRecords},
		// The bytes that close a record are letters: a reader that needs them must not lose the next one.
		{name: "lost-line-end", layouts: []string{Plain}, turns: 2, arc: true, build: lettersForLineEnds},
		// The end of a record is gone, so that the next head follows in the midst of a line.
		{name: "run-together", layouts: all, turns: 1, arc: true, build: runTogether},
		// The beginning of the file is gone, with what says which file it is.
		{name: "head-gone", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.remove(0, len(f.Data)/8+r.IntN(len(f.Data)/4))
		}},
		// The bytes that identify a member.
		{name: "member-head", layouts: []string{GzipEach, GzipOne, GzipSome, ZstdEach}, turns: 1, build: memberHeads},
		// Chunked bodies whose sizes lie.
		{name: "chunk-size", layouts: []string{Plain, ZstdEach, GzipEach}, turns: 2, records: chunkSizes},
		// A byte order mark, as editors put it before text.
		{name: "text-editor", layouts: three, turns: 1, arc: true, file: func(_ *rand.Rand, f *File) {
			f.insert(0, []byte("\uFEFF"))
		}},
		// The whole file was compressed once more, as by a server that sends it.
		{name: "packed", layouts: []string{GzipEach, GzipOne, ZstdEach}, turns: 1, file: func(_ *rand.Rand, f *File) {
			f.pack()
		}},
		// Files that were joined without care for how each was compressed.
		{name: "mixed", layouts: []string{Plain}, turns: 5, arc: true, build: mixed},
	}
	// All of them, in the order that seeds follow from.
	allKinds = slices.Concat(kinds, transfers, writers, storage)
)

// Sizes of blocks of file systems and of sectors of disks.
const (
	block  = 4096
	sector = 512
)

// noise is bytes that compress badly and look like nothing.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// places does it at so many places.
// Places may fall together, which makes the damage greater there.
func places(n int, do func(r *rand.Rand, f *File, at int)) func(*rand.Rand, *File) {
	return func(r *rand.Rand, f *File) {
		for range n {
			do(r, f, r.IntN(len(f.Data)))
		}
	}
}

// swap exchanges three pairs of blocks. A pair that is one block stays as it is.
func swap(r *rand.Rand, f *File) {
	for range 3 {
		x, y := r.IntN(len(f.Data)/block)*block, r.IntN(len(f.Data)/block)*block
		// Copies, because the first write changes what the second one needs.
		first, second := slices.Clone(f.Data[x:x+block]), slices.Clone(f.Data[y:y+block])
		if x != y {
			f.overwrite(x, second)
			f.overwrite(y, first)
		}
	}
}

// holesBehind overwrites the ends of some records, and from nothing to all of the heads after them.
func holesBehind(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		// The last page is left alone, since there has to be something after the hole.
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		n := []int{4, 12, 64, 700, 5000}[r.IntN(5)]
		// Zeros are a special case: a reader may take them for padding.
		b := noise(r, n)
		if r.IntN(2) == 0 {
			b = make([]byte, n)
		}
		f.overwrite(p.To, b)
	}
	return f
}

// The length is the last field of a head, in WARC and in ARC, so that it is found at its end.
var stated = regexp.MustCompile(`(Content-Length: | )(\d+)(\r?\n(?:\r\n)?)$`)

// lengths changes the stated length of every fifteenth page.
func lengths(of func(r *rand.Rand, n int) string) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			rec := &a.records[i]
			// Page -1 are requests, metadata and the like, which no document comes of.
			if rec.page < 0 || r.IntN(15) > 0 {
				continue
			}
			a.pages[rec.page].Touched = true
			// The digest stays as it was, and can tell.
			rec.head = stated.ReplaceAll(rec.head, []byte("${1}"+of(r, len(rec.block))+"${3}"))
		}
	}
}

// overRecords makes some heads state a length that leads to the end of one of the next records.
func overRecords(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		// From one to three of the next records are swallowed.
		over := a.records[i+1 : min(len(a.records), i+2+r.IntN(3))]
		if rec.page < 0 || r.IntN(40) > 0 || len(over) == 0 {
			continue
		}
		// What it states ends where the block of the last of them does: its own tail is that one's.
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
		// The record after has to be there.
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		// It may cut more than the block has, and so into the head.
		n := 1 + r.IntN(max(1, p.To-p.From))
		if a.c.Layout == Plain {
			// In plain files the empty lines go as well; in others they are inside the member.
			n += len("\r\n\r\n")
		}
		// The bytes removed end where the next record begins.
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
		// Never more than closes the record, so that the next head stays whole.
		n := 1 + r.IntN(end-p.To)
		// A letter and blanks, or blanks alone.
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
// The first member is what tells readers the format of the file.
func memberHeads(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	places := []int{f.Pages[0].From}
	for range 8 {
		places = append(places, f.Pages[r.IntN(len(f.Pages))].From)
	}
	for _, at := range places {
		// One of the first four bytes, which are magic numbers, method and flags.
		at += r.IntN(4)
		f.overwrite(at, []byte{f.Data[at] ^ byte(1+r.IntN(255))})
	}
	return f
}

// Sizes stand on lines of their own; a body may have such a line too, which does no harm here.
var chunkSize = regexp.MustCompile(`\r\n[0-9a-f]+\r\n`)

// chunkSizes changes the size of one chunk of some pages.
func chunkSizes(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		// Only bodies that are chunked, as the HTTP head says within its first bytes.
		if rec.page < 0 || !bytes.Contains(rec.block[:min(len(rec.block), 400)], []byte("chunked")) || r.IntN(2) > 0 {
			continue
		}
		at := chunkSize.FindAllIndex(rec.block, -1)
		one := at[r.IntN(max(1, len(at)-1))] // not the last one, of size 0
		// Zero ends the body early, the next two are not numbers, the others are too small or too large.
		size := []string{"0", "zz", "", "1", "ffff", "7fffffffffffffff"}[r.IntN(6)]
		a.pages[rec.page].Touched = true
		rec.block = slices.Concat(rec.block[:one[0]+2], []byte(size), rec.block[one[1]-2:])
		// The record itself stays right: only HTTP inside it is wrong.
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	}
}

// toLF drops a CR before an LF.
func toLF(data []byte, i int) []byte {
	if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
		return nil
	}
	return data[i : i+1]
}

// toCRLF adds a CR to an LF that has none.
func toCRLF(data []byte, i int) []byte {
	if data[i] == '\n' && (i == 0 || data[i-1] != '\r') {
		return []byte("\r\n")
	}
	return data[i : i+1]
}

// translate changes line ends in all of the file, or from a fourth to three fourths of it.
// A part, because a transfer in text mode may have been resumed in another one.
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
		// The length in the head stays, and is too large now for what the block has lost.
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
	// At least a byte is missing, and up to a fourth of the half.
	keep := len(f.Data) - 1 - r.IntN(len(f.Data)/4)
	f.remove(keep, len(f.Data)-keep)
	f.add(a.rest(len(a.records) / 2).lay(a.c.Layout))
	return f
}

// first returns the archive of the first n records.
func (a *archive) first(n int) *archive { return a.part(a.records[:n]) }

// rest returns the archive of all but the first n records.
func (a *archive) rest(n int) *archive { return a.part(a.records[n:]) }

// part numbers the pages again, as the files are laid out apart.
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
	// The seed and not chance, so that each of the committed cases is another one.
	join := joins[int(a.c.Seed)%len(joins)]
	f := &File{}
	n := len(a.records) / len(join)
	for i, layout := range join {
		// The last part has what the division leaves over.
		end := (i + 1) * n
		if i == len(join)-1 {
			end = len(a.records)
		}
		part := a.part(a.records[i*n : end]).lay(layout)
		if i > 0 && layout != Plain && r.IntN(4) == 0 { // packed once, a plain page is like the others
			part.pack()
		}
		f.add(part)
	}
	return f
}
