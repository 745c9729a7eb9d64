package tagger

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// labels are names found on real pages, each judged as right or wrong.
//
//go:embed testdata/names.tsv
var labels string

// itemLabels are a hundred names that TagItems found, judged in the same way.
//
//go:embed testdata/items.tsv
var itemLabels string

// A judged is a name that was found on a page.
type judged struct {
	page, kind, name string
	right            bool
}

func readLabels(t *testing.T, labels string) (all []judged) {
	t.Helper()
	for line := range strings.Lines(labels) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' || f[0] == "page" {
			continue
		}
		if len(f) != 4 || f[3] != "yes" && f[3] != "no" {
			t.Fatalf("testdata: %q is not page, type, name and yes or no", line)
		}
		all = append(all, judged{f[0], f[1], f[2], f[3] == "yes"})
	}
	return all
}

// Confidence must also be meaningful on pages of products, lists and forums, which the labelled corpora do not have.
// More confident names must be right more often. Run it with -v for the table in docs/names.md.
func TestTagger_Tag_confidenceOnLabelledPages(t *testing.T) {
	tagger := New(Options{MinConfidence: -1})
	type score struct{ right, found int }
	scores := map[int]score{}
	found := map[judged]float64{}
	read := map[string]bool{}
	for _, l := range readLabels(t, labels) {
		if !read[l.page] {
			read[l.page] = true
			text := labelledPage(t, l.page)
			for _, m := range tagger.Tag(text, "en", nil) {
				at := judged{page: l.page, kind: m.Type, name: text[m.Start:m.End]}
				found[at] = max(found[at], m.Confidence)
			}
		}
		for percent := 40; percent <= 90; percent += 10 {
			if found[judged{l.page, l.kind, l.name, false}] < float64(percent)/100 {
				continue
			}
			s := scores[percent]
			s.found++
			if l.right {
				s.right++
			}
			scores[percent] = s
		}
	}
	for percent := 40; percent <= 90; percent += 10 {
		s := scores[percent]
		t.Logf("confidence .%d: %d of %d right, %.2f", percent, s.right, s.found, float64(s.right)/float64(max(1, s.found)))
	}
	sure, all := scores[80], scores[40]
	if sure.found < 40 || sure.right*all.found < all.right*sure.found*5/4 || sure.right*10 < sure.found*7 {
		t.Errorf("from .80 on %d of %d are right, want 40 names, seven of ten of them right, and a quarter more than of "+
			"all (%d of %d)",
			sure.right, sure.found, all.right, all.found)
	}
}

// On such pages, four of five names that TagItems keeps at the default threshold are right, and it keeps half of all
// right ones. Its constants were fitted on these names; docs/names.md has the figures of folds.
func TestTagger_TagItems_labelledPages(t *testing.T) {
	tagger := New(Options{})
	found := map[judged]bool{}
	read := map[string]bool{}
	right, wrong, all := 0, 0, 0
	for _, l := range readLabels(t, labels) {
		if !read[l.page] {
			read[l.page] = true
			text := labelledPage(t, l.page)
			for _, m := range tagger.TagItems(text, "en", nil) {
				found[judged{page: l.page, kind: m.Type, name: text[m.Start:m.End]}] = true
			}
		}
		switch isFound := found[judged{l.page, l.kind, l.name, false}]; {
		case isFound && l.right:
			right++
		case isFound:
			wrong++
		}
		if l.right {
			all++
		}
	}
	t.Logf("%d of %d right, of %d", right, right+wrong, all)
	if right*10 < (right+wrong)*8 || right*2 < all {
		t.Errorf("%d of %d found are right, of %d right ones; want .80 of those found, and half of the right ones",
			right, right+wrong, all)
	}
}

// On such pages, which its constants were not fitted on, four of five of its names are right.
func TestTagger_TagItems_drawnNames(t *testing.T) {
	tagger := New(Options{})
	right, found := 0, 0
	for _, l := range readLabels(t, itemLabels) {
		text := labelledPage(t, l.page)
		for _, m := range tagger.TagItems(text, "en", nil) {
			if m.Type == l.kind && text[m.Start:m.End] == l.name {
				found++
				if l.right {
					right++
				}
				break
			}
		}
	}
	t.Logf("%d of %d right", right, found)
	if found < 95 || right*10 < found*8 {
		t.Errorf("%d of %d found are right, want 95 of the hundred found, and .80 of them right", right, found)
	}
}

// A short line has fewer than eight words, with any lines around it, or is a text by itself.
func TestIsShort(t *testing.T) {
	long := strings.Repeat("word ", 400)
	for _, test := range []struct {
		name, before, after string
		want                bool
	}{
		{"alone", "", "", true},
		{"six others", "one two three ", " four five six", true},
		{"seven others", "one two three ", " four five six seven", false},
		{"between long lines", long + "\n", "\n" + long, true},
		{"behind much", long, "", false},
		{"before much", "", " " + long, false},
	} {
		text := test.before + "Ann" + test.after
		if got := isShort(text, len(test.before), len(test.before)+3); got != test.want {
			t.Errorf("%s: isShort = %v, want %v", test.name, got, test.want)
		}
	}
}

// labelledPage returns the main text of a page of the development part.
func labelledPage(t *testing.T, id string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../shared/corpora/maintext/wcxb-dev/ground-truth", id+".json"))
	if err != nil {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	var page struct {
		Truth struct {
			Content string `json:"main_content"`
		} `json:"ground_truth"`
	}
	if err := json.Unmarshal(data, &page); err != nil {
		t.Fatal(err)
	}
	return page.Truth.Content
}
