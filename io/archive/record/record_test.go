package record_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// rec is a record whose block is body; length is what its head says.
func rec(id, length, body string) string {
	return "WARC/1.0\r\nWARC-Record-ID: <" + id + ">\r\nContent-Length: " + length + "\r\n\r\n" + body + "\r\n\r\n"
}

func sized(id, body string) string { return rec(id, fmt.Sprint(len(body)), body) }

func gz(t testing.TB, parts ...string) string {
	t.Helper()
	var b strings.Builder
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, p)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// read lists the records: ID, block, anomalies, ordinal. Losses and quirks between records are in braces.
func read(t testing.TB, data string, kind member.Kind) string {
	t.Helper()
	size := int64(len(data))
	var out []string
	note := func(s string) { out = append(out, "{"+s+"}") }
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, kind, warc.Grammar{},
		record.Options{
			OnQuirk: note,
		})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, loss, err := r.Step()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if loss != nil {
			note(fmt.Sprint(loss.Kind, " ", loss.Bytes))
			continue
		}
		out = append(out, fmt.Sprintf("%s:%s%v%v%d", warc.Grammar{}.ID(rec), rec.Block, rec.Flags, rec.Quirks, rec.Ordinal))
	}
	if s := r.Stats(); s.Delivered+s.Structure+s.Lost != size {
		t.Errorf("%+v does not add up to %d", s, size)
	}
	return strings.Join(out, " ")
}

func TestReader(t *testing.T) {
	a, b, c := sized("a", "aaa"), sized("b", "bb"), sized("c", "c")
	zeros := strings.Repeat("\x00", 512)
	tests := []struct {
		name string
		kind member.Kind
		data string
		want string
	}{
		{"plain", member.Plain, a + b + c, "a:aaa[][]0 b:bb[][]0 c:c[][]0"},
		{"a member each", member.Gzip, gz(t, a, b, c), "a:aaa[][]0 b:bb[][]0 c:c[][]0"},
		{"one member", member.Gzip, gz(t, a+b+c), "a:aaa[][]0 b:bb[][]1 c:c[][]2"},
		{"a head over two members", member.Gzip, gz(t, a[:20], a[20:], b), "a:aaa[][]0 b:bb[][]0"},
		{
			"a member for the blank lines", member.Gzip, gz(t, a[:len(a)-4], "\r\n\r\n", b),
			"a:aaa[][]0 {extra_blank_line} b:bb[][]0",
		},
		{"empty members", member.Gzip, gz(t, "", a, "", "", b, ""), "a:aaa[][]0 b:bb[][]0"},
		{
			"blank lines before", member.Plain, "\uFEFF\r\n" + a + "\x00\x00\x00" + b,
			"{byte_order_mark} {extra_blank_line} a:aaa[][]0 {zeros_before_record} b:bb[][]0",
		},
		{"zeros first", member.Plain, zeros + a, "{zeros_before_record} a:aaa[][]0"},
		{
			"zeros first, over more than is looked at at once", member.Plain, strings.Repeat(zeros, 200) + "\r\n" + a,
			"{extra_blank_line} {zeros_before_record} a:aaa[][]0",
		},
		{"zeros last", member.Plain, a + zeros, "a:aaa[][]0 {zero_padding}"},
		{"zeros and blank lines last", member.Plain, a + zeros + "\r\n", "a:aaa[][]0 {extra_blank_line} {zero_padding}"},
		{"zeros before the first member", member.Gzip, zeros + gz(t, a), "a:aaa[][]0 {zeros_before_record}"},
		{"zeros between members", member.Gzip, gz(t, a) + zeros + gz(t, b), "a:aaa[][]0 {zeros_before_record} b:bb[][]0"},
		{"zeros behind the last member", member.Gzip, gz(t, a) + zeros, "a:aaa[][]0"},
		{
			"zeros, then another compression", member.Gzip, gz(t, a) + zeros + b,
			"a:aaa[][]0 {zeros_before_record} {mixed 0} b:bb[][]0",
		},
		{"blank lines behind", member.Plain, a + "\r\n\r\n" + b, "a:aaa[length][extra_blank_line]0 b:bb[][]0"},
		{
			"no blank lines", member.Plain, a[:len(a)-4] + b[:len(b)-4] + c[:len(c)-4],
			"a:aaa[][unclosed_record]0 b:bb[][unclosed_record]0 c:c[][]0",
		},
		{"garbage between", member.Plain, a + "garbage" + b, "a:aaa[][]0 {garbage 7} b:bb[][]0"},
		{"garbage first", member.Plain, "garbage" + b, "{garbage 7} b:bb[][]0"},
		{"garbage in a member", member.Gzip, gz(t, a+"garbage", "garbage"+b), "a:aaa[][]0 {garbage 0} b:bb[][]0 {garbage 0}"},
		{"a member of garbage", member.Gzip, gz(t, a, "garbage", b), fmt.Sprintf("a:aaa[][]0 {garbage %d} b:bb[][]0",
			len(gz(t, "garbage")))},
		{"only blank lines", member.Plain, "\r\n\r\n", "{extra_blank_line}"},
		{"too long", member.Plain, rec("a", "99", "aaa") + b, "a:aaa[length][]0 b:bb[][]0"},
		{"too long by one", member.Plain, rec("a", "4", "aaa") + b, "a:aaa[length][]0 b:bb[][]0"},
		{"too long, in a member", member.Gzip, gz(t, rec("a", "99", "aaa"), b), "a:aaa[length][]0 b:bb[][]0"},
		{"too long, in one member", member.Gzip, gz(t, rec("a", "99", "aaa")+b), "a:aaa[length][]0 b:bb[][]1"},
		{"too long at the end", member.Plain, rec("a", "99", "aaa"), "a:aaa\r\n\r\n[partial][]0"},
		{"too long for any file", member.Plain, rec("a", strings.Repeat("9", 40), "aaa") + b, "a:aaa[length][]0 b:bb[][]0"},
		{"too short", member.Plain, rec("a", "1", "aaa") + b, "a:aaa[length][]0 b:bb[][]0"},
		{"no number", member.Plain, rec("a", "x", "aaa") + b, "a:aaa[length][]0 b:bb[][]0"},
		{"nothing in the block", member.Plain, sized("a", "") + b, "a:[][]0 b:bb[][]0"},
		{
			"head runs into the next", member.Plain, "WARC/1.0\r\nWARC-Record-ID: <a>\r\n" + b,
			"a:[length][head_without_blank_line]0 b:bb[][]0",
		},
		{"cut in the head", member.Plain, a + b[:20], "a:aaa[][]0 :[length][lf_line_end line_without_colon " +
			"head_without_blank_line]0"},
		{"an archive in a block", member.Plain, sized("a", b+c) + c, "a:" + b + c + "[][]0 c:c[][]0"},
		{
			"words that look like a head", member.Plain, sized("a", "\r\n\r\nWARC/1.0 is a format\r\n") + b,
			"a:\r\n\r\nWARC/1.0 is a format\r\n[][]0 b:bb[][]0",
		},
		{
			"wrong checksum behind padding", member.Gzip, flip(gz(t, a+strings.Repeat("\x00", 5000)), -8) + gz(t, c),
			"a:aaa[][]0 {inflate 0} {zeros_before_record} c:c[][]0",
		},
		{
			"wrong checksum of several", member.Gzip, flip(gz(t, a+b), -8) + gz(t, c),
			"a:aaa[][]0 b:bb[checksum][]1 {inflate 0} c:c[][]0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, tt.data, tt.kind); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func flip(s string, at int) string {
	b := []byte(s)
	b[(len(b)+at)%len(b)] ^= 0xff
	return string(b)
}

// TestReader_longBlocks reads blocks over MaxBlock whose lengths are wrong, with good records after them, at places
// around the borders of the window.
func TestReader_longBlocks(t *testing.T) {
	const limit = 10_000
	for _, kind := range []string{"plain", "one member", "a member each"} {
		for _, size := range []int{
			limit - 1, limit, limit + 1, limit + 2047, limit + 2048, limit + 2049, 300_000,
			1_000_000,
		} {
			for _, off := range []int{-5000, -1, 0, 1, 5, 7, 4000, 2_000_000} {
				t.Run(fmt.Sprintf("%s, %d%+d", kind, size, off), func(t *testing.T) {
					parts := []string{
						sized("a", "aaa"), rec("b", fmt.Sprint(size+off), strings.Repeat("b", size)), sized("c", "c"),
						sized("d", "d"),
					}
					k, data := member.Gzip, gz(t, strings.Join(parts, ""))
					switch kind {
					case "plain":
						k, data = member.Plain, strings.Join(parts, "")
					case "a member each":
						data = gz(t, parts...)
					}
					checkLong(t, data, k, limit, size, off != 0)
				})
			}
		}
	}
}

// TestReader_zstdWindow reads records of all sizes in one frame, whose matches reach back as far as its window allows:
// over records that are long gone.
func TestReader_zstdWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var blocks []string
	var data strings.Builder
	for i := range 300 {
		size := 1 << r.IntN(20)
		from := r.IntN(len(noise) - size)
		blocks = append(blocks, string(noise[from:from+size]))
		data.WriteString(sized(fmt.Sprint(i), blocks[i]))
	}
	for _, window := range []int{1 << 10, 1 << 16, 1 << 20, 4 << 20} {
		enc, err := zstd.NewWriter(nil, zstd.WithWindowSize(window), zstd.WithSingleSegment(false))
		if err != nil {
			t.Fatal(err)
		}
		file := enc.EncodeAll([]byte(data.String()), nil)
		size := int64(len(file))
		rd, err := record.NewReader(bytes.NewReader(file), member.Range{End: size, Size: size}, member.Zstd, warc.Grammar{},
			record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range blocks {
			if rec, err := rd.Next(); err != nil || string(rec.Block) != want || len(rec.Flags) > 0 {
				t.Fatalf("window %d, record %d of %d bytes: %v", window, i, len(want), err)
			}
		}
		if _, err := rd.Next(); err != io.EOF {
			t.Errorf("window %d, at the end: %v", window, err)
		}
		if err := enc.Close(); err != nil {
			t.Error(err)
		}
	}
}

func checkLong(t *testing.T, data string, kind member.Kind, limit int64, size int, wrong bool) {
	t.Helper()
	n := int64(len(data))
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: n, Size: n}, kind, warc.Grammar{},
		record.Options{MaxBlock: limit})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ordinals := map[string]bool{}
	for _, want := range []string{"a", "b", "c", "d"} {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if id := (warc.Grammar{}).ID(rec); id != want || (len(rec.Flags) > 0) != (wrong && id == "b") {
			t.Errorf("record %s flags %v, want %s", id, rec.Flags, want)
		}
		if want == "b" && (rec.Size != int64(size) || int64(len(rec.Block)) != min(limit, int64(size)) ||
			strings.Trim(string(rec.Block), "b") != "") {
			t.Errorf("block of %d, %d kept, want %d", rec.Size, len(rec.Block), size)
		}
		place := fmt.Sprint(rec.Offset, rec.Ordinal)
		if ordinals[place] {
			t.Errorf("two records at %s", place)
		}
		ordinals[place] = true
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if s := r.Stats(); s.Delivered+s.Structure+s.Lost != n {
		t.Errorf("%+v does not add up to %d", s, n)
	}
}

// TestReader_headsOnly must find the records that reading everything finds.
func TestReader_headsOnly(t *testing.T) {
	var data strings.Builder
	for i := range 60 {
		body := strings.Repeat("x", i*i*300)
		data.WriteString(rec(fmt.Sprint(i), fmt.Sprint(len(body)+[]int{0, 0, 3, -3, 100_000, 50 << 20}[i%6]), body))
	}
	walk := func(headsOnly bool) (all []string) {
		size := int64(data.Len())
		r, err := record.NewReader(strings.NewReader(data.String()), member.Range{End: size, Size: size}, member.Plain,
			warc.Grammar{}, record.Options{HeadsOnly: headsOnly})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for {
			rec, err := r.Next()
			if err != nil {
				return all
			}
			all = append(all, fmt.Sprint(warc.Grammar{}.ID(rec), rec.Offset, rec.Size, rec.Length, rec.Flags))
		}
	}
	if full, heads := walk(false), walk(true); len(full) != 60 || !slices.Equal(full, heads) {
		t.Errorf("all\n%q\nheads only\n%q", full, heads)
	}
}

// TestRecord_OpenOfAFileThatShrank reads a block of which the file held the end when its record was read, and no more.
func TestRecord_OpenOfAFileThatShrank(t *testing.T) {
	body := strings.Repeat("body", 20_000)
	data := []byte(sized("a", body) + sized("b", "bb"))
	size := int64(len(data))
	file := bytes.NewReader(data)
	r, err := record.NewReader(file, member.Range{End: size, Size: size}, member.Plain, warc.Grammar{},
		record.Options{HeadsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(rec.Block)) == rec.Size {
		t.Fatal("the whole block was read")
	}
	for _, left := range []int{len(data), 50_000, len(rec.Block) / 2} {
		file.Reset(data[:left])
		b, err := rec.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(b)
		if whole := left == len(data); whole != (err == nil) || !whole && err != io.ErrUnexpectedEOF {
			t.Errorf("%d bytes left: %v", left, err)
		}
		if !strings.HasPrefix(body, string(got)) || err == nil && len(got) != len(body) {
			t.Errorf("%d bytes left: %d of %d bytes, or others", left, len(got), len(body))
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func TestReader_fileErrorsAreReturned(t *testing.T) {
	r, err := record.NewReader(broken{}, member.Range{End: 100, Size: 100}, member.Gzip, warc.Grammar{}, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Next(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Next: %v", err)
	}
}

// TestReader_tellsLossesAsTheyCome: a loss is returned before the next one is searched, so that memory does not grow
// with their number.
func TestReader_tellsLossesAsTheyCome(t *testing.T) {
	noise := make([]byte, 2000)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(noise) // it never fails
	const members = 100
	file := gz(t, slices.Repeat([]string{string(noise)}, members)...)
	size := int64(len(file))
	rng := member.Range{End: size, Size: size}
	r, err := record.NewReader(strings.NewReader(file), rng, member.Gzip, warc.Grammar{}, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n := range int64(members) {
		_, loss, err := r.Step()
		if err != nil || loss == nil || loss.From != n*size/members || r.Stats().Lost != loss.To {
			t.Fatalf("loss %d: %+v, %v; %d bytes are lost so far", n, loss, err, r.Stats().Lost)
		}
	}
	if _, _, err := r.Step(); err != io.EOF {
		t.Errorf("behind the losses: %v", err)
	}
}

func ExampleReader() {
	file := bytes.NewReader([]byte(sized("one", "block") + "garbage" + sized("two", "another")))
	size := file.Size()
	r, err := record.NewReader(file, member.Range{End: size, Size: size}, member.Plain, warc.Grammar{}, record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		rec, loss, err := r.Step()
		if err != nil {
			break
		}
		if loss != nil {
			fmt.Println(loss)
			continue
		}
		fmt.Printf("%d %s\n", rec.Offset, rec.Block)
	}
	// Output:
	// 0 block
	// bytes 63 to 70: garbage: no record begins here
	// 70 another
}

func TestReader_closed(t *testing.T) {
	data := sized("a", "aaa") + sized("b", "bb")
	for range 3 { // each reader has the memory of the one before
		r, err := record.Open(strings.NewReader(data), int64(len(data)), warc.Grammar{}, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := r.Next()
		if err != nil || string(rec.Block) != "aaa" {
			t.Fatalf("Next = %v, %v; want block aaa", rec, err)
		}
		r.Close()
		r.Close()
		if rec, err := r.Next(); rec != nil || err == nil || err == io.EOF {
			t.Errorf("Next of a closed reader = %v, %v; want an error", rec, err)
		}
	}
}
