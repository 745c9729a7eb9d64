package damage

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// several is the number of records in a member of GzipSome, enough for intact pages before a damaged one.
const several = 12

// lay writes the archive in a layout. Pages are copied, so that it can be called again.
func (a *archive) lay(layout string) *File {
	f := &File{Pages: append([]Page(nil), a.pages...)}
	switch layout {
	case Plain:
		f.plain(a.records)
	case GzipEach:
		f.members(a.records, 1)
	case GzipSome:
		f.members(a.records, several)
	case GzipOne:
		f.members(a.records, len(a.records))
	case ZstdEach:
		f.frames(a.records)
	default:
		f.layRare(layout, a.records)
	}
	// CRC-32 in gzip, XXH64 in zstd, XXH32 in LZ4.
	if layout != Plain && layout != ZstdNoSum {
		for i := range f.Pages {
			f.Pages[i].Checked = true
		}
	}
	return f
}

// plain writes the records uncompressed.
func (f *File) plain(records []record) {
	for _, rec := range records {
		if rec.page >= 0 {
			// The page does not need the tail.
			p := &f.Pages[rec.page]
			p.From, p.To = len(f.Data), len(f.Data)+len(rec.head)+len(rec.block)
		}
		f.Data = append(f.Data, rec.bytes()...)
	}
}

// members writes gzip members of n records each.
func (f *File) members(records []record, n int) {
	for len(records) > 0 {
		n = min(n, len(records))
		var data []byte
		for _, rec := range records[:n] {
			data = append(data, rec.bytes()...)
		}
		start := len(f.Data)
		f.Data = append(f.Data, gzipped(data)...)
		f.locate(start, records[:n])
		records = records[n:]
	}
}

// locate finds where pages end in the member at start. The decoder returns 32 KiB at a time, so the end may be that
// much too late, but never too early. So a readable page may count as touched, but not the reverse.
func (f *File) locate(start int, records []record) {
	// Its checksum comes last, so it must be intact.
	if len(records) == 1 {
		if p := records[0].page; p >= 0 {
			f.Pages[p].From, f.Pages[p].To = start, len(f.Data)
		}
		return
	}
	// RFC 1952, section 2.3: a head without name, comment and extra field.
	in := &counter{b: f.Data[start+10:]} // after the member's head of ten bytes
	z := flate.NewReader(in)
	for _, rec := range records {
		_, err := io.CopyN(io.Discard, z, int64(len(rec.bytes())))
		must(err)
		if rec.page >= 0 {
			f.Pages[rec.page].From, f.Pages[rec.page].To = start, start+10+in.n
		}
	}
}

// counter is a reader of b that counts the bytes read.
type counter struct {
	b []byte
	n int
}

var _ io.ByteReader = (*counter)(nil) // or the decoder would read ahead

func (c *counter) ReadByte() (byte, error) {
	if c.n == len(c.b) {
		return 0, io.EOF
	}
	c.n++
	return c.b[c.n-1], nil
}

func (c *counter) Read(p []byte) (int, error) {
	n := copy(p, c.b[c.n:])
	c.n += n
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// frames writes a zstd frame for each record, in one goroutine to make the same bytes each time.
func (f *File) frames(records []record) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	must(err)
	for _, rec := range records {
		start := len(f.Data)
		f.Data = z.EncodeAll(rec.bytes(), f.Data)
		if rec.page >= 0 {
			f.Pages[rec.page].From, f.Pages[rec.page].To = start, len(f.Data)
		}
	}
}

// pack compresses the whole file again, as a server may. All pages then need the whole file.
func (f *File) pack() {
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	z := gzip.NewWriter(w)
	_, err := z.Write(f.Data)
	must(err)
	must(z.Close())
	must(w.Flush())
	f.Data = out.Bytes()
	for i := range f.Pages {
		f.Pages[i].From, f.Pages[i].To = 0, len(f.Data)
	}
}

// add appends another file.
func (f *File) add(o *File) {
	at := len(f.Data)
	f.Data = append(f.Data, o.Data...)
	for _, p := range o.Pages {
		p.From += at
		p.To += at
		f.Pages = append(f.Pages, p)
	}
}

// overwrite replaces the bytes at offset at with b, up to the end of the file.
func (f *File) overwrite(at int, b []byte) {
	n := copy(f.Data[at:], b)
	f.touch(at, at+n)
}

// touch marks the pages with a byte in the range.
func (f *File) touch(from, to int) {
	for i := range f.Pages {
		if p := &f.Pages[i]; from < p.To && p.From < to {
			p.Touched = true
		}
	}
}

// insert inserts b before offset at. A new slice keeps the following bytes from being overwritten.
func (f *File) insert(at int, b []byte) {
	f.Data = append(f.Data[:at:at], append(append([]byte(nil), b...), f.Data[at:]...)...)
	for i := range f.Pages {
		p := &f.Pages[i]
		// Between two pages nothing is touched.
		p.Touched = p.Touched || p.From < at && at < p.To
		p.From = moved(p.From, at, len(b), true)
		p.To = moved(p.To, at, len(b), false)
	}
}

// moved returns offset x after inserting n bytes at offset at. At that very offset, only the start of a page moves.
func moved(x, at, n int, first bool) int {
	if x > at || first && x == at {
		return x + n
	}
	return x
}

// remove removes n bytes at offset at, or all up to the end.
func (f *File) remove(at, n int) {
	n = min(n, len(f.Data)-at)
	f.touch(at, at+n)
	f.Data = append(f.Data[:at:at], f.Data[at+n:]...)
	for i := range f.Pages {
		p := &f.Pages[i]
		p.From, p.To = cut(p.From, at, n), cut(p.To, at, n)
	}
}

// cut returns offset x after removing n bytes at offset at. Offsets within become at.
func cut(x, at, n int) int {
	switch {
	case x >= at+n:
		return x - n
	case x > at:
		return at
	}
	return x
}

// rewrite replaces each byte in [from, to) by the result of calling of, for changes in many places.
func (f *File) rewrite(from, to int, of func(data []byte, i int) []byte) {
	out := make([]byte, 0, len(f.Data)+len(f.Data)/16)
	place := make([]int, len(f.Data)+1) // new offset of each byte, and of the end
	changed := make([]int, len(f.Data)+1)
	for i, c := range f.Data {
		// changed counts the changes before each byte, so that different counts at its ends reveal a changed range.
		place[i], changed[i+1] = len(out), changed[i]
		b := f.Data[i : i+1]
		if i >= from && i < to {
			b = of(f.Data, i)
		}
		if len(b) != 1 || b[0] != c {
			changed[i+1]++
		}
		out = append(out, b...)
	}
	place[len(f.Data)] = len(out)
	for i := range f.Pages {
		p := &f.Pages[i]
		p.Touched = p.Touched || changed[p.To] > changed[p.From]
		p.From, p.To = place[p.From], place[p.To]
	}
	f.Data = out
}
