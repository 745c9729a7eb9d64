package convert

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// Beam uses -update.
var rewrite = flag.Bool("rewrite", false, "convert all pages, and rewrite the matrix in docs/formats.md")

const (
	matrixPage  = "../../../docs/formats.md"
	matrixBegin = "<!-- matrix: written by go test ./pipelines/command/convert -run Matrix -rewrite -->\n"
	matrixEnd   = "<!-- end of matrix -->\n"
)

// kept are the fields that round trips are checked for.
var kept = []struct {
	name string
	of   func(*schemas.Capture) any
}{
	{"URL", func(c *schemas.Capture) any { return c.URL }},
	{"time", func(c *schemas.Capture) any { return max(c.Timestamp.Unix(), 0) }},
	{"status", func(c *schemas.Capture) any { return c.Status }},
	{"header", func(c *schemas.Capture) any { return c.Header }},
	{"body", func(c *schemas.Capture) any { return string(c.Body) }},
}

// TestMatrix converts pages from each format to each other one and back, and compares the results with the originals.
// The results for 300 real pages are in docs/formats.md, written with -rewrite, which takes minutes. Without it,
// there are fewer pages, and each pair must keep at least the documented fields.
func TestMatrix(t *testing.T) {
	source := archiveOf(t, matrixPages(t))
	outputs := archive.Outputs()
	table := [][]string{append([]string{"from, and back to", "holds"}, outputs...)}
	for _, from := range outputs {
		first := to(t, source, from)
		before := read(t, first)
		row := []string{"**" + from + "**", keeps(before, read(t, source))}
		for _, through := range outputs {
			there := to(t, first, through)
			back := to(t, there, from)
			row = append(row, keeps(read(t, back), before))
			remove(t, there, back)
		}
		table = append(table, row)
	}
	compare(t, table)
}

// matrixPages returns real pages and generated ones. The latter have other statuses and repeated header fields.
func matrixPages(t *testing.T) []*schemas.Capture {
	t.Helper()
	n := 60
	if *rewrite {
		n = 300
	}
	if list := benchPages(t, n); len(list) == n {
		return append(list, pages(30)...)
	}
	if *rewrite {
		t.Fatalf("there are not %d pages in %s, of which the matrix is made", n, wcxb)
	}
	return pages(90)
}

// compare checks that each pair in the table keeps the fields in the documentation, or writes the table there.
func compare(t *testing.T, table [][]string) {
	page, err := os.ReadFile(matrixPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), matrixBegin)
	said, after, ok := strings.Cut(rest, matrixEnd)
	if !ok {
		t.Fatalf("%s has no marks for the matrix", matrixPage)
	}
	if *rewrite {
		if err := os.WriteFile(matrixPage, []byte(before+matrixBegin+markdown(table)+matrixEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old := parseTable(said)
	if len(old) != len(table) || !slices.Equal(old[0], table[0]) {
		t.Fatalf("the matrix in %s is of other formats; run with -rewrite. It begins with %q, want %q", matrixPage, old[0],
			table[0])
	}
	for i, row := range table[1:] {
		for j := 1; j < len(row); j++ {
			if lost := losses(old[i+1][j], row[j]); len(lost) > 0 {
				t.Errorf("%s, column %s: %q is kept; %s says %q", row[0], table[0][j], row[j], matrixPage, old[i+1][j])
			}
		}
	}
}

// losses names the fields in the cell said that are not in the cell is.
func losses(said, is string) (lost []string) {
	if is == "all" || said == "nothing" {
		return nil
	}
	kept := strings.Split(is, ", ")
	for field := range strings.SplitSeq(said, ", ") {
		if !slices.Contains(kept, field) && !(field == endedBody && slices.Contains(kept, "body")) {
			lost = append(lost, field)
		}
	}
	return lost
}

func markdown(table [][]string) string {
	var b strings.Builder
	for i, row := range table {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
	return b.String()
}

// parseTable parses a table of markdown.
func parseTable(text string) (table [][]string) {
	for line := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(strings.TrimSuffix(line, " |\n"), "| "); ok {
			table = append(table, strings.Split(row, " | "))
		}
	}
	return table
}

// endedBody marks a pair that adds a line end to some bodies.
const endedBody = "body and a line end"

// keeps names the fields that are unchanged in all pages. It omits fields that no page had before.
func keeps(after, before map[string]*schemas.Capture) string {
	if len(after) == 0 {
		return "nothing"
	}
	if len(after) != len(before) {
		return fmt.Sprintf("%d of %d pages", len(after), len(before))
	}
	var list []string
	held := 0
	for _, field := range kept {
		if !isHeld(before, field.of) {
			continue
		}
		held++
		switch {
		case equal(after, before, field.of):
			list = append(list, field.name)
		case field.name == "body" && equal(after, before,
			func(c *schemas.Capture) any { return strings.TrimSuffix(string(c.Body), "\n") }):
			list = append(list, endedBody)
			held++ // but not all
		}
	}
	if len(list) == held {
		return "all"
	}
	return strings.Join(list, ", ")
}

// isHeld reports whether of returns a value for some page.
func isHeld(pages map[string]*schemas.Capture, of func(*schemas.Capture) any) bool {
	for _, c := range pages {
		if !reflect.ValueOf(of(c)).IsZero() {
			return true
		}
	}
	return false
}

// equal reports whether of returns the same value before and after, for all pages.
func equal(after, before map[string]*schemas.Capture, of func(*schemas.Capture) any) bool {
	for url, was := range before {
		if is, there := after[url]; !there || !reflect.DeepEqual(of(is), of(was)) {
			return false
		}
	}
	return true
}

// to converts the archives in dir in this process without Beam, and returns the folder of the format's files.
func to(t *testing.T, dir, format string) string {
	t.Helper()
	if isAbsent(dir) {
		return dir
	}
	o := Options{
		Output: filepath.Join(t.TempDir(), "out"), To: []conversion.Target{{Format: format}}, MaxBody: 32 << 20,
		MaxHead: 1 << 20, MaxRatio: 1000,
	}
	ctx := context.Background()
	fn := &converter{store: blob.New(blob.Options{})}
	defer closing(t, fn.store)
	in, err := work.Find(ctx, fn.store, []string{dir}, nil, work.FindOptions{UnitSize: 512 << 10, Output: o.Output})
	if err != nil {
		t.Fatal(err)
	}
	o.Units = len(in.Units)
	tasks := planned(in, &o)
	fn.o = o
	f := folder.Open(ctx, o.Output, nil)
	out, err := conversion.Open(f, conversion.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer closing(t, out)
	var rows []conversion.Row
	for _, task := range tasks {
		row, err := fn.convert(ctx, task)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	m, err := conversion.Finish(ctx, f, rows, o.run())
	refused := m.Totals.ByReject[string(schemas.KindRefused)] // for example, a page without a time, in a format of days
	if err != nil || m.Totals.Rejects > refused || m.Totals.BytesLost > 0 {
		t.Fatalf("%s from %s: %v, %v", format, dir, m.Totals.ByReject, err)
	}
	return filepath.Join(o.Output, format)
}

// remove removes the output of conversions.
func remove(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
	}
}

// isAbsent reports whether a conversion has written nothing.
func isAbsent(dir string) bool {
	_, err := os.Stat(dir)
	return os.IsNotExist(err)
}

// read returns the captures of a folder by URL.
func read(t *testing.T, dir string) map[string]*schemas.Capture {
	t.Helper()
	if isAbsent(dir) {
		return nil
	}
	store := blob.New(blob.Options{})
	defer store.Close()
	in, err := work.Find(t.Context(), store, []string{dir}, nil, work.FindOptions{UnitSize: 64 << 20, Output: dir +
		"-none"})
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]*schemas.Capture{}
	for _, u := range in.Units {
		for c, err := range work.NewReader(store, u, archive.Options{}).Captures(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			pages[c.URL] = c
		}
	}
	return pages
}

// TestLosses: losses returns exactly the missing fields.
func TestLosses(t *testing.T) {
	for _, tt := range []struct{ said, is, want string }{
		{"all", "all", ""},
		{"nothing", "URL", ""},
		{"URL, body", "all", ""},
		{"URL", "URL, time", ""},
		{"URL, time, body", "URL, body", "time"},
		{"all", "URL, body", "all"},
		{"URL", "nothing", "URL"},
		{"URL", "29 of 30 pages", "URL"},
		{"URL, " + endedBody, "URL, body", ""},
		{"URL, body", "URL, " + endedBody, "body"},
	} {
		if got := strings.Join(losses(tt.said, tt.is), ", "); got != tt.want {
			t.Errorf("losses(%q, %q) = %q, want %q", tt.said, tt.is, got, tt.want)
		}
	}
	table := [][]string{{"from", "holds"}, {"**a**", "URL, body"}}
	if got := parseTable(markdown(table)); !reflect.DeepEqual(got, table) {
		t.Errorf("parseTable(markdown(%q)) = %q", table, got)
	}
}
