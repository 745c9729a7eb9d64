package enrich

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestEnrich_authorsOfThreads counts right authors of the labelled pages that pagemeta is measured on, with those of
// the first posts of threads.
func TestEnrich_authorsOfThreads(t *testing.T) {
	const wcxb = "../../../shared/corpora/maintext/wcxb-dev/"
	names, err := filepath.Glob(wcxb + "ground-truth/*.json")
	if err != nil || len(names) == 0 || testing.Short() {
		t.Skip("no ../shared/corpora/maintext beside the checkout, or -short; ", err)
	}
	e := mustNew(t, Options{Extract: []string{"metadata"}})
	var right, wrong, missed, extra int
	for _, name := range names {
		want, c := labelledPage(t, wcxb, name)
		authors := e.Enrich(c, Extra{}).Document.Authors
		switch {
		case want == "" && len(authors) > 0:
			extra++
		case want == "":
		case len(authors) == 0:
			missed++
		case strings.Contains(spaced(authors[0]), spaced(want)) || strings.Contains(spaced(want), spaced(authors[0])):
			right++
		default:
			wrong++
		}
	}
	t.Logf("%d right, %d wrong, %d missed, %d extra of %d pages", right, wrong, missed, extra, len(names))
	if right < 605 || wrong > 40 || extra > 90 {
		t.Errorf("want at least 605 right, and at most 40 wrong and 90 extra")
	}
}

// labelledPage reads the author of a label, and the page as a capture.
func labelledPage(t *testing.T, dir, name string) (author string, c *schemas.Capture) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var label struct {
		URL   string                  `json:"url"`
		Truth struct{ Author string } `json:"ground_truth"`
	}
	if err := json.Unmarshal(b, &label); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(dir + "html/" + strings.TrimSuffix(filepath.Base(name), ".json") + ".html.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	c = capture(string(html), "text/html")
	c.URL = label.URL
	return label.Truth.Author, c
}

// spaced returns the words of s in lower case between spaces.
func spaced(s string) string {
	notInWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), notInWord), " ") + " "
}
