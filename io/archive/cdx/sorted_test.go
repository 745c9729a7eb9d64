package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// shuffled are n lines, some of which are equal, some of which have the beginning of others.
func shuffled(n int) []Line {
	all := make([]Line, n)
	for i := range all {
		all[i] = Line{
			SURT:      "com,example)/" + strings.Repeat("a", i%7) + string(rune('!'+i%90)),
			Timestamp: stamp.Add(time.Duration(i%50) * time.Hour), Filename: fmt.Sprintf("%d.warc.gz", i%1000),
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func writeSorted(t testing.TB, o Options, in []Line) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := NewSortedWriter(&buf, o)
	for _, l := range in {
		if err := w.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("Abort after Close: %v", err)
	}
	return buf.Bytes()
}

func TestSortedWriter(t *testing.T) {
	in := shuffled(5000)
	var want []string
	for _, l := range in {
		want = append(want, strings.TrimSuffix(string(l.AppendTo(nil)), "\n"))
	}
	slices.Sort(want)
	for _, memory := range []int{0, 50_000} {
		t.Run(fmt.Sprint("memory ", memory), func(t *testing.T) {
			dir := t.TempDir()
			got := writeSorted(t, Options{MemoryBytes: memory, TempDir: dir, Plain: true}, in)
			if string(got) != strings.Join(want, "\n")+"\n" {
				t.Error("not the bytewise order of all lines")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestSortedWriter_sameLinesSameBytes(t *testing.T) {
	in := shuffled(2000)
	first := writeSorted(t, Options{}, in)
	slices.Reverse(in)
	second := writeSorted(t, Options{MemoryBytes: 50_000, TempDir: t.TempDir()}, in)
	if !bytes.Equal(first, second) {
		t.Error("the bytes differ")
	}
	zr, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	zr.Multistream(false)
	plain, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	if want := writeSorted(t, Options{Plain: true}, in); !bytes.Equal(plain, want) {
		t.Error("the first member is not the whole index")
	}
	if zr.ModTime.Unix() != 0 || zr.Name != "" {
		t.Errorf("the header has %v, %q", zr.ModTime, zr.Name)
	}
}

func TestSortedWriter_roundTrip(t *testing.T) {
	in := shuffled(1000)
	n := 0
	for l, err := range NewReader(bytes.NewReader(writeSorted(t, Options{}, in)), Options{}).All() {
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(in, l) {
			t.Fatalf("%+v was not written", l)
		}
		n++
	}
	if n != len(in) {
		t.Errorf("%d lines, want %d", n, len(in))
	}
}

func TestSortedWriter_abort(t *testing.T) {
	dir := t.TempDir()
	var buf bytes.Buffer
	w := NewSortedWriter(&buf, Options{MemoryBytes: 1000, TempDir: dir})
	for _, l := range shuffled(100) {
		if err := w.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := w.Close(); err == nil {
		t.Error("Close after Abort succeeds")
	}
	if err := w.Add(Line{}); err == nil {
		t.Error("Add after Abort succeeds")
	}
}

func TestFilename(t *testing.T) {
	for line, want := range map[string]string{
		string(Line{SURT: "a)/", Filename: `x "y\`}.AppendTo(nil)): `x \"y\\`,
		`a)/ 2020 {"filename":"a.warc.gz", "charset": "UTF-8"}`:    "a.warc.gz",
		`a)/ 2020 {"url": "\"filename\": \"no\""}`:                 "",
		`a)/ 2020 {"filename": 7}`:                                 "",
		`a)/ 2020 {"filename": "open`:                              "",
	} {
		if got := string(Filename([]byte(line))); got != want {
			t.Errorf("Filename(%s) = %s, want %s", line, got, want)
		}
	}
}

func TestIsLine(t *testing.T) {
	for line, want := range map[string]bool{
		"a)/ 20200101000000 {}": true, "a)/ - {}": true, "a)/ 2020 {} ": false, "a)/ 2020": false, " 2020 {}": false,
		"!meta 0 {}": false, "a)/ x {}": false, " CDX N b a m s k r M S V g": false, "": false,
		"!)/ 20200101000000 {}": true, "@x)/ - {}": true, "#top 20200101000000 {}": true, "{{a}})/ 2020 {}": true,
		`!meta 0 {"format": "cdxj-gzip-1.0"}`: false, "# 2020 {}": false, `@meta {"a": "b"}`: false, `{"a": 2020}`: false,
	} {
		if IsLine([]byte(line)) != want {
			t.Errorf("IsLine(%q) = %v", line, !want)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestSortedWriter_errorOfTheFile(t *testing.T) {
	for _, plain := range []bool{true, false} {
		w := NewSortedWriter(broken{}, Options{Plain: plain})
		if err := w.Add(Line{SURT: "a)/"}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("plain %v: %v", plain, err)
		}
	}
}

func BenchmarkSortedWriter(b *testing.B) {
	in := shuffled(20_000)
	b.ReportAllocs()
	for b.Loop() {
		writeSorted(b, Options{MemoryBytes: 1 << 20, TempDir: b.TempDir()}, in)
	}
	b.ReportMetric(float64(len(in)*b.N)/b.Elapsed().Seconds(), "lines/s")
}
