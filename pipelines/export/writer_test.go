package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// odd are documents whose values have all that breaks tables, lines and records.
func odd() []*schemas.Document {
	return []*schemas.Document{
		{
			URL: "http://a.example/?b=1&c=2", Title: `a "title", <b>`, Status: 200, Text: "one\ntwo",
			Timestamp: "2026-01-02T03:04:05Z",
		},
		{URL: "http://b.example/x y\nz", Title: "=HYPERLINK(1)", Language: "de", Tags: []string{"x", "y,z"}},
		{URL: "", Title: "\u202e\x1b[31mred\x00", Text: "a text without a URL"},
		{
			URL: "http://c.example/", Title: "two\r\nlines", Text: strings.Repeat("word ", 2000),
			Custom: map[string][]string{"a": {"1"}},
		},
		{URL: "http://d.example/", Title: "not \xff UTF-8", Text: "text"},
	}
}

func listed(list []*schemas.Document, end error) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for _, d := range list {
			if !yield(d, nil) {
				return
			}
		}
		if end != nil {
			yield(nil, end)
		}
	}
}

// written returns the documents in a format.
func written(t *testing.T, e Exporter, list []*schemas.Document) string {
	t.Helper()
	var b bytes.Buffer
	missing, err := e.Write(t.Context(), func([]string) iter.Seq2[*schemas.Document, error] { return listed(list, nil) },
		&b)
	if missing || err != nil {
		t.Fatalf("%s: %v, %v", e.Format, missing, err)
	}
	return b.String()
}

// TestExporter_lines: whole documents are read as they were; chosen fields have their order, and missing ones are left
// out.
func TestExporter_lines(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(written(t, Exporter{Format: FormatJSONL}, odd()), "\n"), "\n")
	if len(lines) != len(odd()) {
		t.Fatalf("%d lines of %d documents", len(lines), len(odd()))
	}
	for i, want := range odd() {
		var got schemas.Document
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || got.URL != want.URL ||
			got.Title != strings.ToValidUTF8(want.Title, "\uFFFD") || got.Text != want.Text {
			t.Errorf("line %d: %v, %s", i, err, lines[i])
		}
	}
	got := written(t, Exporter{Format: FormatJSONL, Columns: []string{"title", "tags", "status", "url"}}, odd()[:2])
	want := `{"title":"a \"title\", <b>","status":200,"url":"http://a.example/?b=1&c=2"}` + "\n" +
		`{"title":"=HYPERLINK(1)","tags":["x","y,z"],"url":"http://b.example/x y\nz"}` + "\n"
	if got != want {
		t.Errorf("chosen fields:\n%s\nwant\n%s", got, want)
	}
	if got := written(t, Exporter{Columns: []string{"status"}}, odd()[1:2]); got != "{}\n" {
		t.Errorf("without the chosen field: %q", got)
	}
}

// TestExporter_table: a table has the same cells in each row, lines end in CRLF, and no cell is a formula.
func TestExporter_table(t *testing.T) {
	text := written(t, Exporter{Format: FormatCSV, Columns: []string{"url", "title", "tags", "status"}}, odd())
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 1+len(odd()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	if rows[1][3] != "200" || rows[2][2] != `["x","y,z"]` || rows[2][3] != "" {
		t.Errorf("the cells are %q", rows)
	}
	if rows, err := csv.NewReader(strings.NewReader(written(t, Exporter{Format: FormatCSV}, nil))).ReadAll(); err != nil ||
		len(rows) != 1 {
		t.Errorf("without documents: %q, %v", rows, err)
	}
}

// TestExporter_urls: each document is one line, whatever its URL has.
func TestExporter_urls(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(written(t, Exporter{Format: FormatURLs}, odd()), "\n"), "\n")
	want := []string{
		"http://a.example/?b=1&c=2", "http://b.example/x%20y%0Az", "", "http://c.example/",
		"http://d.example/",
	}
	if strings.Join(lines, "|") != strings.Join(want, "|") {
		t.Errorf("lines %q, want %q", lines, want)
	}
}

// TestExporter_texts: documents with a URL and a text become WARC records of texts; others are left out.
func TestExporter_texts(t *testing.T) {
	text := written(t, Exporter{Format: FormatWET}, odd())
	if n := strings.Count(text, "\x1f\x8b\x08"); n < 4 {
		t.Errorf("%d members, want a head and three records", n)
	}
}

// TestExporter_textsID: the id of a file is that of no file that begins otherwise, and is the same each time.
func TestExporter_textsID(t *testing.T) {
	seen := map[string]int{}
	for i, change := range []func(d *schemas.Document){
		func(*schemas.Document) {}, func(d *schemas.Document) { d.URL += "b" },
		func(d *schemas.Document) { d.Timestamp = "2020" },
		func(d *schemas.Document) { d.Offset++ }, func(d *schemas.Document) { d.Filename = "b.warc" },
		func(d *schemas.Document) { d.Text = "" },
	} {
		d := schemas.Document{URL: "http://a/", Timestamp: "2021-01-01T00:00:00Z", Filename: "a.warc", Text: "text"}
		change(&d)
		for range 2 {
			text := written(t, Exporter{Format: FormatWET}, []*schemas.Document{&d})
			z, err := gzip.NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(z)
			_, id, _ := strings.Cut(string(b), "WARC-Record-ID: ")
			id, _, _ = strings.Cut(id, "\r\n")
			if before, is := seen[id]; err != nil || id == "" || is && before != i {
				t.Errorf("file %d has the id %q of file %d: %v", i, id, before, err)
			}
			seen[id] = i
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d ids of 6 files: %v", len(seen), seen)
	}
}

// TestExporter_terminal: what pages say does not reach the terminal as commands, and a long cell is cut.
func TestExporter_terminal(t *testing.T) {
	text := written(t, Exporter{Format: FormatTable, Columns: []string{"title", "url"}}, odd())
	if strings.ContainsAny(text, "\x1b\x00\u202e\r") || strings.Count(text, "\n") != 1+len(odd()) {
		t.Errorf("the terminal gets %q", text)
	}
}

// TestExporter_broken: an error of the answer or of the output ends each format.
func TestExporter_broken(t *testing.T) {
	errRead := errors.New("read")
	for _, format := range []string{
		FormatJSONL, FormatCSV, FormatURLs, FormatParquet, FormatArrow, FormatWET,
		FormatTable,
	} {
		e := Exporter{Format: format}
		if format == FormatArrow {
			e.Columns = []string{"url"}
		}
		_, err := e.Write(t.Context(), func([]string) iter.Seq2[*schemas.Document, error] {
			return listed(odd()[:1], errRead)
		}, io.Discard)
		if !errors.Is(err, errRead) {
			t.Errorf("%s: %v, want the error of the answer", format, err)
		}
		_, err = e.Write(t.Context(), func([]string) iter.Seq2[*schemas.Document, error] { return listed(odd(), nil) },
			full{})
		if !errors.Is(err, errFull) {
			t.Errorf("%s to a full disk: %v", format, err)
		}
	}
}

var errFull = errors.New("no room")

// full takes no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestGrid_wide: a cell may be wider than its column, also on the right.
func TestGrid_wide(t *testing.T) {
	for _, right := range []int{-1, 0, 1} {
		for _, total := range []int{0, 1, 20, 500} {
			g := NewGrid([]string{"name", "n"})
			g.Right = right
			g.Add([]string{strings.Repeat("a", 100), strings.Repeat("9", 100)})
			g.Add([]string{"", ""})
			var b strings.Builder
			if err := g.Print(&b, total); err != nil || strings.Count(b.String(), "\n") != 3 {
				t.Errorf("right %d of %d: %q, %v", right, total, b.String(), err)
			}
			if total == 0 && (!strings.Contains(b.String(), strings.Repeat("9", 100)) ||
				!strings.Contains(b.String(), strings.Repeat("a", 100))) {
				t.Errorf("right %d: a cell is cut in a file", right)
			}
		}
	}
}

// TestOneRecord: bytes are copied only if they are exactly the record of the document.
func TestOneRecord(t *testing.T) {
	const head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a/>\r\nWARC-Record-ID: <urn:1>\r\n"
	d := &schemas.Document{URL: "http://a/", RecordID: "urn:1"}
	for _, tt := range []struct {
		name, data string
		one        bool
		err        error
	}{
		{"the record", head + "Content-Length: 4\r\n\r\nbody\r\n\r\n", true, nil},
		{"an empty one", head + "Content-Length: 0\r\n\r\n\r\n\r\n", true, nil},
		{"lower case", strings.ToLower(head[:10]) + head[10:], false, nil},
		{"names in lower case", "WARC/1.1\r\nwarc-target-uri:http://a/\r\nwarc-record-id:<urn:1>\r\ncontent-length:4\r\n" +
			"\r\nbody\r\n\r\n", true, nil},
		{"bare line ends", strings.ReplaceAll(head, "\r", "") + "Content-Length: 4\n\nbody\r\n\r\n", true, nil},
		{"too short", head + "Content-Length: 5\r\n\r\nbody\r\n\r\n", false, nil},
		{"too long", head + "Content-Length: 3\r\n\r\nbody\r\n\r\n", false, nil},
		{"two records", head + "Content-Length: 4\r\n\r\nbody\r\n\r\n" + head, false, nil},
		{"without the line ends", head + "Content-Length: 4\r\n\r\nbody", false, nil},
		{"no length", head + "\r\nbody\r\n\r\n", false, nil},
		{"a negative length", head + "Content-Length: -4\r\n\r\n\r\n\r\n", false, nil},
		{"a length beyond 64 bits", head + "Content-Length: 99999999999999999999\r\n\r\n", false, nil},
		{"the greatest length", head + "Content-Length: 9223372036854775807\r\n\r\nbody\r\n\r\n", false, nil},
		{"two lengths, the first counts", head + "Content-Length: 4\r\nContent-Length: 9\r\n\r\nbody\r\n\r\n", true, nil},
		{"another page", strings.Replace(head, "//a/", "//b/", 1) + "Content-Length: 0\r\n\r\n\r\n\r\n", false, nil},
		{"another record", strings.Replace(head, "urn:1", "urn:2", 1) + "Content-Length: 0\r\n\r\n\r\n\r\n", false, nil},
		{"a segment", head + "WARC-Segment-Number: 1\r\nContent-Length: 0\r\n\r\n\r\n\r\n", false, errSegment},
		{"not a record", "HTTP/1.1 200 OK\r\n\r\n", false, nil},
		{"nothing", "", false, nil},
		{"a line without a colon", head + "nothing\r\nContent-Length: 0\r\n\r\n\r\n\r\n", false, nil},
		{"a long line", head + "X: " + strings.Repeat("x", maxHead) + "\r\nContent-Length: 0\r\n\r\n\r\n\r\n", false, nil},
		{"an endless head", head + strings.Repeat("X: y\r\n", 5000) + "Content-Length: 0\r\n\r\n\r\n\r\n", true, nil},
	} {
		one, err := oneRecord(strings.NewReader(tt.data), d)
		if one != tt.one || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, one, err, tt.one, tt.err)
		}
	}
}

// TestExporter_parquetColumns: a Parquet file of chosen columns has these in their order, and no others.
func TestExporter_parquetColumns(t *testing.T) {
	list := []*schemas.Document{
		{URL: "http://a.example/", Status: 200, Tags: []string{"x", "y"}, Published: "2026-03-01", Title: "left out"},
		{URL: "http://b.example/"},
	}
	text := written(t, Exporter{Format: FormatParquet, Columns: []string{"tags", "url", "published", "status"}}, list)
	f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range f.Root().Columns() {
		names = append(names, c.Name())
	}
	if got := strings.Join(names, " "); got != "tags url published published_text status" || f.NumRows() != 2 {
		t.Errorf("%d rows of %s", f.NumRows(), got)
	}
	if strings.Contains(text, "left out") || !strings.Contains(text, "http://b.example/") {
		t.Error("the file has other columns")
	}
	// A column that is named twice, or has another name, is an error before the first byte.
	for _, columns := range [][]string{{"url", "url"}, {"uri"}} {
		if _, err := (Exporter{Format: FormatParquet, Columns: columns}).NewWriter(t.Context(), io.Discard); err == nil {
			t.Errorf("%v: no error", columns)
		}
	}
}
