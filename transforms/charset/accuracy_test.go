package charset_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	netcharset "golang.org/x/net/html/charset"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// score counts how many pages of one row are decoded correctly, by us and by golang.org/x/net/html/charset.
type score struct{ all, ours, theirs int }

// TestDetect_labelledPages compares the number of correctly decoded pages with minimums. It prints a table of both
// halves. Choices in this package were made on the development half.
func TestDetect_labelledPages(t *testing.T) {
	scores := map[string]*[2]score{}
	for _, p := range labelledPages(t) {
		r := charset.Detect(p.body, p.contentType, charset.Options{})
		ours := decode(t, p.body, r.Name) == p.text
		_, name, _ := netcharset.DetermineEncoding(p.body, p.contentType)
		theirs := decode(t, p.body, name) == p.text
		family := "legacy"
		if strings.HasPrefix(p.row, "utf-8") {
			family = "UTF-8"
		}
		for _, key := range []string{p.row, "declaration: " + p.trial, "total", "total, " + family} {
			if scores[key] == nil {
				scores[key] = &[2]score{}
			}
			scores[key][index(p.report)].count(ours, theirs)
		}
		if !ours && !p.report {
			t.Logf("%s (%s) taken for %s (%s): %.200q", p.row, p.trial, r.Name, r.Basis, high(p.text))
		}
	}
	t.Log(table(scores))
	for i, half := range []string{"development", "report"} {
		total, utf8 := scores["total"][i], scores["total, UTF-8"][i]
		if total.all < 360 || utf8.all < 60 {
			t.Errorf("%s: %d pages, %d of them UTF-8, want at least 360 and 60", half, total.all, utf8.all)
		}
		if share := float64(total.ours) / float64(total.all); share < 0.98 {
			t.Errorf("%s: %.4f of the pages are read right, want at least 0.98", half, share)
		}
		if utf8.ours < utf8.all {
			t.Errorf("%s: %d pages in UTF-8 are misread", half, utf8.all-utf8.ours)
		}
	}
}

func (s *score) count(ours, theirs bool) {
	s.all++
	s.ours += index(ours)
	s.theirs += index(theirs)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// high returns the words of text with characters above ASCII.
func high(text string) string {
	words := slices.DeleteFunc(strings.Fields(text), func(w string) bool { return !strings.ContainsFunc(w, isHigh) })
	return strings.Join(words, " ")
}

func table(scores map[string]*[2]score) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ndevelopment: pages\tright\tx/net\treport: pages\tright\tx/net\t\t")
	for _, key := range slices.Sorted(maps.Keys(scores)) {
		dev, report := scores[key][0], scores[key][1]
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t\t%s\n", dev.all, dev.ours, dev.theirs, report.all, report.ours,
			report.theirs, key)
	}
	_ = w.Flush() // it writes into memory
	return b.String()
}
