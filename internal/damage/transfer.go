package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// transfers are kinds of damage by copies, disks, editors, mailers and writers that share a file, and contradictory
// heads. Their author did not know how the reader coped with the earlier kinds. They come after those, so that the
// seeds of those stay.
var transfers = []kind{
	// A line that transmits seven bits of each byte.
	{name: "seven-bit", layouts: three, turns: 1, arc: true, file: region(func(data []byte, i int) []byte {
		return []byte{data[i] & 0x7f}
	})},
	// Latin-1 misread, written as UTF-8.
	{name: "latin-as-utf8", layouts: three, turns: 1, arc: true, file: region(func(data []byte, i int) []byte {
		return []byte(string(rune(data[i])))
	})},
	// Programs that drop NULs.
	{name: "no-nul", layouts: three, turns: 1, file: translate(func(data []byte, i int) []byte {
		if data[i] == 0 {
			return nil
		}
		return data[i : i+1]
	}, false)},
	// Editors that strip trailing blanks.
	{name: "trimmed", layouts: []string{Plain}, turns: 1, arc: true, file: translate(trimmed, false)},
	// Mailers that break long lines.
	{name: "wrapped", layouts: []string{Plain}, turns: 1, arc: true, file: wrapped},
	// Two writers of one file, with buffers of 4 KiB.
	{name: "woven", layouts: []string{Plain, GzipEach}, turns: 2, arc: true, build: woven},
	// A block written in place of another.
	{name: "misdirected", layouts: all, turns: 1, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
		from, n := r.IntN(len(f.Data)), block<<r.IntN(5)
		f.overwrite(at/block*block, slices.Clone(f.Data[from:min(from+n, len(f.Data))]))
	})},
	// The same with a block of another archive.
	{name: "foreign", layouts: all, turns: 1, arc: true, file: foreign},
	// A download that was resumed too early, so that a part is repeated.
	{name: "overlap", layouts: all, turns: 1, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
		f.insert(at, slices.Clone(f.Data[max(0, at-1-r.IntN(300_000)):at]))
	})},
	// Pieces of a file in another order.
	{name: "shuffled", layouts: all, turns: 1, arc: true, build: shuffled},
	// A header before each block, as on tapes.
	{name: "blocks", layouts: all, turns: 1, arc: true, file: periodic(32<<10, func(i int) []byte {
		return fmt.Appendf(nil, "BLOCK%07d", i)
	})},
	// A raw download: an HTTP head, and the file in chunks.
	{name: "raw-download", layouts: all, turns: 1, arc: true, file: func(r *rand.Rand, f *File) {
		periodic(64<<10, func(int) []byte { return []byte("\r\n10000\r\n") })(r, f)
		f.insert(0, []byte("HTTP/1.1 200 OK\r\nServer: made\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n"))
	}},
	// A gateway's error page in place of a missing part.
	{name: "error-page", layouts: all, turns: 1, arc: true, file: places(3, func(r *rand.Rand, f *File, at int) {
		f.remove(at, 1+r.IntN(200_000))
		f.insert(min(at, len(f.Data)), []byte("<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n</html>\r\n"))
	})},
	// Single lost or repeated bytes.
	{name: "lost-bytes", layouts: all, turns: 1, arc: true, file: places(15, func(_ *rand.Rand, f *File, at int) {
		f.remove(at, 1)
	})},
	{name: "extra-bytes", layouts: all, turns: 1, arc: true, file: places(15, func(_ *rand.Rand, f *File, at int) {
		f.insert(at, []byte{f.Data[at]})
	})},
	// Byte pairs in another machine's order.
	{name: "byte-order", layouts: all, turns: 1, arc: true, file: places(4, func(r *rand.Rand, f *File, at int) {
		b := slices.Clone(f.Data[at:min(len(f.Data), at+2048<<r.IntN(4))])
		for i := 0; i+1 < len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
		f.overwrite(at, b)
	})},
	// Wrong or missing checksums and sizes at the ends of members.
	{name: "member-end", layouts: []string{GzipEach, GzipSome, ZstdEach}, turns: 1, arc: true, build: memberEnds},
	// Heads with two lengths, of which one is right.
	{name: "two-lengths", layouts: three, turns: 1, records: heads(func(r *rand.Rand, rec *record) {
		wrong := fmt.Appendf(nil, "Content-Length: %d\r\n", r.IntN(2*len(rec.block)))
		at := bytes.Index(rec.head, []byte("Content-Length:"))
		if r.IntN(2) == 0 {
			at = len(rec.head) - 2
		}
		rec.head = slices.Concat(rec.head[:at], wrong, rec.head[at:])
	})},
	// Lengths that are not plain numbers.
	{name: "odd-length", layouts: three, turns: 1, arc: true, records: lengths(func(r *rand.Rand, n int) string {
		return fmt.Sprintf([]string{"0x%x", "%d.0", "%d bytes", "+%d", "-", "\"%d\"", "%d,%[1]d", "%d;"}[r.IntN(8)], n)
	})},
	// Records that have each other's lengths.
	{name: "exchanged-lengths", layouts: all, turns: 1, arc: true, records: exchanged},
	// Broken heads: an inner empty line, no final one, or missing fields.
	{name: "torn-head", layouts: three, turns: 2, records: heads(tornHead)},
	// An HTTP length that contradicts the record's.
	{name: "http-length", layouts: three, turns: 1, arc: true, records: httpLengths},
	// Truncated encodings in intact records.
	{name: "short-coding", layouts: three, turns: 1, arc: true, records: shortCodings},
	// Unwritten sectors at the start of the file and between records.
	{name: "zeros-between", layouts: all, turns: 1, arc: true, build: zerosBetween},
}

// zerosBetween inserts zero sectors before the file and some pages, which touches no page.
func zerosBetween(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	zeros := func() []byte { return make([]byte, sector<<r.IntN(8)) }
	for range 3 {
		// This is before the member, even if several pages share it.
		f.insert(f.Pages[r.IntN(len(f.Pages))].From, zeros())
	}
	f.insert(0, zeros())
	return f
}

// region rewrites a tenth of the file.
func region(of func([]byte, int) []byte) func(*rand.Rand, *File) {
	return func(r *rand.Rand, f *File) {
		at := r.IntN(len(f.Data) * 9 / 10)
		f.rewrite(at, at+len(f.Data)/10, of)
	}
}

// trimmed removes a blank before the end of a line.
func trimmed(data []byte, i int) []byte {
	end := bytes.TrimPrefix(data[i+1:min(len(data), i+3)], []byte("\r"))
	if (data[i] == ' ' || data[i] == '\t') && bytes.HasPrefix(end, []byte("\n")) {
		return nil
	}
	return data[i : i+1]
}

// wrapped breaks lines that are too long for mail: RFC 5322, section 2.1.1.
func wrapped(_ *rand.Rand, f *File) {
	n := 0
	f.rewrite(0, len(f.Data), func(data []byte, i int) []byte {
		if n++; data[i] == '\n' {
			n = 0
		}
		if n < 998 {
			return data[i : i+1]
		}
		n = 0
		return []byte{data[i], '\r', '\n'}
	})
}

// woven interleaves the blocks of two halves of an archive.
func woven(_ *rand.Rand, a *archive) *File {
	half := len(a.records) / 2
	x, y := a.first(half).lay(a.c.Layout), a.rest(half).lay(a.c.Layout)
	f := &File{}
	places := [2]int{}
	for places[0] < len(x.Data) || places[1] < len(y.Data) {
		for i, one := range []*File{x, y} {
			from := places[i]
			to := min(from+block, len(one.Data))
			f.piece(one, from, to)
			places[i] = to
		}
	}
	// Pages that are in no single block.
	f.broken(x, y)
	return f
}

// piece appends a piece of another file, with the pages completely in it.
func (f *File) piece(o *File, from, to int) {
	for _, p := range o.Pages {
		if p.From >= from && p.To <= to && p.From < p.To {
			p.From, p.To = p.From-from+len(f.Data), p.To-from+len(f.Data)
			f.Pages = append(f.Pages, p)
		}
	}
	f.Data = append(f.Data, o.Data[from:to]...)
}

// broken adds the pages of other files that are completely in no piece, as touched and without offsets.
func (f *File) broken(others ...*File) {
	whole := map[string]bool{}
	for _, p := range f.Pages {
		whole[p.URL] = true
	}
	for _, o := range others {
		for _, p := range o.Pages {
			if !whole[p.URL] {
				p.Touched, p.From, p.To = true, 0, 0
				f.Pages = append(f.Pages, p)
			}
		}
	}
}

// shuffled joins the pieces of a file in another order.
func shuffled(r *rand.Rand, a *archive) *File {
	o := a.lay(a.c.Layout)
	f := &File{}
	cuts := []int{0, len(o.Data)}
	for range 3 {
		cuts = append(cuts, r.IntN(len(o.Data)))
	}
	slices.Sort(cuts)
	for _, i := range [][]int{{1, 0, 3, 2}, {3, 2, 1, 0}, {0, 2, 1, 3}}[r.IntN(3)] {
		f.piece(o, cuts[i], cuts[i+1])
	}
	f.broken(o)
	return f
}

// foreign overwrites blocks with those of another archive, whose pages have other URLs.
func foreign(r *rand.Rand, f *File) {
	c := Case{Seed: r.Uint64(), Layout: Plain, Pages: 40, MaxBody: 100_000, Lengths: true}
	o := c.archive(rand.New(rand.NewPCG(c.Seed, 17)))
	for i := range o.records {
		o.records[i].head = bytes.ReplaceAll(o.records[i].head, []byte("http://site"), []byte("http://other"))
	}
	data := o.lay(Plain).Data
	// Compressed files get compressed blocks.
	if !bytes.HasPrefix(f.Data, []byte("WARC")) && !bytes.HasPrefix(f.Data, []byte("filedesc")) {
		data = o.lay(GzipEach).Data
	}
	for range 3 {
		at, from := r.IntN(len(f.Data))/block*block, r.IntN(len(data))/block*block
		f.overwrite(at, data[from:min(len(data), from+64<<10)])
	}
}

// periodic inserts bytes after every n bytes of the file.
func periodic(n int, of func(i int) []byte) func(*rand.Rand, *File) {
	return func(_ *rand.Rand, f *File) {
		f.rewrite(n, len(f.Data), func(data []byte, i int) []byte {
			if i%n == 0 {
				return append(of(i/n), data[i])
			}
			return data[i : i+1]
		})
	}
}

// memberEnds damages checksum or size at the ends of some members.
func memberEnds(r *rand.Rand, a *archive) *File {
	f := a.lay(a.c.Layout)
	for range 10 {
		p := f.Pages[r.IntN(len(f.Pages))]
		switch n := 1 + r.IntN(8); r.IntN(3) {
		case 0:
			f.remove(p.To-n, n)
		case 1:
			f.overwrite(p.To-n, noise(r, n))
		default:
			f.overwrite(p.To-8, make([]byte, 8))
		}
	}
	return f
}

// heads changes the heads of some pages.
func heads(do func(r *rand.Rand, rec *record)) func(*rand.Rand, *archive) {
	return func(r *rand.Rand, a *archive) {
		for i := range a.records {
			if rec := &a.records[i]; rec.page >= 0 && r.IntN(15) == 0 {
				a.pages[rec.page].Touched = true
				do(r, rec)
			}
		}
	}
}

// tornHead breaks a head.
func tornHead(r *rand.Rand, rec *record) {
	rows := bytes.SplitAfter(rec.head, []byte("\r\n"))
	at := 1 + r.IntN(len(rows)-3) // neither the version nor the empty line
	switch r.IntN(4) {
	case 0:
		rows = slices.Insert(rows, at, []byte("\r\n"))
	case 1:
		rows = slices.Delete(rows, len(rows)-2, len(rows)-1)
	case 2:
		rows = slices.Delete(rows, at, at+1)
	default:
		rows[at] = rows[at][:len(rows[at])/2]
	}
	rec.head = bytes.Join(rows, nil)
}

// exchanged swaps the lengths of some records and their successors.
func exchanged(r *rand.Rand, a *archive) {
	for i := range a.records[:len(a.records)-1] {
		x, y := &a.records[i], &a.records[i+1]
		if x.page < 0 || r.IntN(20) > 0 {
			continue
		}
		for _, rec := range []*record{x, y} {
			if rec.page >= 0 {
				a.pages[rec.page].Touched = true
			}
		}
		x.head = stated.ReplaceAll(x.head, fmt.Appendf(nil, "${1}%d${3}", len(y.block)))
		y.head = stated.ReplaceAll(y.head, fmt.Appendf(nil, "${1}%d${3}", len(x.block)))
	}
}

// httpLengths changes the HTTP length of some pages. The record's length is right, so the body is known; digests are
// of the original message.
func httpLengths(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
		at := bytes.Index(head, []byte("Content-Length: "))
		if rec.page < 0 || at < 0 || r.IntN(4) > 0 {
			continue
		}
		a.pages[rec.page].Touched = true
		half, double := fmt.Sprint(len(body)/2), fmt.Sprint(2*len(body))
		n := []string{"0", "-1", "zz", "99999999999999999999", half, double}[r.IntN(6)]
		rec.block = fmt.Appendf(nil, "%sContent-Length: %s\r\n\r\n%s", head[:at], n, body)
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	}
}

// shortCodings truncates compressed bodies and adjusts the lengths of HTTP and record.
func shortCodings(r *rand.Rand, a *archive) {
	for i := range a.records {
		rec := &a.records[i]
		head, body, _ := bytes.Cut(rec.block, []byte("\r\n\r\n"))
		coded := bytes.Contains(head, []byte("Content-Encoding: gzip")) && !bytes.Contains(head, []byte("chunked"))
		if rec.page < 0 || !coded {
			continue
		}
		a.pages[rec.page].Touched = true
		body = body[:1+r.IntN(len(body)-1)] // the server itself may have sent an empty one
		if at := bytes.Index(head, []byte("Content-Length: ")); at >= 0 {
			head = fmt.Appendf(slices.Clone(head[:at]), "Content-Length: %d", len(body))
		}
		rec.block = slices.Concat(head, []byte("\r\n\r\n"), body)
		rec.head = stated.ReplaceAll(rec.head, fmt.Appendf(nil, "${1}%d${3}", len(rec.block)))
	}
}
