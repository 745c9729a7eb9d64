package member

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

func gz(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, s)
	must(errors.Join(err, w.Close()))
	return b.Bytes()
}

// gzStored returns a gzip member that stores s and data without compression.
func gzStored(s string, data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	must(err)
	_, err = w.Write(append([]byte(s), data...))
	must(errors.Join(err, w.Close()))
	return b.Bytes()
}

// noise returns n random bytes, which no compressor makes shorter.
func noise(n int) []byte {
	b, random := make([]byte, n), rand.New(rand.NewPCG(17, 17))
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func zst(s string) []byte {
	w, err := zstd.NewWriter(nil)
	must(err)
	return w.EncodeAll([]byte(s), nil)
}

func lz(s string) []byte {
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	_, err := io.WriteString(w, s)
	must(errors.Join(err, w.Close()))
	return b.Bytes()
}

// must is for writers to memory, which do not fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func skippable(content string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, skippableMagic+3)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(content))), content...)
}

func isHead(b []byte) bool { return bytes.HasPrefix(b, []byte("head")) }

// story reads all of a range and tells what it met, and checks that members and gaps cover it.
func story(t testing.TB, data []byte, kind Kind, o Options) string {
	t.Helper()
	o.IsHead = isHead
	size := int64(len(data))
	r, err := NewReader(bytes.NewReader(data), Range{End: size, Size: size}, kind, o)
	if err != nil {
		return err.Error()
	}
	var out []string
	at := int64(0)
	for steps := 0; ; steps++ {
		if int64(steps) > size+1 {
			t.Fatalf("no end after %d members of %d bytes", steps, size)
		}
		step, err := r.Next()
		if step.End < at {
			t.Fatalf("step ends at %d, before %d", step.End, at)
		}
		at = step.End
		for _, g := range step.Gaps {
			if g.From != at || g.To <= g.From {
				t.Fatalf("gap %+v behind %d", g, at)
			}
			at = g.To
			out = append(out, fmt.Sprintf("gap %d %s", g.To-g.From, g.Kind))
		}
		if step.Start != at {
			t.Fatalf("member starts at %d behind %d", step.Start, at)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tell(readAll(r, 64<<20)))
	}
	if at != size {
		t.Fatalf("members and gaps end at %d of %d", at, size)
	}
	return strings.Join(out, ", ")
}

// readAll reads the current member, at most limit bytes of it, into a buffer that moves on every call.
func readAll(r *Reader, limit int) (b []byte, err error) {
	for len(b) < limit {
		grown := make([]byte, len(b), 2*len(b)+1<<10)
		copy(grown, b)
		if b, err = r.Append(grown); err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

func tell(b []byte, err error) string {
	if len(b) > 24 {
		b = fmt.Appendf(nil, "%s… %d", b[:8], len(b))
	}
	var d *Damage
	switch {
	case errors.As(err, &d):
		return fmt.Sprintf("%s! %s", b, d.Kind)
	case err != nil:
		return fmt.Sprintf("%s! %v", b, err)
	}
	return string(b)
}

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[(at+len(b))%len(b)] ^= 0xff
	return b
}

func TestReader(t *testing.T) {
	long := "head " + strings.Repeat("abcdefgh", 40_000)
	join := slices.Concat[[]byte]
	tests := []struct {
		name string
		kind Kind
		data []byte
		want string
	}{
		{"nothing", Gzip, nil, ""},
		{"gzip", Gzip, join(gz("head 1"), gz("head 2")), "head 1, head 2"},
		{"gzip, long", Gzip, join(gz(long), gz("")), "head abc… 320005, "},
		{"gzip, zeros between", Gzip, join(make([]byte, 7), gz("head 1"), make([]byte, 70_000), gz("head 2"),
			make([]byte, 3)), "gap 7 , head 1, gap 70000 , head 2, gap 3 "},
		{
			"gzip, garbage between", Gzip, join(gz("head 1"), []byte("garbage"), gz("head 2"), []byte("end")),
			"head 1, gap 7 garbage, head 2, gap 3 garbage",
		},
		{"gzip, wrong checksum", Gzip, join(flip(gz("head 1"), -8), gz("head 2")), "head 1! checksum does not match, head 2"},
		{"gzip, wrong size", Gzip, join(flip(gz("head 1"), -1), gz("head 2")), "head 1! checksum does not match, head 2"},
		{"gzip, wrong checksum at the end", Gzip, flip(gz("head 1"), -8), "head 1! checksum does not match"},
		{
			"gzip, wrong checksum before garbage", Gzip, join(flip(gz("head 1"), -8), []byte("x"), gz("head 2")),
			"head 1! inflate, gap 1 inflate, head 2",
		},
		{
			"gzip, wrong checksum around a member", Gzip, join(flip(gzStored("head 1", gz("head 2")), -8), gz("head 3")),
			"head 1\x1f\x8b… 37! inflate, head 2, gap 10 garbage, head 3",
		},
		{"gzip, cut", Gzip, join(gz("head 1"), gz("head 2")[:18]), "head 1, hea! truncated"},
		{"gzip, cut in its head", Gzip, join(gz("head 1"), gz("head 2")[:5]), "head 1, gap 5 garbage"},
		{
			"gzip, first magic wrong", Gzip, join(flip(gz("head 1"), 0), gz("head 2")),
			fmt.Sprintf("gap %d garbage, head 2", len(gz("head 1"))),
		},
		{
			"gzip, no head in what follows", Gzip, join([]byte("x"), gz("other"), gz("head 2")),
			fmt.Sprintf("gap %d garbage, head 2", 1+len(gz("other"))),
		},
		{"zstd", Zstd, join(zst("head 1"), zst("head 2")), "head 1, head 2"},
		{"zstd, long", Zstd, join(zst(long), zst("")), "head abc… 320005, "},
		{
			"zstd, skippable frames", Zstd,
			join(skippable("x"), zst("head 1"), skippable(""), skippable("yy"), zst("head 2")),
			"gap 9 , head 1, gap 18 , head 2",
		},
		{"zstd, skippable frame beyond the end", Zstd, join(zst("head 1"), skippable("yyyy")[:10]), "head 1, gap 10 "},
		{
			"zstd, wrong checksum", Zstd, join(flip(zst("head 1"), -1), zst("head 2")),
			"head 1! checksum does not match, head 2",
		},
		{"zstd, garbage", Zstd, join(zst("head 1"), []byte("garbage"), zst("head 2")), "head 1, gap 7 garbage, head 2"},
		{"zstd, cut", Zstd, zst(long)[:30], "! truncated"},
		{"lz4", LZ4, join(lz("head 1"), lz("head 2")), "head 1, head 2"},
		{"lz4, long", LZ4, join(lz(long), lz("")), "head abc… 320005, "},
		{"lz4, skippable frame", LZ4, join(lz("head 1"), skippable("yy"), lz("head 2")), "head 1, gap 10 , head 2"},
		{"lz4, wrong checksum", LZ4, join(flip(lz("head 1"), -1), lz("head 2")), "head 1! checksum does not match, head 2"},
		{"lz4, garbage", LZ4, join(lz("head 1"), []byte("garbage"), lz("head 2")), "head 1, gap 7 garbage, head 2"},
		{"lz4, cut", LZ4, lz("head 1")[:14], "! truncated"},
		{"plain", Plain, []byte("anything"), "anything"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := story(t, tt.data, tt.kind, Options{}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestReader_writtenAgain has a member that was cut off and written again, whose codes fall into step
// with the second copy's.
func TestReader_writtenAgain(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "line %d of %d\n", i*i, i)
	}
	whole := gz("head " + text.String())
	for cut := 1000; cut < len(whole); cut += 997 {
		got := story(t, slices.Concat(whole[:cut], whole, gz("head 2")), Gzip, Options{})
		if !strings.HasSuffix(got, fmt.Sprintf("head lin… %d, head 2", text.Len()+5)) {
			t.Errorf("cut at %d: %s", cut, got)
		}
	}
}

// TestReader_uncheckedFrame: a zstd frame without a checksum that lacks bytes takes whole frames for its own data.
// Garbage after a sound frame, or an archive in it, does not prove that.
func TestReader_uncheckedFrame(t *testing.T) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	must(err)
	frame := func(s string) []byte { return enc.EncodeAll([]byte(s), nil) }
	noise := noise(300)
	raw := frame("head " + string(noise[:200]))
	next := slices.Concat(frame("head 1"), frame("head 2"), frame("head "+string(noise[:250])))
	for _, tt := range []struct {
		name string
		file []byte
		want int
	}{
		{"sound", slices.Concat(raw, next), 4},
		{"bytes are lost", slices.Concat(raw[:len(raw)-70], next), 4},
		{"garbage behind", slices.Concat(raw, []byte("garbage"), next), 4},
		{"zeros behind", slices.Concat(raw, make([]byte, 9), next), 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := story(t, tt.file, Zstd, Options{})
			if n := strings.Count(got, "head "); n != tt.want || strings.Contains(got, "!") != (tt.name == "bytes are lost") {
				t.Errorf("%d heads, want %d: %q", n, tt.want, got)
			}
		})
	}
}

func TestReader_gzipHeaderFields(t *testing.T) {
	plain := gz("head 1")
	header := bytes.Clone(plain[:10])
	tests := []struct {
		name  string
		flags byte
		extra string
		want  string
	}{
		{"extra field", 4, "\x04\x00sl\x00\x00", "head 1"},
		{"name", 8, "name\x00", "head 1"},
		{"comment and name", 24, "name\x00comment\x00", "head 1"},
		{"header checksum", 2, "ab", "head 1"},
		{"reserved flag", 32, "", fmt.Sprintf("gap %d garbage", len(plain))},
		{"name without end", 8, strings.Repeat("n", 9000), fmt.Sprintf("gap %d garbage", len(plain)+9000)},
		{"extra field beyond the end", 4, "\xff\xff", "! truncated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header[3] = tt.flags
			if got := story(t, slices.Concat(header, []byte(tt.extra), plain[10:]), Gzip, Options{}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// failing fails to read after a place.
type failing struct {
	data []byte
	good int64
}

var errDisk = errors.New("disk on fire")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.good {
		return 0, errDisk
	}
	return copy(p, f.data[off:]), nil
}

func TestReader_fileErrorsAreNoDamage(t *testing.T) {
	for _, kind := range []Kind{Gzip, Zstd, LZ4, Plain} {
		t.Run(kind.String(), func(t *testing.T) {
			junk := bytes.Repeat([]byte("garbage "), 80_000)
			for _, good := range []int64{0, readBlock, scanBlock, scanBlock + readBlock} {
				src := failing{slices.Concat(map[Kind][]byte{
					Gzip: gz("head"), Zstd: zst("head"), LZ4: lz("head"),
					Plain: nil,
				}[kind], junk), good}
				size := int64(len(src.data))
				r, err := NewReader(src, Range{End: size, Size: size}, kind, Options{IsHead: isHead})
				for err == nil {
					if _, err = r.Next(); err == nil {
						_, err = readAll(r, 64<<20)
					}
				}
				if !errors.Is(err, errDisk) {
					t.Errorf("with %d good bytes: %v, want %v", good, err, errDisk)
				}
			}
		})
	}
}

func TestDictionary(t *testing.T) {
	dict := []byte(strings.Repeat("a raw dictionary of the harbour ", 20))
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dict))
	must(err)
	frame := enc.EncodeAll(append([]byte("head "), dict...), nil)
	wrap := func(content []byte) []byte {
		b := skippable(string(content))
		b[0] = dictionaryFrame & 0xff
		return b
	}
	want := fmt.Sprintf("head a r… %d", len(dict)+5)
	for name, content := range map[string][]byte{"raw": dict, "compressed": zst(string(dict))} {
		t.Run(name, func(t *testing.T) {
			got := story(t, slices.Concat(wrap(content), frame), Zstd, Options{})
			if !strings.HasSuffix(got, want) {
				t.Errorf("got %s, want … %s", got, want)
			}
		})
	}
	bomb := zst(strings.Repeat("\x00", maxDictionary+1))
	for name, file := range map[string][]byte{
		"over the limit": wrap(bomb), "cut": wrap(dict)[:50], "damaged": wrap(flip(zst(string(dict)), 12)),
		"no real one": wrap([]byte("\x37\xa4\x30\xec is where a dictionary begins")),
	} {
		want := fmt.Sprintf("gap %d , head 1", len(file))
		if name == "cut" { // what follows is in the dictionary frame, as far as its length goes
			file, want = file[:50], "gap 50 "
		} else {
			file = slices.Concat(file, zst("head 1"))
		}
		if got := story(t, file, Zstd, Options{}); got != want {
			t.Errorf("a dictionary that is %s: %s, want %s", name, got, want)
		}
	}
}

// TestDictionary_ofEachPart reads a file that was joined from archives with dictionaries of their own. The archive
// before may be truncated, and a frame may only look like a dictionary.
func TestDictionary_ofEachPart(t *testing.T) {
	part := func(word string) (first, file []byte) {
		dict := []byte("head " + strings.Repeat("a raw dictionary of the "+word, 20)) // raw ones may be records
		first = skippable(string(dict))
		first[0] = dictionaryFrame & 0xff
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dict))
		must(err)
		for n := range 3 {
			file = enc.EncodeAll(append([]byte("head "), dict[5+n:n+305]...), file)
		}
		return first, file
	}
	dict1, frames1 := part("harbour")
	dict2, frames2 := part("gazette")
	fake := skippable("a raw dictionary of nothing")
	fake[0] = dictionaryFrame & 0xff
	for _, tt := range []struct {
		name  string
		file  []byte
		heads int
	}{
		{"joined", slices.Concat(dict1, frames1, dict2, frames2), 6},
		{"cut and joined", slices.Concat(dict1, frames1[:len(frames1)-9], dict2, frames2), 5},
		{"joined, and the first frame is damaged", slices.Concat(dict1, frames1, dict2, flip(frames2, 3), frames2), 8},
		{"garbage between", slices.Concat(dict1, frames1, []byte("garbage"), dict2, frames2), 6},
		{"another frame of that number", slices.Concat(dict1, frames1, fake, frames1), 6},
		{"the same twice", slices.Concat(dict1, frames1, dict1, frames1), 6},
		{"three", slices.Concat(dict1, frames1, dict2, frames2, dict1, frames1), 9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, o := range map[string]Options{"": {}, " where kinds may change": {NextPlain: nextPlain(tt.file)}} {
				got := story(t, tt.file, Zstd, o)
				if n := strings.Count(got+",", "… 305,"); n != tt.heads {
					t.Errorf("%d heads%s, want %d: %s", n, name, tt.heads, got)
				}
			}
		})
	}
}

// TestDictionary_behindItsFrames reads files that were put together in a wrong order.
func TestDictionary_behindItsFrames(t *testing.T) {
	dict := []byte("head " + strings.Repeat("a raw dictionary of the harbour", 20))
	first := skippable(string(dict))
	first[0] = dictionaryFrame & 0xff
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dict))
	must(err)
	var frames [][]byte
	for n := range 5 {
		frames = append(frames, enc.EncodeAll(append([]byte("head "), dict[5+n:n+305]...), nil))
	}
	fake := skippable("a raw dictionary of nothing")
	fake[0] = dictionaryFrame & 0xff
	all := slices.Concat(frames...)
	other := zst("head 1 " + strings.Repeat("of its own", 30))
	for _, tt := range []struct {
		name  string
		file  []byte
		heads int // of frames with the dictionary
	}{
		{"frames first", slices.Concat(all, first, all), 10},
		{"a cut one first", slices.Concat(frames[0][5:], all, first), 5},
		{"a damaged one first", slices.Concat(flip(frames[0], 9), all, first, all), 10},
		{"another such frame first", slices.Concat(all, fake, first, all), 10},
		{"garbage first", slices.Concat(noise(3<<20), all, first, all), 10},
		{"no dictionary", slices.Concat(all, fake), 0},
		{"frames that need none before", slices.Concat([]byte("x"), other, other, first, all), 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := story(t, tt.file, Zstd, Options{})
			if n := strings.Count(got+",", "… 305,"); n != tt.heads {
				t.Errorf("%d heads, want %d: %s", n, tt.heads, got)
			}
			size := int64(len(tt.file))
			for from := int64(1); from < size; from += size/7 + 1 {
				at, err := FindStart(bytes.NewReader(tt.file), Zstd, from, size, isHead)
				if err != nil || at < size && !bytes.HasPrefix(tt.file[at:], magics[Zstd]) {
					t.Errorf("from %d a start is at %d, %v", from, at, err)
				}
			}
		})
	}
}

// counting tells how many bytes of a file were asked for.
type counting struct {
	*bytes.Reader
	bytes int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

// TestDictionary_isNotLookedForInSoundFiles: the reader of a range does not read the file to its end. Skippable frames
// or padding may come first, as pzstd writes them, or only the first frame may be damaged.
func TestDictionary_isNotLookedForInSoundFiles(t *testing.T) {
	var frames []byte
	for n := range 20 {
		frames = append(frames, zst(fmt.Sprintf("head %d ", n)+string(noise(200_000)))...)
	}
	// What pzstd makes: frames of which only the first begins with a head.
	inner := slices.Concat(zst("head "+string(noise(200_000))), bytes.Repeat(zst(string(noise(200_000))), 19))
	for name, file := range map[string][]byte{
		"sound": frames, "skippable": slices.Concat(skippable("four"), inner),
		"zeros": slices.Concat(make([]byte, 900), inner),
		"cut":   frames[100:],
	} {
		c := &counting{Reader: bytes.NewReader(file)}
		size := int64(len(file))
		_, err := NewReader(c, Range{Start: size / 2, End: size, Size: size}, Zstd, Options{IsHead: isHead})
		must(err)
		most := int64(4 * readBlock)
		if name == "cut" {
			most = size + maxBorrowFrames*readBlock // 16 frames of it, each from a place of its own
		}
		if c.bytes > most {
			t.Errorf("%s: %d of %d bytes were read, want %d at most", name, c.bytes, size, most)
		}
	}
}

// TestReader_uncheckedFrameBeforeAnotherKind: so it takes the beginning of another archive.
func TestReader_uncheckedFrameBeforeAnotherKind(t *testing.T) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	must(err)
	noise := noise(300)
	cut := enc.EncodeAll(append([]byte("head "), noise...), nil)[:200]
	for name, next := range map[string][]byte{
		"gzip": gzStored("head 1", noise), "plain": []byte("head a raw" + strings.Repeat("text ", 60)),
	} {
		file := slices.Concat(cut, next, next)
		size := int64(len(file))
		r, err := NewReader(bytes.NewReader(file), Range{End: size, Size: size}, Zstd,
			Options{IsHead: isHead, NextPlain: nextPlain(file)})
		must(err)
		_, err = r.Next()
		must(err)
		if _, err := readAll(r, 1<<10); !errors.As(err, new(*Damage)) {
			t.Errorf("%s: a frame that goes on in it: %v", name, err)
		}
		if step, err := r.Next(); err != io.EOF || step.Start != int64(len(cut)) {
			t.Errorf("%s: it ends at %d, want %d: %v", name, step.Start, len(cut), err)
		}
	}
}

// TestDictionary_behindAnotherKind finds an archive with a dictionary where a file changes.
func TestDictionary_behindAnotherKind(t *testing.T) {
	dict := []byte("head " + strings.Repeat("a raw dictionary of the harbour", 20))
	first := skippable(string(dict))
	first[0] = dictionaryFrame & 0xff
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(0, dict))
	must(err)
	frame := enc.EncodeAll(dict[:300], nil)
	for name, before := range map[string][]byte{"gzip": gz("head 1"), "cut": gz("head 1")[:20], "lz4": lz("head 1")} {
		file := slices.Concat(before, first, frame, frame)
		kind, size := Sniff(before), int64(len(file))
		r, err := NewReader(bytes.NewReader(file), Range{End: size, Size: size}, kind,
			Options{IsHead: isHead, NextPlain: nextPlain(file)})
		must(err)
		at := int64(len(before))
		if got := r.NextChange(1, size); got != at {
			t.Errorf("%s: the file changes at %d, want %d", name, got, at)
		}
		kind, ok, err := KindAt(bytes.NewReader(file), at, size, Options{IsHead: isHead})
		if kind != Zstd || !ok || err != nil || r.LeadsAcross(at, size) || !r.LeadsAcross(at, size-1) {
			t.Errorf("%s: KindAt = %v, %v, %v", name, kind, ok, err)
		}
	}
}

// nextPlain finds the heads in data that are not compressed: with more of a record than literals of a frame have.
func nextPlain(data []byte) func(from, limit int64) int64 {
	return func(from, limit int64) int64 {
		if i := bytes.Index(data[from:limit], []byte("head a raw")); i >= 0 {
			return from + int64(i)
		}
		return limit
	}
}

func FuzzReader(f *testing.F) {
	for kind, data := range map[Kind][]byte{
		Gzip: slices.Concat(gz("head 1"), []byte("x"), gz("head 2")[:20], gz("head 3")),
		Zstd: slices.Concat(skippable("x"), zst("head 1"), zst("head 2")), LZ4: slices.Concat(lz("head 1"), lz("head 2")),
	} {
		f.Add(uint8(kind), data)
	}
	if data, err := os.ReadFile("../../../testdata/archives/site.warc.zst"); err == nil {
		f.Add(uint8(Zstd), data[:20_000])
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		k := Kind(kind % 4)
		size := int64(len(data))
		story(t, data, k, Options{MaxWindow: 1 << 20})
		q, err := FindStart(bytes.NewReader(data), k, 1, size, isHead)
		if err == nil && (q < 0 || q > size) {
			t.Errorf("FindStart = %d of %d", q, size)
		}
	})
}

func FuzzParseDictionary(f *testing.F) {
	f.Add([]byte("raw"))
	f.Add(zst("compressed"))
	f.Add(zst(strings.Repeat("x", 1<<20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseDictionary(bytes.NewReader(data))
		if err == nil && len(d) > maxDictionary+1 {
			t.Errorf("a dictionary of %d bytes", len(d))
		}
	})
}

func ExampleReader() {
	file := bytes.NewReader(slices.Concat(gz("head one"), []byte("garbage"), gz("head two")))
	r, err := NewReader(file, Range{End: file.Size(), Size: file.Size()}, Gzip, Options{IsHead: isHead})
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		step, err := r.Next()
		for _, g := range step.Gaps {
			fmt.Println(g.To-g.From, "bytes of", g.Kind)
		}
		if err != nil {
			break
		}
		data, err := readAll(r, 1<<20)
		fmt.Println(step.Start, string(data), err)
	}
	// Output:
	// 0 head one <nil>
	// 7 bytes of garbage
	// 40 head two <nil>
}
