package index

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// recallLanguages are the languages of TestMeasureRecall.
var recallLanguages = []string{"de", "en", "es", "fr", "it", "pt", "ru", "sv"}

// TestMeasureRecall measures how often a title is among the first twenty for another form of one of its words, with
// stems and without. Sentences in eight languages are the titles, and words that share their beginning are forms.
func TestMeasureRecall(t *testing.T) {
	titles := sentencesOf(t, "../../../../shared/corpora/lang/ntrex_long_dev.tsv.gz")
	var docs []*schemas.Document
	for _, language := range recallLanguages {
		for _, title := range titles[language] {
			d := &schemas.Document{
				URL: fmt.Sprintf("http://a.example/%s/%d", language, len(docs)), Filename: "f", Offset: int64(len(docs)),
				RecordType: "response", Language: language, Title: title, Timestamp: "2026-03-01T00:00:00Z",
			}
			d.SURT = urlkey.SURT(d.URL)
			docs = append(docs, d)
		}
	}
	s := newShelf(t)
	s.put(t, 0, docs)
	x, _ := s.open(t, Options{})
	r := rand.New(rand.NewPCG(49, 6))
	for _, language := range recallLanguages {
		pairs := formPairs(docs, language)
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:min(len(pairs), 25)]
		var with, without float64
		for _, p := range pairs {
			with += recall(t, x, p, false)
			without += recall(t, x, p, true)
		}
		n := float64(len(pairs))
		t.Logf("%s: %d queries, recall at 20 %.2f with stems, %.2f without", language, len(pairs), with/n, without/n)
		if with <= without {
			t.Errorf("%s: stems do not help", language)
		}
	}
}

// formPair is a word to search for, and the documents whose titles have it or a form of it.
type formPair struct {
	word string
	want []string
}

// recall returns the share of the wanted documents among the first twenty.
func recall(t *testing.T, x *Index, p formPair, exact bool) float64 {
	t.Helper()
	e, err := query.NewText(p.word, exact)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for h, err := range x.Find(t.Context(), query.Query{Where: e, Order: query.Relevance, Limit: 20}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(p.want, h.URL) {
			found++
		}
	}
	return float64(found) / float64(min(20, len(p.want)))
}

// formPairs returns the words of titles that have forms in other titles: see sameBeginning.
func formPairs(docs []*schemas.Document, language string) (pairs []formPair) {
	in := map[string][]string{}
	var scan tokenize.Scanner
	for _, d := range docs {
		if d.Language != language {
			continue
		}
		for _, term := range scan.Index(d.Title) {
			if word := string(term); utf8.RuneCountInString(word) >= 6 && !slices.Contains(in[word], d.URL) {
				in[word] = append(in[word], d.URL)
			}
		}
	}
	words := make([]string, 0, len(in))
	for word := range in {
		words = append(words, word)
	}
	slices.Sort(words)
	for _, word := range words {
		p := formPair{word, slices.Clone(in[word])}
		for _, other := range words {
			if word != other && sameBeginning(word, other) {
				p.want = append(p.want, in[other]...)
			}
		}
		if slices.Sort(p.want); len(p.want) > len(in[word]) {
			p.want = slices.Compact(p.want)
			pairs = append(pairs, p)
		}
	}
	return pairs
}

func sameBeginning(a, b string) bool {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n >= 5 && len(x)-n <= 3 && len(y)-n <= 3
}

// sentencesOf returns the lines of texts by language, or skips the test without the corpus.
func sentencesOf(t *testing.T, name string) map[string][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		language, text, _ := strings.Cut(lines.Text(), "\t")
		list[language] = append(list[language], strings.Split(text, `\n`)...)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
