package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
)

// writers are kinds that were added when those of transfers were all read well: mistakes of writers, rare but allowed
// forms, and remains of programs stopped between two records. They stand after the others, so that the seeds of those
// stay.
var writers = []kind{
	// Pairs of bytes in the wrong order, as a serial line's driver leaves them.
	{name: "swapped-pairs", layouts: all, turns: 1, arc: true, file: places(6, func(_ *rand.Rand, f *File, at int) {
		if at+1 < len(f.Data) {
			f.overwrite(at, []byte{f.Data[at+1], f.Data[at]})
		}
	})},
	// Members' flags are others: there is said to be a name, a comment, a checksum of the head or none.
	{name: "member-flags", layouts: []string{GzipEach, GzipSome}, turns: 2, arc: true, build: memberFlags},
	// Members with extra fields, names, comments and checksums of their heads, right and wrong ones.
	{name: "member-fields", layouts: []string{GzipEach, GzipSome}, turns: 1, build: memberFields},
	// A member is cut and the next one follows at once.
	{name: "cut-members", layouts: []string{GzipEach, GzipSome, ZstdEach}, turns: 2, arc: true, build: cutMembers},
	// Heads whose fields continue on further lines: the format allows it, but nobody writes it.
	{name: "folded", layouts: three, turns: 1, records: everyTenth(func(_ *rand.Rand, rec *record) bool {
		rec.head = fieldStart.ReplaceAll(rec.head, []byte("${1}\r\n\t"))
		return false
	})},
	// A file that was saved as UTF-16: its mark alone, or a tenth of it.
	{name: "utf16-mark", layouts: three, turns: 1, arc: true, file: func(_ *rand.Rand, f *File) {
		f.insert(0, []byte("\xff\xfe"))
	}},
	{name: "utf16-part", layouts: []string{Plain}, turns: 2, arc: true, file: region(func(data []byte, i int) []byte {
		return []byte{data[i], 0}
	})},
	// Fields that stand twice, with the same value or another one.
	{name: "twice-fields", layouts: three, turns: 1, records: heads(func(r *rand.Rand, rec *record) {
		rows := bytes.SplitAfter(rec.head, []byte("\r\n"))
		at := 1 + r.IntN(len(rows)-3)
		row := slices.Clone(rows[at])
		if r.IntN(2) == 0 { // another value, of the same form
			row[len(row)-3]++
		}
		rec.head = bytes.Join(slices.Insert(rows, at+r.IntN(2), row), nil)
	})},
	// Lengths that one program takes for numbers and another does not.
	{name: "spelt-length", layouts: three, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
		return fmt.Sprintf([]string{"+%d", "%d ", "\t%d", "0%d", "0x%x", "%d\x00", "%d\v", "%de0"}[r.IntN(8)], n)
	})},
	// HTTP's length likewise. The record is right.
	{name: "spelt-http-length", layouts: three, turns: 1, arc: true, records: everyTenth(httpLengthSpelt)},
	// Chunks with sizes in capitals, with zeros before them, with extensions, and trailers: all allowed.
	{name: "odd-chunks", layouts: three, turns: 1, arc: true, records: everyTenth(oddChunks)},
	// Frames that decoders skip, with garbage in them, also such as lie about their lengths.
	{name: "skippable", layouts: []string{ZstdEach}, turns: 3, build: skippable},
	// ARC whose first record says another version, or lacks it.
	{name: "arc-version", layouts: nil, arc: true, records: arcVersion},
	// Blank lines between records are missing, or there are too many.
	{name: "blank-lines", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if r.IntN(4) == 0 {
				a.records[i].tail = bytes.Repeat([]byte("\r\n"), r.IntN(6))
			}
		}
	}},
	// NULs between records, as files are preallocated.
	{name: "nul-between", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if r.IntN(10) == 0 {
				a.records[i].tail = slices.Concat(a.records[i].tail, make([]byte, 1+r.IntN(2000)))
			}
		}
	}},
	// What a program wrote after the end.
	{name: "trailing", layouts: all, turns: 2, arc: true, file: func(r *rand.Rand, f *File) {
		f.insert(len(f.Data), noise(r, 1+r.IntN(100_000)))
	}},
	// A record's block is cut, and the next record follows in the midst of a line: its length is still the old one.
	{name: "glued", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(25) == 0 {
				a.pages[rec.page].Touched = true
				rec.block, rec.tail = rec.block[:r.IntN(len(rec.block))], nil
			}
		}
	}},
	// Two records of which the second is written into the first.
	{name: "within", layouts: []string{Plain, GzipOne}, turns: 1, arc: true, records: within},
}

// fieldStart is the colon of a field and what precedes it.
var fieldStart = regexp.MustCompile(`(?m)^((?:WARC-Target-URI|WARC-Type|Content-Type|WARC-Record-ID):) `)

// everyTenth does it to every tenth page. Do reports whether the page is touched by it, which what the formats allow
// does not.
func everyTenth(do func(r *rand.Rand, rec *record) bool) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(10) == 0 && do(r, rec) {
				a.pages[rec.page].Touched = true
			}
		}
	}
}

// memberFlags changes the flags of some members.
func memberFlags(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 10 {
		p := f.Pages[r.IntN(len(f.Pages))]
		f.overwrite(p.From+3, []byte{byte(1 + r.IntN(31))}) // RFC 1952, section 2.3.1
	}
	return f
}

// memberFields gives some members what the format allows in their heads; a checksum of the head may be wrong.
func memberFields(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for _, at := range f.starts() {
		if r.IntN(6) > 0 {
			continue
		}
		extra := noise(r, 1+r.IntN(300))
		flag, fields := byte(4), append([]byte{byte(len(extra)), byte(len(extra) >> 8)}, extra...)
		if r.IntN(2) == 0 {
			flag, fields = 4|8|16, append(fields, "caf\xe9.warc\x00a comment\x1f\x8b\x08\x00"...)
		}
		f.grow(at, flag, fields)
	}
	return f
}

// starts are the offsets of members that hold pages, the last one first, because an insertion moves the bytes after it.
func (f *File) starts() []int {
	var list []int
	for _, p := range f.Pages {
		list = append(list, p.From)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	slices.Reverse(list)
	return list
}

// grow puts fields into the head of the member at at, which is as sound as before.
func (f *File) grow(at int, flag byte, fields []byte) {
	var touched []bool
	for _, p := range f.Pages {
		touched = append(touched, p.Touched)
	}
	f.insert(at+10, fields)
	f.Data[at+3] |= flag
	for i := range f.Pages {
		f.Pages[i].Touched = touched[i]
	}
}

// cutMembers cuts some members, at any byte, and leaves the next one where it was cut.
func cutMembers(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 10 {
		p := f.Pages[r.IntN(len(f.Pages))]
		end := f.memberEnd(p.To)
		n := 1 + r.IntN(max(1, end-p.From-1))
		f.remove(end-n, n)
	}
	return f
}

// memberEnd is where the member ends that has at as the last byte of a page: where the next begins, or the file's end.
func (f *File) memberEnd(at int) int {
	for _, magic := range [][]byte{{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}} {
		if i := bytes.Index(f.Data[at:], magic); i >= 0 {
			return at + i
		}
	}
	return len(f.Data)
}

// httpLengthSpelt writes HTTP's length in other ways that mean the same to some. Whether a page is touched, nobody can
// say: its body is known by the record.
func httpLengthSpelt(r *rand.Rand, rec *record) bool {
	head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
	at := bytes.Index(head, []byte("Content-Length: "))
	if at < 0 {
		return false
	}
	n := fmt.Sprintf([]string{"+%d", "%d ", "  %d", "000%d", "0x%x", "%d, %[1]d", "%d;", "\"%d\""}[r.IntN(8)], len(body))
	rec.block = fmt.Appendf(nil, "%sContent-Length: %s\r\n\r\n%s", head[:at], n, body)
	rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	return true
}

// oddChunks writes the sizes of chunks in other ways that the standard allows: RFC 9112, section 7.1.
func oddChunks(r *rand.Rand, rec *record) bool {
	if !bytes.Contains(rec.block[:min(len(rec.block), 400)], []byte("chunked")) {
		return false
	}
	head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
	out := append(slices.Clone(head), "\r\n\r\n"...)
	for {
		row, rest, _ := bytes.Cut(body, []byte("\r\n"))
		var n int
		if _, err := fmt.Sscanf(string(row), "%x", &n); err != nil {
			panic(err) // it was written by this package
		}
		out = fmt.Appendf(out, []string{"%X\r\n", "000%x\r\n", "%x;name=value\r\n", "%x ; a=\"b\"\r\n"}[r.IntN(4)], n)
		if n == 0 {
			rec.block = append(out, "X-Trailer: yes\r\n\r\n"...)
			rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
			return true // its digest is that of the old bytes
		}
		out, body = append(out, rest[:n+2]...), rest[n+2:]
	}
}

// skippable puts frames before some pages that decoders skip: RFC 8878, section 3.1.2. Of some the length goes beyond.
func skippable(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 8 {
		p := f.Pages[r.IntN(len(f.Pages))]
		garbage := noise(r, r.IntN(3000))
		n, lies := len(garbage), r.IntN(3) == 0
		if lies {
			n += 1 + r.IntN(p.To-p.From)
		}
		frame := []byte{byte(0x50 + r.IntN(16)), 0x2a, 0x4d, 0x18, byte(n), byte(n >> 8), byte(n >> 16), 0}
		if lies {
			f.touch(p.From, p.From+1)
		}
		f.insert(p.From, append(frame, garbage...))
	}
	return f
}

// arcVersion changes the first record of an ARC file.
func arcVersion(r *rand.Rand, a *archive) {
	first := &a.records[0]
	switch r.IntN(3) {
	case 0:
		first.block = []byte("3 1 Archive\nURL IP-address Archive-date Content-type Archive-length\n")
	case 1:
		first.block = []byte("no version\n\n")
	default:
		first.block = nil
	}
	if r.IntN(2) == 0 { // or its length is that of what it was
		first.head = stated.ReplaceAll(first.head, fmt.Appendf(nil, "${1}%d${3}", len(first.block)))
	}
}

// within writes some records into the midst of the block of the one before, whose rest follows.
func within(r *rand.Rand, a *archive) {
	for i := 1; i < len(a.records); i++ {
		x, y := &a.records[i-1], &a.records[i]
		if x.page < 0 || r.IntN(20) > 0 {
			continue
		}
		at := r.IntN(len(x.block))
		rest := slices.Clone(x.block[at:])
		a.pages[x.page].Touched = true
		x.block, x.tail, y.tail = x.block[:at], nil, slices.Concat(y.tail, rest, []byte("\r\n\r\n"))
	}
}
