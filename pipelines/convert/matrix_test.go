package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/conversion"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/schemas"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the matrix in docs/formats.md") // Beam has taken -update

const (
	matrixPage  = "../../docs/formats.md"
	matrixBegin = "<!-- matrix: written by go test ./pipelines/convert -run Matrix -rewrite -->\n"
	matrixEnd   = "<!-- end of matrix -->\n"
)

// kept are the fields that a round trip is looked at for.
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

// TestMatrix takes 300 pages from each format to each other one and back, and compares what comes back with what was
// there. What each pair keeps is in docs/formats.md.
func TestMatrix(t *testing.T) {
	source := archive(t, pages(300))
	var b strings.Builder
	outputs := capture.Outputs()
	fmt.Fprintf(&b, "| from, and back to | holds | %s |\n|---|---|%s\n", strings.Join(outputs, " | "), strings.Repeat("---|", len(outputs)))
	for _, from := range outputs {
		first := to(t, source, from)
		before := read(t, first)
		fmt.Fprintf(&b, "| **%s** | %s |", from, keeps(before, read(t, source)))
		for _, through := range outputs {
			after := read(t, to(t, to(t, first, through), from))
			fmt.Fprintf(&b, " %s |", keeps(after, before))
		}
		b.WriteString("\n")
	}
	compare(t, b.String())
}

// compare compares the matrix with the one in the page, or writes it there.
func compare(t *testing.T, matrix string) {
	page, err := os.ReadFile(matrixPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), matrixBegin)
	old, after, ok := strings.Cut(rest, matrixEnd)
	if !ok {
		t.Fatalf("%s has no marks for the matrix", matrixPage)
	}
	if *rewrite {
		if err := os.WriteFile(matrixPage, []byte(before+matrixBegin+matrix+matrixEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != matrix {
		t.Errorf("%s has another matrix; look at it, and run with -rewrite. It is\n%s", matrixPage, matrix)
	}
}

// keeps names the fields that all pages have as they had them before; what no page had before is left out.
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
		same, had := true, false
		for url, was := range before {
			value := field.of(was)
			had = had || !reflect.ValueOf(value).IsZero()
			is, there := after[url]
			same = same && there && reflect.DeepEqual(field.of(is), value)
		}
		if had {
			held++
		}
		if had && same {
			list = append(list, field.name)
		}
	}
	if len(list) == held {
		return "all"
	}
	return strings.Join(list, ", ")
}

// to converts what is in dir, in this process and without Beam, and returns the folder of the format's files.
func to(t *testing.T, dir, format string) string {
	t.Helper()
	if isAbsent(dir) {
		return dir
	}
	o := Options{Output: filepath.Join(t.TempDir(), "out"), To: []conversion.Target{{Format: format}}, MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000}
	ctx := context.Background()
	fn := &unitFn{}
	fn.Setup()
	defer closing(t, fn.store)
	in, err := unit.Find(ctx, fn.store, []string{dir}, nil, unit.FindOptions{UnitSize: 256 << 10, Output: o.Output})
	if err != nil {
		t.Fatal(err)
	}
	o.Units = len(in.Units)
	tasks := plan(in, &o)
	fn.Options = o
	out, err := conversion.Open(ctx, o.Output, false)
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
	m, err := conversion.Finish(ctx, o.Output, rows, o.run())
	refused := m.Totals.ByReject[string(schemas.KindRefused)] // a page without a time, say, by a format of days
	if err != nil || m.Totals.Rejects > refused || m.Totals.BytesLost > 0 {
		t.Fatalf("%s from %s: %v, %v", format, dir, m.Totals.ByReject, err)
	}
	return filepath.Join(o.Output, format)
}

// isAbsent tells whether a conversion has written nothing.
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
	in, err := unit.Find(t.Context(), store, []string{dir}, nil, unit.FindOptions{UnitSize: 64 << 20, Output: dir + "-none"})
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]*schemas.Capture{}
	for _, u := range in.Units {
		for c, err := range unit.NewReader(store, u, capture.Options{}).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			pages[c.URL] = c
		}
	}
	return pages
}
