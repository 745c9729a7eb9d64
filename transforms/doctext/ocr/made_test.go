package ocr_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/ocr"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

var made = flag.String("made", "", "folder that .tools/pdfs/make.py has filled")

// TestNeeds_made compares the answers for PDFs of known make with how they were made.
func TestNeeds_made(t *testing.T) {
	if *made == "" {
		t.Skip("no -made: python3 .tools/pdfs/make.py makes the files")
	}
	var lists []byte
	names, err := filepath.Glob(filepath.Join(*made, "truth-*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatal("no truth-*.jsonl", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, b...)
	}
	files, right, pages, pagesRight := 0, 0, 0, 0
	for line := range bytes.Lines(lists) {
		var truth struct {
			File, Kind string
			Pages      []ocr.Need
		}
		if err := json.Unmarshal(line, &truth); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(filepath.Join(*made, truth.File))
		if err != nil {
			t.Fatal(err)
		}
		d, err := pdf.Read(body, doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ocr.Needs(d.Text, d.PageMarks)
		files++
		same := any(got) == any(truth.Pages)
		if same {
			right++
		} else {
			t.Logf("%s: %q, want %q", truth.File, got, truth.Pages)
		}
		for i := range got {
			pages++
			if i < len(truth.Pages) && got[i] == truth.Pages[i] {
				pagesRight++
			}
		}
		if *verbose {
			for i, page := range strings.Split(d.Text, "\f") {
				t.Logf("%s %d %+v %+v", truth.File, i, d.PageMarks[i], langid.FluencyOf(page))
			}
		}
	}
	t.Logf("%d of %d files right (%.3f), %d of %d pages with the right reason", right, files,
		float64(right)/float64(files), pagesRight, pages)
}

func any(needs []ocr.Need) bool {
	return slices.ContainsFunc(needs, func(n ocr.Need) bool { return n != ocr.None })
}

var verbose = flag.Bool("marks", false, "log what is drawn on each page")
