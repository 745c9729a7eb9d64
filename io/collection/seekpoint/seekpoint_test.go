package seekpoint

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// written returns a WARC record, or an ARC record, with a body of n bytes, half of which cannot be compressed.
func written(format string, i, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	body := make([]byte, n)
	for j := range body {
		body[j] = byte('a' + j%7)
		if j%2 == 0 {
			body[j] = byte(r.Uint32())
		}
	}
	block := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", n, body)
	if format == "arc" {
		return fmt.Appendf(nil, "http://h.example/%d 1.2.3.4 20260102030405 text/plain %d\n%s\n", i, len(block), block)
	}
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%08d>\r\nWARC-Date: "+
		"2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://h.example/%d\r\nContent-Type: application/http;msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(block), block)
}

// packed returns n records in one gzip member.
func packed(t testing.TB, format string, first, n int, h gzip.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Header = h
	if format == "arc" {
		const version = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
		fmt.Fprintf(z, "filedesc://a.arc 0.0.0.0 20260102030405 text/plain %d\n%s\n", len(version), version)
	}
	for i := range n {
		size := 40_000 + i*37%20_000
		if i == n/2 {
			size = 5 << 20 // over several points
		}
		if _, err := z.Write(written(format, first+i, size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read reads an archive, with a builder unless it is nil, and returns its captures.
func read(t testing.TB, data []byte, f archive.Format, b *Builder) (all []*schemas.Capture) {
	t.Helper()
	all, _ = items(t, data, f, b)
	return all
}

// items reads an archive, and returns its captures, and its rejects and counts as text.
func items(t testing.TB, data []byte, f archive.Format, b *Builder) (all []*schemas.Capture, rest string) {
	t.Helper()
	o := archive.Options{Copy: true}
	if b != nil {
		o.Marks = func(archive.Input, io.ReaderAt) archive.Marks { return b }
	}
	r, err := archive.NewReader(bytes.NewReader(data), archive.Input{Name: "a", Size: int64(len(data))}, f, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for item, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if item.Capture != nil {
			all = append(all, item.Capture)
		}
		if item.Reject != nil {
			rest += fmt.Sprintf("%+v\n", *item.Reject)
		}
	}
	return all, rest + fmt.Sprintf("%+v", r.Counts())
}

// same reports whether two captures are equal in what readers use.
func same(a, b *schemas.Capture) bool {
	return a.URL == b.URL && bytes.Equal(a.Body, b.Body) && a.Origin == b.Origin && fmt.Sprint(a.Flags, a.Header,
		a.RecordFields, a.Digest, a.RecordID) == fmt.Sprint(b.Flags, b.Header, b.RecordFields, b.Digest, b.RecordID)
}

// builderOf returns a builder with points close to each other.
func builderOf(data []byte) *Builder {
	b := NewBuilder(bytes.NewReader(data), int64(len(data)))
	b.every = 256 << 10
	return b
}

func kept(t testing.TB, b *Builder) folder.Folder {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if err := b.Write(f, "a"); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPoints_sameAsFromTheStart(t *testing.T) {
	header := gzip.Header{Name: "long-name.warc", Comment: "x", Extra: []byte("sl\x08\x0012345678")}
	junk := append(packed(t, "warc", 0, 60, header), bytes.Repeat([]byte("junk"), 500)...)
	two := append(packed(t, "warc", 0, 60, gzip.Header{}), packed(t, "warc", 60, 60, gzip.Header{})...)
	one := packed(t, "warc", 0, 60, gzip.Header{})
	lied := bytes.Clone(one)
	lied[len(lied)-1] ^= 0x55 // ISIZE
	hurt := bytes.Clone(one)
	copy(hurt[len(hurt)*3/4:], "damage damage damage damage damage")
	for _, x := range []struct {
		name, format string
		data         []byte
		least        int // captures that are read by points
	}{
		{"one member", "warc", one, 50},
		{"ARC", "arc", packed(t, "arc", 0, 60, gzip.Header{}), 50},
		{"name, comment, extra field; junk at the end", "warc", junk, 50},
		{"two members", "warc", two, 100},
		{"wrong size in the trailer", "warc", lied, 40},
		{"truncated", "warc", one[:len(one)*2/3], 20},
		{"damaged", "warc", hurt, 30},
	} {
		t.Run(x.name, func(t *testing.T) {
			found, all := compared(t, x.format, x.data)
			if found < x.least {
				t.Errorf("%d of %d captures are read by points, want %d", found, all, x.least)
			}
		})
	}
}

// compared reads each capture by points, and compares it with what a reading from the start gives. It returns how many
// could be read by points.
func compared(t *testing.T, name string, data []byte) (found, all int) {
	t.Helper()
	format := archive.Format{Name: name, Compression: member.Gzip}
	src, size := bytes.NewReader(data), int64(len(data))
	b := builderOf(data)
	captures, rest := items(t, data, format, b)
	// A reading that makes points is the same as one that makes none.
	plain, want := items(t, data, format, nil)
	if len(plain) != len(captures) || rest != want {
		t.Errorf("%d captures and %s; without points %d and %s", len(captures), rest, len(plain), want)
	}
	for i := range min(len(plain), len(captures)) {
		if !same(plain[i], captures[i]) {
			t.Errorf("capture %d differs from that of a reading without points", i)
		}
	}
	f := kept(t, b)
	for i, want := range captures {
		at := want.Origin
		p, err := Open(f, "a", at.Offset, src, size)
		if errors.Is(err, fs.ErrNotExist) { // the records after damage
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		from, err := p.Find(at.Sequence)
		var got *schemas.Capture
		if err == nil {
			in := archive.Input{Name: "a", Size: size, Start: at.Offset, End: at.Offset + 1}
			got, err = archive.CaptureAt(src, in, format, archive.Options{Copy: true}, from, at.Sequence)
		}
		switch {
		case errors.Is(err, ErrNone), errors.Is(err, member.ErrPoint): // read from the start then
		case err != nil:
			t.Fatal(err)
		case !same(got, want):
			t.Fatalf("capture %d: %s %d bytes %+v %v, want %s %d bytes %+v %v", i, got.URL, len(got.Body), got.Origin,
				got.Flags, want.URL, len(want.Body), at, want.Flags)
		default:
			found++
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return found, len(captures)
}

func TestBuilder_noPointsOfShortMembers(t *testing.T) {
	var data []byte
	for i := range 30 {
		data = append(data, packed(t, "warc", i, 0, gzip.Header{})...)
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, err := z.Write(written("warc", i, 200_000))
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		data = append(data, out.Bytes()...)
	}
	b := builderOf(data)
	if n := len(read(t, data, archive.Format{Name: "warc", Compression: member.Gzip}, b)); n != 30 || len(b.members) > 0 {
		t.Errorf("%d captures, %d members with points; want 30 and 0", n, len(b.members))
	}
}

// TestPoints_changedArchive changes the archive after its points were made.
func TestPoints_changedArchive(t *testing.T) {
	data := packed(t, "warc", 0, 60, gzip.Header{})
	format := archive.Format{Name: "warc", Compression: member.Gzip}
	b := builderOf(data)
	all := read(t, data, format, b)
	f := kept(t, b)
	for _, x := range []struct {
		name   string
		change func([]byte) []byte
		opens  bool
	}{
		{"longer", func(b []byte) []byte { return append(b, 0) }, false},
		{"another end", func(b []byte) []byte { b[len(b)-1]++; return b }, false},
		{"another beginning", func(b []byte) []byte { b[4]++; return b }, false},
		{"overwritten in the middle", func(b []byte) []byte {
			for i := range 100_000 {
				b[len(b)/2+i] ^= byte(i)
			}
			return b
		}, true},
		{"one bit", func(b []byte) []byte { b[len(b)/3] ^= 16; return b }, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			changed := x.change(bytes.Clone(data))
			src, size := bytes.NewReader(changed), int64(len(changed))
			p, err := Open(f, "a", 0, src, size)
			if (err == nil) != x.opens || err != nil && !errors.Is(err, ErrStale) {
				t.Fatalf("Open: %v, want success: %v", err, x.opens)
			}
			if err != nil {
				return
			}
			refused := 0
			for _, want := range all {
				from, err := p.Find(want.Origin.Sequence)
				var got *schemas.Capture
				if err == nil {
					in := archive.Input{Name: "a", Size: size, End: 1}
					got, err = archive.CaptureAt(src, in, format, archive.Options{Copy: true}, from, want.Origin.Sequence)
				}
				switch {
				case err == nil && !same(got, want):
					t.Errorf("%s: %d bytes that are not the archive's", want.URL, len(got.Body))
				case errors.Is(err, member.ErrPoint), errors.Is(err, ErrStale):
					refused++
				case err != nil && !errors.Is(err, ErrNone):
					t.Error(err)
				}
			}
			if refused == 0 {
				t.Error("no read was refused")
			}
		})
	}
}

// TestPoints_hostileFile flips bytes of a file of points: each read gives the archive's bytes or an error.
func TestPoints_hostileFile(t *testing.T) {
	data := packed(t, "warc", 0, 60, gzip.Header{})
	b := builderOf(data)
	all := read(t, data, archive.Format{Name: "warc", Compression: member.Gzip}, b)
	file := b.encode(b.members[0])
	if table := headSize + len(b.members[0].list)*rowSize + 4; len(file) <= table || len(b.members[0].list) < 8 {
		t.Fatalf("%d points in %d bytes", len(b.members[0].list), len(file))
	}
	for at := 0; at < len(file); at += 1 + at/60 {
		bad := bytes.Clone(file)
		bad[at] ^= 1 << (at % 8)
		try(t, bad, data, all)
	}
	for n := 0; n < len(file); n += 1 + n/20 {
		try(t, file[:n], data, all)
	}
}

// try reads some captures by a file of points.
func try(t testing.TB, file, data []byte, all []*schemas.Capture) {
	t.Helper()
	src, size := bytes.NewReader(data), int64(len(data))
	p, err := Parse(bytes.NewReader(file), int64(len(file)), 0, src, size)
	if err != nil {
		if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrStale) {
			t.Fatalf("Parse: %v", err)
		}
		return
	}
	for i := 0; i < len(all); i += 7 {
		from, err := p.Find(i)
		if err != nil {
			continue
		}
		in := archive.Input{Name: "a", Size: size, End: 1}
		got, err := archive.CaptureAt(src, in, archive.Format{Name: "warc", Compression: member.Gzip},
			archive.Options{Copy: true}, from, i)
		if err == nil && !same(got, all[i]) {
			t.Fatalf("capture %d: other bytes than the archive's", i)
		}
	}
}

// TestBuilder_bounded has more points than a builder keeps.
func TestBuilder_bounded(t *testing.T) {
	b := NewBuilder(bytes.NewReader(make([]byte, 100)), 100)
	b.every = 1
	history := make([]byte, windowSize)
	for i := range 3*maxPoints + 5 {
		p := member.Point{Member: int64(i / maxPoints * 1000), At: int64(i + 1), Decoded: int64(i + windowSize)}
		b.Mark(p, history, nil)
		if i%3 == 0 {
			b.Record(p.Member, p.Decoded, i)
		}
	}
	if b.count > maxPoints || b.err != nil {
		t.Errorf("%d points, %v", b.count, b.err)
	}
	for _, m := range b.members {
		for i, p := range m.list {
			if i > 0 && p.Decoded <= m.list[i-1].Decoded || (p.head >= 0) != (i < m.waiting) {
				t.Fatalf("point %d of %d: %+v", i, len(m.list), p.Point)
			}
		}
	}
	for i := range 2 * maxPoints { // a member each
		b.Mark(member.Point{Member: int64(1e6 + i), At: int64(1e6 + i), Decoded: windowSize}, history, nil)
	}
	if b.count > maxPoints {
		t.Errorf("%d points", b.count)
	}
}

// TestBuilder_fullDisk cannot write.
func TestBuilder_fullDisk(t *testing.T) {
	data := packed(t, "warc", 0, 60, gzip.Header{})
	b := builderOf(data)
	read(t, data, archive.Format{Name: "warc", Compression: member.Gzip}, b)
	f := &full{Folder: folder.Open(t.Context(), t.TempDir(), nil)}
	if err := b.Write(f, "a"); !errors.Is(err, errFull) || !strings.Contains(err.Error(), "seek points") {
		t.Errorf("Write: %v, want %v", err, errFull)
	}
}

var errFull = errors.New("no space left on device")

type full struct{ folder.Folder }

func (*full) Write(string, []byte) error { return errFull }

func FuzzParse(f *testing.F) {
	data := packed(f, "warc", 0, 20, gzip.Header{})
	b := builderOf(data)
	all := read(f, data, archive.Format{Name: "warc", Compression: member.Gzip}, b)
	f.Add(b.encode(b.members[0]))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) { try(t, file, data, all) })
}

// BenchmarkFind reads the last capture of a member by its points, and from its start.
func BenchmarkFind(b *testing.B) {
	data := packed(b, "warc", 0, 2000, gzip.Header{})
	src, size := bytes.NewReader(data), int64(len(data))
	format := archive.Format{Name: "warc", Compression: member.Gzip}
	points := NewBuilder(src, size)
	all := read(b, data, format, points)
	last := all[len(all)-1].Origin
	f := kept(b, points)
	in := archive.Input{Name: "a", Size: size, End: 1}
	b.Run("points", func(b *testing.B) {
		for b.Loop() {
			p, err := Open(f, "a", 0, src, size)
			if err != nil {
				b.Fatal(err)
			}
			from, err := p.Find(last.Sequence)
			if err == nil {
				_, err = archive.CaptureAt(src, in, format, archive.Options{}, from, last.Sequence)
			}
			if err = errors.Join(err, p.Close()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			r, err := archive.NewReader(src, in, format, archive.Options{})
			if err != nil {
				b.Fatal(err)
			}
			for c, err := range r.Captures() {
				if err != nil {
					b.Fatal(err)
				}
				if c.Origin.Sequence == last.Sequence {
					break
				}
			}
			r.Close()
		}
	})
}

// BenchmarkBuilder reads an archive with points and without.
func BenchmarkBuilder(b *testing.B) {
	data := packed(b, "warc", 0, 1000, gzip.Header{})
	format := archive.Format{Name: "warc", Compression: member.Gzip}
	b.Run("points", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			read(b, data, format, NewBuilder(bytes.NewReader(data), int64(len(data))))
		}
	})
	b.Run("none", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			read(b, data, format, nil)
		}
	})
}
