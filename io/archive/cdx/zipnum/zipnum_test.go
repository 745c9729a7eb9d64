package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// made returns n sorted lines of some hosts.
func made(n int) (list []string) {
	for i := range n {
		const form = `com,example,h%03d)/p/%05d 2020010100%04d {"url": "http://h%03d.example.com/p/%05d"}`
		list = append(list, fmt.Sprintf(form, i/500, i%500/5, i%500, i/500, i%500/5))
	}
	return list
}

// cluster writes a cluster of blocks with these texts into a folder, and returns its path.
func cluster(t testing.TB, blocks ...string) string {
	t.Helper()
	dir := t.TempDir()
	var data, idx bytes.Buffer
	for i, text := range blocks {
		start := data.Len()
		zw := gzip.NewWriter(&data)
		_, err := io.WriteString(zw, text)
		if err = errors.Join(err, zw.Close()); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(strings.TrimRight(text, "\r\n"), "\n")
		k := Block{string(KeyOf([]byte(first))), "part", int64(start), int64(data.Len() - start), int64(i + 1)}
		idx.Write(k.AppendTo(nil))
	}
	put(t, dir, IndexFile, idx.Bytes())
	put(t, dir, "part.gz", data.Bytes())
	return dir
}

func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// all returns the lines of a range, and the error that ended it.
func all(x *Index, from, to string) (list []string, err error) {
	for line, err := range x.Lines(from, to) {
		if err != nil {
			return list, err
		}
		list = append(list, string(line))
	}
	return list, nil
}

func open(t testing.TB, dir string, o Options) *Index {
	t.Helper()
	x, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// written writes lines with a Writer.
func written(t testing.TB, o WriterOptions, lines []string) string {
	t.Helper()
	var data, idx bytes.Buffer
	w := NewWriter(&data, &idx, o)
	for _, l := range lines {
		if _, err := w.Add([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, dir, IndexFile, idx.Bytes())
	put(t, dir, LocFile, AppendLoc(nil, "cdx", "parts.gz"))
	put(t, dir, "parts.gz", data.Bytes())
	return dir
}

// TestIndex_rangesAreThoseOfTheLines: each range of a cluster has the lines that a scan of all finds.
func TestIndex_rangesAreThoseOfTheLines(t *testing.T) {
	lines := made(20_000)
	for _, n := range []int{1, 7, 100, BlockLines} {
		count := len(lines)
		if n < 7 {
			count = 2000
		}
		x := open(t, written(t, WriterOptions{Lines: n}, lines[:count]), Options{})
		for _, tt := range []struct {
			url   string
			match Match
		}{
			{"http://h001.example.com/p/00003", Exact},
			{"http://h001.example.com/p/0000", Exact},
			{"http://h001.example.com/p/0000", Prefix},
			{"http://h001.example.com/", Prefix},
			{"http://h002.example.com/any", Host},
			{"http://example.com/", Host},
			{"http://example.com/", Domain},
			{"http://aaa.com/", Exact},
			{"http://zzz.org/", Exact},
			{"com", Domain},
		} {
			from, to, err := Range(tt.url, tt.match)
			if err != nil && tt.url != "com" {
				t.Fatal(err)
			}
			var want []string
			for _, l := range lines[:count] {
				if l >= from && l < to {
					want = append(want, l)
				}
			}
			got, err := all(x, from, to)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("blocks of %d: %s %s: %d lines, want %d: %v", n, tt.match, tt.url, len(got), len(want), err)
			}
		}
		if got, err := all(x, "", ""); err != nil || !slices.Equal(got, lines[:count]) {
			t.Errorf("blocks of %d: %d lines of all, %v", n, len(got), err)
		}
	}
}

// TestIndex_sameKeyInManyBlocks: captures of one second fill blocks, and all are found.
func TestIndex_sameKeyInManyBlocks(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("com,a)/ 20200101000000 {\"offset\": \"%03d\"}", i))
	}
	lines = append(lines, "com,b)/ 20200101000000 {}")
	x := open(t, written(t, WriterOptions{Lines: 7}, lines), Options{})
	from, to, _ := Range("http://a.com/", Exact)
	if got, err := all(x, from, to); err != nil || len(got) != 50 {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func TestWriter_refusesDisorder(t *testing.T) {
	w := NewWriter(io.Discard, io.Discard, WriterOptions{})
	for _, tt := range []struct {
		line  string
		added bool
		err   error
	}{
		{"b)/ 2020 {}", true, nil},
		{"b)/ 2020 {}", false, nil},
		{"a)/ 2020 {}", false, ErrOrder},
		{"c)/ 2020 {}", false, ErrOrder}, // the writer is unusable
	} {
		if added, err := w.Add([]byte(tt.line)); added != tt.added || !errors.Is(err, tt.err) {
			t.Errorf("Add(%q) = %v, %v", tt.line, added, err)
		}
	}
	for _, bad := range []string{"", "a\nb", "a\rb"} {
		if _, err := NewWriter(io.Discard, io.Discard, WriterOptions{}).Add([]byte(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("Add(%q): %v", bad, err)
		}
	}
}

// TestOpen_hostile: what an .idx or .loc file says is compared with the parts, and errors have file and offset.
func TestOpen_hostile(t *testing.T) {
	tests := []struct {
		name, idx, loc string
		want           error
		text           string
	}{
		{"offset beyond the part", "a)/ 2020\tpart\t999999\t5\t1\n", "", ErrFormat, "line at byte 0"},
		{"length beyond the part", "a)/ 2020\tpart\t0\t999999\t1\n", "", ErrFormat, "part.gz, which has"},
		{"sum overflows", "a)/ 2020\tpart\t9223372036854775807\t9223372036854775807\t1\n", "", ErrFormat, "part.gz"},
		{"negative", "a)/ 2020\tpart\t-1\t5\t1\n", "", ErrFormat, "offset"},
		{"no number", "a)/ 2020\tpart\t0\tfive\t1\n", "", ErrFormat, "length"},
		{"too few fields", "a)/ 2020\tpart\n", "", ErrFormat, "2 fields"},
		{"unsorted", "b)/ 2020\tpart\t0\t5\t1\na)/ 2020\tpart\t0\t5\t2\n", "", ErrOrder, "line at byte 20"},
		{"absolute path", "a)/ 2020\tpart\t0\t5\t1\n", "part\t/etc/passwd\n", ErrPath, "cluster.loc: line at byte 0"},
		{"path upwards", "a)/ 2020\tpart\t0\t5\t1\n", "x\ty\npart\t../../etc/passwd\n", ErrPath, "line at byte 4"},
		{"web", "a)/ 2020\tpart\t0\t5\t1\n", "part\thttp://169.254.169.254/x\n", ErrPath, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := cluster(t, "a)/ 2020 {}\n")
			put(t, dir, IndexFile, []byte(tt.idx))
			if tt.loc != "" {
				put(t, dir, LocFile, []byte(tt.loc))
			}
			_, err := Open(dir, Options{})
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Open: %v", err)
			}
		})
	}
}

// TestIndex_hostileBlocks: damaged, huge and unsorted blocks are errors with the part's name and the offset.
func TestIndex_hostileBlocks(t *testing.T) {
	sound := "a)/ 2020 {}\nb)/ 2020 {}\n"
	tests := []struct {
		name   string
		blocks []string
		o      Options
		want   error
		text   string
	}{
		{"unsorted", []string{"a)/ 2020 {}\nc)/ 2020 {}\nb)/ 2020 {}\n"}, Options{}, ErrOrder, "block at 0"},
		{"bomb", []string{"a)/ 2020 " + strings.Repeat("x", 5<<20)}, Options{MaxBlock: 1 << 20}, ErrLimit, "1048576 bytes"},
		{"line of 10 MB", []string{sound, "c)/ 2020 {" + strings.Repeat("x", 10<<20)}, Options{}, ErrLimit, "line of"},
		{"no line", []string{"\n"}, Options{}, ErrBlock, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := cluster(t, tt.blocks...)
			if tt.name == "no line" {
				put(t, dir, IndexFile, []byte("a)/ 2020\tpart\t0\t20\t1\n"))
			}
			_, err := all(open(t, dir, tt.o), "", "")
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) ||
				!strings.Contains(err.Error(), "part.gz: block at ") {
				t.Errorf("Lines: %v", err)
			}
		})
	}
}

// TestIndex_liesAboutBlocks: an .idx file whose offsets are not those of members, or whose keys are not theirs.
func TestIndex_liesAboutBlocks(t *testing.T) {
	dir := cluster(t, "a)/ 2020 {}\nb)/ 2020 {}\n", "c)/ 2020 {}\n")
	honest, err := os.ReadFile(filepath.Join(dir, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	first, _ := ParseBlock(bytes.TrimSuffix(bytes.SplitAfter(honest, []byte("\n"))[0], []byte("\n")))
	for _, k := range []Block{
		{first.Key, "part", 1, first.Length, 1},
		{first.Key, "part", 0, first.Length - 1, 1},
		{first.Key, "part", 0, first.Length + 3, 1},
		{"a)/x 2020", "part", 0, first.Length, 1},
	} {
		put(t, dir, IndexFile, k.AppendTo(nil))
		if _, err := all(open(t, dir, Options{}), "", ""); !errors.Is(err, ErrBlock) {
			t.Errorf("%+v: %v", k, err)
		}
	}
	// Every byte of the block in turn.
	put(t, dir, IndexFile, first.AppendTo(nil))
	part := filepath.Join(dir, "part.gz")
	data, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int(first.Length) {
		other := bytes.Clone(data)
		other[i] ^= 0x10
		if err := os.WriteFile(part, other, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := all(open(t, dir, Options{}), "", "")
		// Some bits change nothing: the header's time and system, and padding.
		if err == nil && !slices.Equal(got, []string{"a)/ 2020 {}", "b)/ 2020 {}"}) {
			t.Errorf("byte %d: %q", i, got)
		}
	}
}

func TestIndex_otherPrograms(t *testing.T) {
	t.Run("CRLF", func(t *testing.T) {
		x := open(t, cluster(t, "a)/ 2020 {}\r\nb)/ 2020 {}\r\n", "c)/ 2020 {}\r\n"), Options{})
		if got, err := all(x, "b)/ ", "z"); err != nil || !slices.Equal(got, []string{"b)/ 2020 {}", "c)/ 2020 {}"}) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("no last line end", func(t *testing.T) {
		x := open(t, cluster(t, "a)/ 2020 {}\nb)/ 2020 {}"), Options{})
		if got, err := all(x, "", ""); err != nil || len(got) != 2 || got[1] != "b)/ 2020 {}" {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("sorted by key and time only", func(t *testing.T) {
		x := open(t, cluster(t, "a)/ 2020 {\"b\"}\na)/ 2020 {\"a\"}\n"), Options{})
		if got, err := all(x, "a)/ ", "a)/!"); err != nil || len(got) != 2 {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("a part is missing", func(t *testing.T) {
		dir := cluster(t, "a)/ 2020 {}\n")
		x := []byte("0)/ 2020\tother\t0\t9\t1\n")
		idx, err := os.ReadFile(filepath.Join(dir, IndexFile))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, IndexFile, append(x, idx...))
		index := open(t, dir, Options{})
		if got, err := all(index, "a)/ ", ""); err == nil || len(got) > 0 {
			t.Errorf("%q, %v: a line with the key may be in the missing part", got, err)
		}
		if _, err := all(index, "", ""); err == nil || !strings.Contains(err.Error(), "part other") {
			t.Errorf("%v", err)
		}
	})
}

// TestIndex_cache: more blocks than the cache holds, by several goroutines.
func TestIndex_cache(t *testing.T) {
	lines := made(5000)
	x := open(t, written(t, WriterOptions{Lines: 50}, lines), Options{Cache: 20_000})
	done := make(chan error)
	for g := range 4 {
		go func() {
			var err error
			for i := g; i < len(lines) && err == nil; i += 13 {
				from := string(KeyOf([]byte(lines[i]))) + " "
				var got []string
				if got, err = all(x, from, from+"~"); err == nil && (len(got) != 1 || got[0] != lines[i]) {
					err = fmt.Errorf("%q: %q", from, got)
				}
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if x.cache.bytes > 20_000 {
		t.Errorf("the cache has %d bytes", x.cache.bytes)
	}
}

// TestIndex_bothWays: a search that decodes as far as needed, and one in a block that is kept, find the same and fail
// alike. Blocks may have several members.
func TestIndex_bothWays(t *testing.T) {
	lines := made(9000)
	var zipped bytes.Buffer
	for part := range slices.Chunk(lines, 700) {
		zw := gzip.NewWriter(&zipped)
		_, err := io.WriteString(zw, strings.Join(part, "\n")+"\n")
		if err = errors.Join(err, zw.Close()); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	k := Block{string(KeyOf([]byte(lines[0]))), "part", 0, int64(zipped.Len()), 1}
	put(t, dir, IndexFile, k.AppendTo(nil))
	put(t, dir, "part", zipped.Bytes())
	for i := 0; i < len(lines); i += 97 {
		to := ""
		if i+50 < len(lines) {
			to = lines[i+50]
		}
		want := lines[i:min(i+50, len(lines))]
		x := open(t, dir, Options{})
		for range 3 { // the third time from the cache
			if got, err := all(x, lines[i], to); err != nil || !slices.Equal(got, want) {
				t.Fatalf("from %d: %d lines, want %d: %v", i, len(got), len(want), err)
			}
		}
		if x.cache.get(0) == nil {
			t.Fatal("the block is not kept")
		}
	}
	damaged := bytes.Clone(zipped.Bytes())
	damaged[len(damaged)/2] ^= 0xff
	put(t, dir, "part", damaged)
	for range 2 {
		x := open(t, dir, Options{})
		for range 2 {
			if _, err := all(x, "", ""); !errors.Is(err, ErrBlock) && !errors.Is(err, ErrOrder) {
				t.Errorf("damaged: %v", err)
			}
		}
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add([]byte("a)/ 2020\tpart\t0\t5\t1\nb)/ 2020\tpart\t5\t5\r\n"))
	f.Add([]byte("\t\t\t\t"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := parseTable("x", text)
		if err != nil {
			return
		}
		for i := range table.lines {
			k := table.block(i)
			if k.Key == "" || k.Length <= 0 || k.Offset < 0 || string(table.key(i)) != k.Key {
				t.Fatalf("%+v", k)
			}
			again, err := ParseBlock(bytes.TrimSuffix(k.AppendTo(nil), []byte("\n")))
			if err != nil || again != k {
				t.Fatalf("%+v, then %+v, %v", k, again, err)
			}
			if n := table.first([]byte(k.Key)); n > i || n < i-1 && string(table.key(n+1)) != k.Key {
				t.Fatalf("first(%q) = %d, want %d or the one before", k.Key, n, i)
			}
		}
	})
}

func FuzzDecodeBlock(f *testing.F) {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	_, _ = io.WriteString(zw, "a)/ 2020 {}\nb)/ 2020 {}\n")
	_ = zw.Close()
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := decodeBlock(raw, Options{}.withDefaults())
		s := scan{raw: raw}
		errScan := s.begin(nil, Options{}.withDefaults())
		for n := 0; errScan == nil; n++ {
			var line []byte
			if line, errScan = s.next(); errScan == nil && err == nil && !bytes.Equal(line, b.line(n)) {
				t.Fatalf("line %d: %q, and %q", n, line, b.line(n))
			}
		}
		if err == nil && b.check(nil) == nil && !errors.Is(errScan, io.EOF) || err != nil && errors.Is(errScan, io.EOF) {
			t.Fatalf("whole: %v, step by step: %v", err, errScan)
		}
		if err != nil {
			return
		}
		zr, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("package gzip refuses it: %v", err)
		}
		want, err := io.ReadAll(zr)
		if err != nil || !bytes.Equal(bytes.TrimSuffix(b.text, []byte("\n")), bytes.TrimSuffix(want, []byte("\n"))) {
			t.Fatalf("other bytes: %v", err)
		}
	})
}

func BenchmarkIndex_Lines(b *testing.B) {
	lines := made(100_000)
	x := open(b, written(b, WriterOptions{}, lines), Options{Cache: 1})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(lines)
		from := string(KeyOf([]byte(lines[i]))) + " "
		if got, err := all(x, from, from+"~"); err != nil || len(got) != 1 {
			b.Fatal(got, err)
		}
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var data, idx bytes.Buffer
	w := NewWriter(&data, &idx, WriterOptions{})
	for _, line := range []string{
		`com,example)/ 20200101000000 {"url": "http://example.com/"}`,
		`com,example)/ 20210101000000 {"url": "http://example.com/"}`,
		`com,example)/about 20200101000000 {"url": "http://example.com/about"}`,
	} {
		if _, err := w.Add([]byte(line)); err != nil {
			panic(err)
		}
	}
	err = errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, "cdx.gz"), data.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, IndexFile), idx.Bytes(), 0o644))
	if err != nil {
		panic(err)
	}
	x, err := Open(dir, Options{})
	if err != nil {
		panic(err)
	}
	defer func() { _ = x.Close() }()
	from, to, _ := Range("http://example.com/", Exact)
	for line, err := range x.Lines(from, to) {
		fmt.Println(string(KeyOf(line)), err)
	}
	// Output:
	// com,example)/ 20200101000000 <nil>
	// com,example)/ 20210101000000 <nil>
}
