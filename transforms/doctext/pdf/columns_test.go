package pdf_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
)

var ordered = flag.String("ordered", "", "folder of PDF files with texts in order, as .tools/pdfs/columns.py makes")

const (
	// fewMatches is how many places of the body a page must have to be scored.
	fewMatches = 30
	// rightShare is the share of these that must be in order.
	rightShare = 0.98
)

// TestRead_order compares the order of text in columns with the order in which it was written. Words in threes that
// occur once in the body are places; they must come in order.
func TestRead_order(t *testing.T) {
	if *ordered == "" {
		t.Skip("no -ordered: .tools/pdfs/columns.py makes the files")
	}
	pages, right := map[string]int{}, map[string]int{}
	for _, name := range find(t, *ordered, ".pdf") {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := os.ReadFile(strings.TrimSuffix(name, ".pdf") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := pdf.Read(body, doctext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		places := placesOf(string(truth))
		kind := strings.TrimRight(strings.TrimSuffix(filepath.Base(name), ".pdf"), "0123456789")
		if _, made, found := strings.Cut(kind, "-"); found && kind[0] >= '0' && kind[0] <= '9' {
			kind = made
		} else {
			kind = "found"
		}
		for i, page := range strings.Split(doc.Text, "\f") {
			found := matches(page, places)
			if len(found) < fewMatches {
				continue
			}
			pages[kind]++
			if share := float64(longestRise(found)) / float64(len(found)); share >= rightShare {
				right[kind]++
			} else {
				t.Logf("%s page %d: %.3f of %d places in order", name, i+1, share, len(found))
			}
		}
	}
	all, good := 0, 0
	for _, kind := range sortedKeys(pages) {
		t.Logf("%s: %d of %d pages in order", kind, right[kind], pages[kind])
		all, good = all+pages[kind], good+right[kind]
	}
	t.Logf("%d of %d pages in order (%.3f)", good, all, float64(good)/float64(all))
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// triples calls visit for each three consecutive words of a text.
func triples(text string, visit func(triple string)) {
	text = strings.NewReplacer("-\n", "", "\u00ad\n", "").Replace(norm.NFKC.String(text))
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for i := 3; i <= len(words); i++ {
		visit(strings.Join(words[i-3:i], " "))
	}
}

// placesOf returns the places of the triples that occur once.
func placesOf(text string) map[string]int {
	places, n := map[string]int{}, 0
	triples(text, func(triple string) {
		n++
		if _, there := places[triple]; there {
			places[triple] = -1
		} else {
			places[triple] = n
		}
	})
	return places
}

// matches returns the places of a page's triples, in its order.
func matches(page string, places map[string]int) []int {
	var found []int
	triples(page, func(triple string) {
		if n := places[triple]; n > 0 {
			found = append(found, n)
		}
	})
	return found
}

// longestRise returns the length of the longest rising part of a list, with gaps.
func longestRise(list []int) int {
	var ends []int // the smallest end of a rise of each length
	for _, n := range list {
		i, _ := slices.BinarySearch(ends, n)
		if i == len(ends) {
			ends = append(ends, n)
		} else {
			ends[i] = n
		}
	}
	return len(ends)
}

func TestLongestRise(t *testing.T) {
	for _, tt := range []struct {
		list []int
		want int
	}{{nil, 0}, {[]int{1, 2, 3}, 3}, {[]int{1, 10, 2, 11, 3, 12}, 4}, {[]int{5, 4, 3}, 1}} {
		if got := longestRise(tt.list); got != tt.want {
			t.Errorf("longestRise(%v) = %d, want %d", tt.list, got, tt.want)
		}
	}
}
