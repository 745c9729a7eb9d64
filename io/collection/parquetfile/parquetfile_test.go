package parquetfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/internal/schematest"
	"github.com/gleaner-web/gleaner/schemas"
)

func Example() {
	var file bytes.Buffer
	w := NewWriter(&file, Options{})
	for _, surt := range []string{"com,example)/b", "com,example)/a"} {
		if err := w.Write(&schemas.Document{SURT: surt, Timestamp: "2024-05-17T12:00:00Z"}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	for d, err := range Read(bytes.NewReader(file.Bytes()), int64(file.Len())) {
		if err != nil {
			panic(err)
		}
		fmt.Println(d.SURT, d.Timestamp)
	}
	// Output:
	// com,example)/a 2024-05-17T12:00:00Z
	// com,example)/b 2024-05-17T12:00:00Z
}

func write(t testing.TB, o Options, docs []*schemas.Document) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := NewWriter(&buf, o)
	for _, d := range docs {
		if err := w.Write(d); err != nil {
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

func read(t testing.TB, file []byte) (docs []*schemas.Document) {
	t.Helper()
	for d, err := range Read(bytes.NewReader(file), int64(len(file))) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

func TestWriter_everyFieldComesBack(t *testing.T) {
	want := []*schemas.Document{{URL: "http://only.example/"}, schematest.Full(t)}
	if diff := cmp.Diff(want, read(t, write(t, Options{}, want))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWriter_emptyIsNotKnown(t *testing.T) {
	zero := 0
	in := []*schemas.Document{
		{
			URL: "http://a/", Authors: []string{}, Crawl: map[string]string{}, Custom: map[string][]string{"none": {}},
			LinksInternal: &zero, Quality: &schemas.Quality{}, Tags: []string{"", "x"}, Timestamp: "1970-01-01T00:00:00Z",
		},
		{Text: "a\xffb", MainHTML: "\xc3", Title: "\xe9", Timestamp: "2024-05-17T12:00:00.9999999+02:00"},
	}
	want := []*schemas.Document{
		{
			URL: "http://a/", Custom: map[string][]string{"none": {}}, LinksInternal: &zero, Quality: &schemas.Quality{},
			Tags: []string{"", "x"}, Timestamp: "1970-01-01T00:00:00Z",
		},
		{Text: "a\uFFFDb", MainHTML: "\uFFFD", Title: "\uFFFD", Timestamp: "2024-05-17T10:00:00.999999Z"},
	}
	if diff := cmp.Diff(want, read(t, write(t, Options{}, in))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// shuffled are n documents, in five groups of equal keys and some without.
func shuffled(n int) []*schemas.Document {
	rnd := rand.New(rand.NewPCG(1, 2))
	docs := make([]*schemas.Document, n)
	for i := range docs {
		docs[i] = &schemas.Document{
			URL: fmt.Sprintf("http://example.com/%d", i), RecordType: schemas.TypeResponse, Filename: "a.warc.gz",
			Offset: int64(i),
			SURT:   []string{"", "com,example)/", "com,example)/a", "com,example)/a\x00", "com,example)/\u00e9"}[rnd.IntN(5)],
			Timestamp: []string{
				"", "1999-12-31T23:59:59Z", "2024-05-17T12:00:00Z", "2024-05-17T12:00:00.001Z",
				"1950-01-01T00:00:00Z",
			}[rnd.IntN(5)],
			Crawl: map[string]string{"depth": fmt.Sprint(i % 7), "seed": "s", "crawler": "c"},
			Text:  strings.Repeat("text ", rnd.IntN(100)),
		}
	}
	return docs
}

func TestWriter_sortsStably(t *testing.T) {
	docs := shuffled(3000)
	want := slices.Clone(docs)
	slices.SortStableFunc(want, func(a, b *schemas.Document) int {
		if c := strings.Compare(a.SURT, b.SURT); c != 0 {
			return c
		}
		at, _ := time.Parse(time.RFC3339, a.Timestamp) // the zero time when there is none
		bt, _ := time.Parse(time.RFC3339, b.Timestamp)
		return at.Compare(bt)
	})
	for _, memory := range []int{0, 100_000} {
		dir := t.TempDir()
		got := read(t, write(t, Options{MemoryBytes: memory, TempDir: dir}, docs))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("memory %d: -want +got:\n%s", memory, diff)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestWriter_sameDocumentsSameBytes(t *testing.T) {
	docs := append(shuffled(2000), schematest.Full(t))
	first := write(t, Options{}, docs)
	if !bytes.Equal(first, write(t, Options{}, docs)) {
		t.Error("the bytes differ")
	}
	if !bytes.Equal(first, write(t, Options{MemoryBytes: 50_000, TempDir: t.TempDir()}, docs)) {
		t.Error("the bytes depend on how much was sorted in memory")
	}
}

func TestWriter_rowGroups(t *testing.T) {
	docs := shuffled(1000)
	tests := []struct {
		name string
		o    Options
		want int
	}{
		{"one", Options{}, 1},
		{"by rows", Options{RowGroupRows: 300}, 4},
		{"by bytes", Options{RowGroupBytes: 1}, 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.o, docs)
			f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(f.RowGroups()); got != tt.want || f.NumRows() != 1000 {
				t.Errorf("%d row groups with %d rows, want %d with 1000", got, f.NumRows(), tt.want)
			}
			if got := f.RowGroups()[0].SortingColumns(); len(got) != 2 || got[0].Path()[0] != "surt" ||
				got[1].Path()[0] != "timestamp" {
				t.Errorf("sorting columns %v", got)
			}
			if diff := cmp.Diff(read(t, write(t, Options{}, docs)), read(t, file)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWriter_statistics(t *testing.T) {
	file := write(t, Options{}, shuffled(100))
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Metadata().CreatedBy, "gleaner version "+Form+"(build parquetfile)"; got != want {
		t.Errorf("created by %q, want %q", got, want)
	}
	for _, c := range f.Metadata().RowGroups[0].Columns {
		name := strings.Join(c.MetaData.PathInSchema, ".")
		bounds := len(c.MetaData.Statistics.MaxValue) > 0
		if long := name == "text" || name == "main_html" || name == "description"; name == "surt" && !bounds || long &&
			bounds {
			t.Errorf("%s: bounds %v", name, bounds)
		}
	}
}

func TestWriter_badDocumentLeavesTheRest(t *testing.T) {
	var buf bytes.Buffer
	w := NewWriter(&buf, Options{})
	bad := []*schemas.Document{
		{Timestamp: "yesterday"},
		{Timestamp: "20240517120000"},
		{Quality: &schemas.Quality{SymbolRatio: schemas.Float(math.NaN())}},
	}
	for _, d := range bad {
		if err := w.Write(d); err == nil {
			t.Errorf("Write(%+v) succeeds", d)
		}
	}
	if err := w.Write(&schemas.Document{URL: "http://a/"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, buf.Bytes()); len(got) != 1 || got[0].URL != "http://a/" {
		t.Errorf("got %v", got)
	}
}

func TestWriter_nothingWritten(t *testing.T) {
	file := write(t, Options{}, nil)
	if got := read(t, file); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestWriter_abort(t *testing.T) {
	dir := t.TempDir()
	var buf bytes.Buffer
	w := NewWriter(&buf, Options{MemoryBytes: 1000, TempDir: dir})
	for _, d := range shuffled(100) {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := w.Close(); err == nil || buf.Len() > 0 {
		t.Errorf("Close after Abort: %v, %d bytes", err, buf.Len())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriter_errorOfTheFile(t *testing.T) {
	w := NewWriter(broken{}, Options{RowGroupRows: 10})
	for _, d := range shuffled(100) {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Close: %v", err)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("com,example)/", "title", "text", "<p>", 7)
	f.Add("\x00\xff", "\xff", "\xc3", "", -1)
	f.Fuzz(func(t *testing.T, surt, title, text, html string, n int) {
		d := &schemas.Document{SURT: surt, Title: title, Text: text, MainHTML: html, LinksInternal: &n}
		record, err := appendRecord(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseRecord(record)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*string{&d.SURT, &d.Title, &d.Text, &d.MainHTML} {
			*s = string([]rune(*s))
		}
		if diff := cmp.Diff(d, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		for i := range record {
			if _, err := parseRecord(record[:i]); err == nil {
				t.Fatalf("the first %d of %d bytes are taken for a record", i, len(record))
			}
		}
	})
}

// checksPointers is set under the race detector.
var checksPointers bool

func TestRead_damage(t *testing.T) {
	if checksPointers {
		t.Skip("parquet-go's unsafe pointers in damaged files end a process that checks them")
	}
	file := write(t, Options{}, []*schemas.Document{schematest.Full(t)})
	rnd := rand.New(rand.NewPCG(3, 4))
	failed := 0
	for range 300 {
		damaged := slices.Clone(file)
		damaged[rnd.IntN(len(damaged))] ^= byte(1 + rnd.IntN(255))
		for _, err := range Read(bytes.NewReader(damaged), int64(len(damaged))) {
			if err != nil {
				failed++
			}
		}
	}
	if failed < 30 {
		t.Errorf("%d of 300 damaged files are reported, want 30 at least", failed)
	}
	for _, n := range []int{0, 3, 12, len(file) - 1} {
		for _, err := range Read(bytes.NewReader(file[:n]), int64(n)) {
			if err == nil {
				t.Errorf("a document in the first %d bytes", n)
			}
		}
	}
}
