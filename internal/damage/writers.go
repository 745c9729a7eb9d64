package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
)

// writers are kinds that come from mistakes of writers, from rare but valid forms, and from programs that stopped
// between records. They come after the others, so that the seeds of those stay.
var writers = []kind{
	// Byte pairs in the wrong order, as from a serial line's driver.
	{name: "swapped-pairs", layouts: all, turns: 1, arc: true, file: places(6, func(_ *rand.Rand, f *File, at int) {
		if at+1 < len(f.Data) {
			f.overwrite(at, []byte{f.Data[at+1], f.Data[at]})
		}
	})},
	// Changed flags of members, which promise or deny a name, a comment or a header checksum.
	{name: "member-flags", layouts: []string{GzipEach, GzipSome}, turns: 2, arc: true, build: memberFlags},
	// Members with extra fields, names, comments and header checksums, right and wrong ones.
	{name: "member-fields", layouts: []string{GzipEach, GzipSome}, turns: 1, build: memberFields},
	// A truncated member directly followed by the next.
	{name: "cut-members", layouts: []string{GzipEach, GzipSome, ZstdEach}, turns: 2, arc: true, build: cutMembers},
	// Folded fields, which the format allows but nobody writes.
	{name: "folded", layouts: three, turns: 1, records: everyTenth(func(_ *rand.Rand, rec *record) bool {
		rec.head = fieldStart.ReplaceAll(rec.head, []byte("${1}\r\n\t"))
		return false
	})},
	// A file saved as UTF-16: only its mark, or a tenth of the file.
	{name: "utf16-mark", layouts: three, turns: 1, arc: true, file: func(_ *rand.Rand, f *File) {
		f.insert(0, []byte("\xff\xfe"))
	}},
	{name: "utf16-part", layouts: []string{Plain}, turns: 2, arc: true, file: region(func(data []byte, i int) []byte {
		return []byte{data[i], 0}
	})},
	// Repeated fields, with the same or another value.
	{name: "twice-fields", layouts: three, turns: 1, records: heads(func(r *rand.Rand, rec *record) {
		rows := bytes.SplitAfter(rec.head, []byte("\r\n"))
		at := 1 + r.IntN(len(rows)-3)
		row := slices.Clone(rows[at])
		if r.IntN(2) == 0 { // another value, of the same form
			row[len(row)-3]++
		}
		rec.head = bytes.Join(slices.Insert(rows, at+r.IntN(2), row), nil)
	})},
	// Lengths that only some programs take for numbers.
	{name: "spelt-length", layouts: three, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
		return fmt.Sprintf([]string{"+%d", "%d ", "\t%d", "0%d", "0x%x", "%d\x00", "%d\v", "%de0"}[r.IntN(8)], n)
	})},
	// The same for the HTTP length; the record is right.
	{name: "spelt-http-length", layouts: three, turns: 1, arc: true, records: everyTenth(httpLengthSpelt)},
	// Chunk sizes in upper case, with leading zeros or extensions, and trailers: all valid.
	{name: "odd-chunks", layouts: three, turns: 1, arc: true, records: everyTenth(oddChunks)},
	// Skippable frames with garbage, also with wrong lengths.
	{name: "skippable", layouts: []string{ZstdEach}, turns: 3, build: skippable},
	// An ARC whose first record has another version or none.
	{name: "arc-version", layouts: nil, arc: true, records: arcVersion},
	// Missing or additional blank lines between records.
	{name: "blank-lines", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if r.IntN(4) == 0 {
				a.records[i].tail = bytes.Repeat([]byte("\r\n"), r.IntN(6))
			}
		}
	}},
	// NULs between records, as in preallocated files.
	{name: "nul-between", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if r.IntN(10) == 0 {
				a.records[i].tail = slices.Concat(a.records[i].tail, make([]byte, 1+r.IntN(2000)))
			}
		}
	}},
	// Bytes that a program appended.
	{name: "trailing", layouts: all, turns: 2, arc: true, file: func(r *rand.Rand, f *File) {
		f.insert(len(f.Data), noise(r, 1+r.IntN(100_000)))
	}},
	// A truncated block with the old length, so that the next record follows in mid-line.
	{name: "glued", layouts: all, turns: 1, arc: true, records: func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(25) == 0 {
				a.pages[rec.page].Touched = true
				rec.block, rec.tail = rec.block[:r.IntN(len(rec.block))], nil
			}
		}
	}},
	// A record within the block of another.
	{name: "within", layouts: []string{Plain, GzipOne}, turns: 1, arc: true, records: within},
}

// fieldStart matches the name and colon of a field.
var fieldStart = regexp.MustCompile(`(?m)^((?:WARC-Target-URI|WARC-Type|Content-Type|WARC-Record-ID):) `)

// everyTenth changes about every tenth page. do reports whether this touches the page; valid forms do not.
func everyTenth(do func(r *rand.Rand, rec *record) bool) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(10) == 0 && do(r, rec) {
				a.pages[rec.page].Touched = true
			}
		}
	}
}

func memberFlags(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 10 {
		p := f.Pages[r.IntN(len(f.Pages))]
		f.overwrite(p.From+3, []byte{byte(1 + r.IntN(31))}) // RFC 1952, section 2.3.1
	}
	return f
}

// memberFields adds valid fields to the heads of some members; a header checksum may be wrong.
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

// starts returns the offsets of members with pages, last first, because insertions move the bytes after them.
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

// grow inserts fields into the head of the member at offset at, without touching pages.
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

// cutMembers truncates some members at any byte.
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

// memberEnd returns the end of the member around offset at: the start of the next member or the file's end.
func (f *File) memberEnd(at int) int {
	for _, magic := range [][]byte{{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}} {
		if i := bytes.Index(f.Data[at:], magic); i >= 0 {
			return at + i
		}
	}
	return len(f.Data)
}

// httpLengthSpelt writes the HTTP length in ways that some programs accept. The page counts as touched, although the
// record's length gives its body.
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

// oddChunks writes chunk sizes in other valid ways: RFC 9112, section 7.1.
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
			return true // its digest is of the old bytes
		}
		out, body = append(out, rest[:n+2]...), rest[n+2:]
	}
}

// skippable inserts skippable frames before some pages: RFC 8878, section 3.1.2. Some have too large a length.
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
	if r.IntN(2) == 0 { // or it keeps the old length
		first.head = stated.ReplaceAll(first.head, fmt.Appendf(nil, "${1}%d${3}", len(first.block)))
	}
}

// within inserts some records into the block of the previous one.
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
