package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
)

// kind is a kind of damage: to records before they are written, to the file, or to how files are combined. One of
// records, file and build is set, or records and another.
type kind struct {
	name    string
	layouts []string
	turns   int // cases of each layout
	arc     bool
	records func(r *rand.Rand, a *archive)
	file    func(r *rand.Rand, f *File)
	build   func(r *rand.Rand, a *archive) *File
}

// The kinds follow damage found in the wild.
var (
	all   = Layouts()
	three = []string{Plain, GzipEach, GzipOne}
	kinds = []kind{
		// Foreign bytes, such as messages of a program that wrote to the same output.
		{name: "insert", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.insert(at, noise(r, 1+r.IntN(5000)))
		})},
		// Missing bytes.
		{name: "delete", layouts: all, turns: 2, arc: true, file: places(5, func(r *rand.Rand, f *File, at int) {
			f.remove(at, 1+r.IntN(5000))
		})},
		// A block that was copied twice.
		{name: "duplicate", layouts: all, turns: 2, arc: true, file: places(4, func(_ *rand.Rand, f *File, at int) {
			at = at / block * block
			f.insert(min(at+block, len(f.Data)), slices.Clone(f.Data[at:min(at+block, len(f.Data))]))
		})},
		// Blocks in the wrong order.
		{name: "swap", layouts: all, turns: 2, arc: true, file: swap},
		// Sectors that were never written: from one to 128.
		{name: "zero", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at/sector*sector, make([]byte, sector<<r.IntN(8)))
		})},
		// Overwritten bytes, from 1 to 64 KiB.
		{name: "hole", layouts: all, turns: 2, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, noise(r, 1024<<r.IntN(7)))
		})},
		// A large hole: the next record is far away.
		{name: "large-hole", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.overwrite(len(f.Data)/4+r.IntN(len(f.Data)/4), noise(r, min(3<<20, len(f.Data)/4)))
		}},
		// Ends of records and the following heads, where a reader decides how to continue.
		{name: "end-of-record", layouts: []string{Plain}, turns: 4, arc: true, build: holesAfter},
		// Single bits, as from bad memory.
		{name: "flip", layouts: all, turns: 2, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
			f.overwrite(at, []byte{f.Data[at] ^ 1<<r.IntN(8)})
		})},
		// Wrong but plausible lengths: too short, too long, off by a few bytes, and huge.
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
		// Negative lengths meet the same code in all compressed layouts, so three layouts are enough.
		{name: "negative-length", layouts: three, turns: 1, arc: true, records: lengths(func(_ *rand.Rand, n int) string {
			return fmt.Sprint(-n)
		})},
		// Transfers in text mode, of a whole file or a part.
		{name: "crlf-to-lf", layouts: three, turns: 1, arc: true, file: translate(toLF, false)},
		{name: "crlf-to-lf-part", layouts: three, turns: 1, file: translate(toLF, true)},
		{name: "lf-to-crlf", layouts: three, turns: 1, arc: true, file: translate(toCRLF, false)},
		{name: "lf-to-crlf-part", layouts: three, turns: 1, file: translate(toCRLF, true)},
		// Writers that end their own lines with LF and keep bodies as they are.
		{name: "heads-to-lf", layouts: all, turns: 1, records: func(_ *rand.Rand, a *archive) { a.headsToLF() }},
		// A crawl that was killed within a record and restarted in the same file.
		{name: "cut-and-append", layouts: all, turns: 1, arc: true, build: cutAndAppend},
		// Records without the two line ends after them, or with one.
		{name: "no-blank-line", layouts: three, turns: 1, records: func(r *rand.Rand, a *archive) {
			for i := range a.records {
				if r.IntN(10) == 0 {
					a.records[i].tail = a.records[i].tail[:r.IntN(2)*2]
				}
			}
		}},
		// A length that leads exactly to the end of a later record swallows those between and looks right.
		{name: "over-records", layouts: []string{Plain, GzipOne, GzipSome}, turns: 1, arc: true, records: overRecords},
		// Letters in place of the bytes that close a record: a reader must not lose the next record.
		{name: "lost-line-end", layouts: []string{Plain}, turns: 2, arc: true, build: lettersForLineEnds},
		// The end of a record is missing, so that the next head follows in mid-line.
		{name: "run-together", layouts: all, turns: 1, arc: true, build: runTogether},
		// The start of the file is missing, which shows its format.
		{name: "head-gone", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
			f.remove(0, len(f.Data)/8+r.IntN(len(f.Data)/4))
		}},
		// The magic bytes of a member.
		{name: "member-head", layouts: []string{GzipEach, GzipOne, GzipSome, ZstdEach}, turns: 1, build: memberHeads},
		// Wrong chunk sizes.
		{name: "chunk-size", layouts: []string{Plain, ZstdEach, GzipEach}, turns: 2, records: chunkSizes},
		// A byte order mark, as editors put it before text.
		{name: "text-editor", layouts: three, turns: 1, arc: true, file: func(_ *rand.Rand, f *File) {
			f.insert(0, []byte("\uFEFF"))
		}},
		// The whole file compressed again, as by a server.
		{name: "packed", layouts: []string{GzipEach, GzipOne, ZstdEach}, turns: 1, file: func(_ *rand.Rand, f *File) {
			f.pack()
		}},
		// Files with different compressions that were concatenated.
		{name: "mixed", layouts: []string{Plain}, turns: 5, arc: true, build: mixed},
	}
	// The order determines the seeds.
	allKinds = slices.Concat(kinds, transfers, writers, storage)
)

// Block size of file systems and sector size of disks.
const (
	block  = 4096
	sector = 512
)

// noise returns random bytes, which hardly compress.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// places damages n random offsets, which may coincide.
func places(n int, do func(r *rand.Rand, f *File, at int)) func(*rand.Rand, *File) {
	return func(r *rand.Rand, f *File) {
		for range n {
			do(r, f, r.IntN(len(f.Data)))
		}
	}
}

// swap exchanges three pairs of blocks; equal ones stay.
func swap(r *rand.Rand, f *File) {
	for range 3 {
		x, y := r.IntN(len(f.Data)/block)*block, r.IntN(len(f.Data)/block)*block
		// Cloned, because the first write changes the other's source.
		first, second := slices.Clone(f.Data[x:x+block]), slices.Clone(f.Data[y:y+block])
		if x != y {
			f.overwrite(x, second)
			f.overwrite(y, first)
		}
	}
}

// holesAfter overwrites the ends of some records and a part of the following heads.
func holesAfter(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		// The last page is excluded, so that something follows.
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		n := []int{4, 12, 64, 700, 5000}[r.IntN(5)]
		// Readers may take zeros for padding.
		b := noise(r, n)
		if r.IntN(2) == 0 {
			b = make([]byte, n)
		}
		f.overwrite(p.To, b)
	}
	return f
}

// stated matches the length, the last field of a head in WARC and ARC.
var stated = regexp.MustCompile(`(Content-Length: | )(\d+)(\r?\n(?:\r\n)?)$`)

// lengths changes the stated length of about every fifteenth page.
func lengths(of func(r *rand.Rand, n int) string) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			rec := &a.records[i]
			// Records without a page make no documents.
			if rec.page < 0 || r.IntN(15) > 0 {
				continue
			}
			a.pages[rec.page].Touched = true
			// The digest stays and can reveal it.
			rec.head = stated.ReplaceAll(rec.head, []byte("${1}"+of(r, len(rec.block))+"${3}"))
		}
	}
}

// overRecords makes some lengths reach to the end of a later record.
func overRecords(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		// It swallows one to three records.
		over := a.records[i+1 : min(len(a.records), i+2+r.IntN(3))]
		if rec.page < 0 || r.IntN(40) > 0 || len(over) == 0 {
			continue
		}
		// The length ends with the block of the last swallowed record, whose tail then serves both.
		n := len(rec.block) - len(over[len(over)-1].tail) + len(rec.tail)
		for _, next := range over {
			n += len(next.bytes())
		}
		a.pages[rec.page].Touched = true
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", n))
	}
}

// runTogether removes the ends of some records, so that the next head follows directly.
func runTogether(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		// This may also remove a part of the head.
		n := 1 + r.IntN(max(1, p.To-p.From))
		if a.c.Layout == Plain {
			// In plain files it removes the blank lines too; in others they are in the member.
			n += len("\r\n\r\n")
		}
		// The removed bytes end where the next record begins.
		f.remove(p.To-n+(f.nextRecord(p.To)-p.To), n)
	}
	return f
}

// lettersForLineEnds overwrites the end of some records with letters and blanks.
func lettersForLineEnds(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 12 {
		p := f.Pages[r.IntN(len(f.Pages)-1)]
		end := f.nextRecord(p.To)
		if end == p.To { // already damaged
			continue
		}
		// The next head stays intact.
		n := 1 + r.IntN(end-p.To)
		// A letter and blanks, or only blanks.
		f.overwrite(end-n, []byte("k    ")[r.IntN(2):][:n])
	}
	return f
}

// nextRecord returns the end of the record whose page ends at offset at.
func (f *File) nextRecord(at int) int {
	for at < len(f.Data) && (f.Data[at] == '\r' || f.Data[at] == '\n') {
		at++
	}
	return at
}

// memberHeads changes a byte in the heads of some members, and of the first, which shows the file's format.
func memberHeads(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	places := []int{f.Pages[0].From}
	for range 8 {
		places = append(places, f.Pages[r.IntN(len(f.Pages))].From)
	}
	for _, at := range places {
		// The first four bytes are magic number, method and flags.
		at += r.IntN(4)
		f.overwrite(at, []byte{f.Data[at] ^ byte(1+r.IntN(255))})
	}
	return f
}

// A body may contain such a line too, which does no harm.
var chunkSize = regexp.MustCompile(`\r\n[0-9a-f]+\r\n`)

// chunkSizes changes a chunk size in some pages.
func chunkSizes(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		// The start of the HTTP head shows chunked bodies.
		if rec.page < 0 || !bytes.Contains(rec.block[:min(len(rec.block), 400)], []byte("chunked")) || r.IntN(2) > 0 {
			continue
		}
		at := chunkSize.FindAllIndex(rec.block, -1)
		one := at[r.IntN(max(1, len(at)-1))] // not the last one, of size 0
		// Zero ends the body early, two are not numbers, the others are too small or too large.
		size := []string{"0", "zz", "", "1", "ffff", "7fffffffffffffff"}[r.IntN(6)]
		a.pages[rec.page].Touched = true
		rec.block = slices.Concat(rec.block[:one[0]+2], []byte(size), rec.block[one[1]-2:])
		// The WARC length stays right: only HTTP is wrong.
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	}
}

// toLF removes a CR before an LF.
func toLF(data []byte, i int) []byte {
	if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
		return nil
	}
	return data[i : i+1]
}

// toCRLF adds a missing CR before an LF.
func toCRLF(data []byte, i int) []byte {
	if data[i] == '\n' && (i == 0 || data[i-1] != '\r') {
		return []byte("\r\n")
	}
	return data[i : i+1]
}

// translate changes line ends in the whole file, or in its middle half, as when a transfer was resumed in another
// mode.
func translate(of func([]byte, int) []byte, part bool) func(*rand.Rand, *File) {
	return func(_ *rand.Rand, f *File) {
		if part {
			f.rewrite(len(f.Data)/4, len(f.Data)*3/4, of)
			return
		}
		f.rewrite(0, len(f.Data), of)
	}
}

// headsToLF changes the line ends of WARC and HTTP heads.
func (a *archive) headsToLF() {
	crlf, lf := []byte("\r\n"), []byte("\n")
	for i := range a.records {
		// The stated length stays, and is now too large.
		rec := &a.records[i]
		rec.head, rec.tail = bytes.ReplaceAll(rec.head, crlf, lf), bytes.ReplaceAll(rec.tail, crlf, lf)
		if rec.page >= 0 {
			a.pages[rec.page].Touched = true
			head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
			rec.block = slices.Concat(bytes.ReplaceAll(head, crlf, lf), []byte("\n\n"), body)
		}
	}
}

// cutAndAppend truncates the first half of an archive and appends the rest.
func cutAndAppend(r *rand.Rand, a *archive) *File {
	half := *a
	f := half.first(len(a.records) / 2).lay(a.c.Layout)
	// Removes at least a byte and up to a fourth of the half.
	keep := len(f.Data) - 1 - r.IntN(len(f.Data)/4)
	f.remove(keep, len(f.Data)-keep)
	f.add(a.rest(len(a.records) / 2).lay(a.c.Layout))
	return f
}

// first returns the archive of the first n records.
func (a *archive) first(n int) *archive { return a.part(a.records[:n]) }

// rest returns the archive of all but the first n records.
func (a *archive) rest(n int) *archive { return a.part(a.records[n:]) }

// part makes an archive of some records and numbers its pages again.
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

// mixed joins two or three parts with different compressions, some of them compressed again.
func mixed(r *rand.Rand, a *archive) *File {
	joins := [][]string{
		{GzipEach, Plain},
		{Plain, GzipEach},
		{GzipEach, ZstdEach},
		{GzipOne, Plain},
		{ZstdEach, Plain, GzipEach},
		{Plain, ZstdEach},
	}
	// The seed makes each committed case different.
	join := joins[int(a.c.Seed)%len(joins)]
	f := &File{}
	n := len(a.records) / len(join)
	for i, layout := range join {
		// The last part has the remainder.
		end := (i + 1) * n
		if i == len(join)-1 {
			end = len(a.records)
		}
		part := a.part(a.records[i*n : end]).lay(layout)
		if i > 0 && layout != Plain && r.IntN(4) == 0 { // a plain part compressed again would look like the others
			part.pack()
		}
		f.add(part)
	}
	return f
}
