package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// formWords are forms of words, by language.
var formWords = map[string][]string{
	"en": {"bridge", "bridges", "bridged", "bride", "harbour", "harbours", "news", "new"},
	"fr": {"climat", "climats", "climatique", "port", "ports", "portes", "nouvelle", "nouvelles"},
	"de": {"Brücke", "Brücken", "Bruch", "Haus", "Häuser", "Port", "Ports", "neue"},
	"ru": {"мост", "мосты", "мостом", "место", "новый", "новые", "news", "port"},
	"ar": {"مكتبة", "المكتبة", "المكتبات", "ميناء", "الميناء", "كتاب", "كتب", "news"},
	"ja": {"bridges", "ports", "news", "新聞", "climats"},
	"":   {"bridges", "ports", "news", "new", "climats"},
}

// formDocs are documents of these words; some texts are there in several languages.
func formDocs(r *rand.Rand, n int) (docs []*schemas.Document) {
	var languages []string
	for language := range formWords {
		languages = append(languages, language)
	}
	slices.Sort(languages)
	for i := range n {
		words := formWords[languages[r.IntN(len(languages))]]
		d := &schemas.Document{
			URL: fmt.Sprintf("http://a.example/%d", i), Filename: "f", Offset: int64(i), RecordType: "response",
			Language: languages[r.IntN(len(languages))], Timestamp: fmt.Sprintf("2026-03-%02dT00:00:00Z", 1+r.IntN(28)),
			Title: words[r.IntN(len(words))],
		}
		for range r.IntN(4) {
			d.Text += " " + words[r.IntN(len(words))]
		}
		d.SURT = urlkey.SURT(d.URL)
		docs = append(docs, d)
	}
	return docs
}

// TestForms_equalsAScan: the index finds the documents that a scan finds, for words in any form, exact words and both.
func TestForms_equalsAScan(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 19))
	docs := formDocs(r, 900)
	s := newShelf(t)
	for i := range 3 {
		s.put(t, i, docs[300*i:300*i+300])
	}
	x, _ := s.open(t, Options{VolumeRows: 500})
	var words []string
	for _, list := range formWords {
		words = append(words, list...)
	}
	slices.Sort(words)
	found := 0
	for range 300 {
		filter := words[r.IntN(len(words))]
		if r.IntN(3) == 0 {
			filter = `"` + filter + `"`
		}
		switch other := words[r.IntN(len(words))]; r.IntN(6) {
		case 0:
			filter += " " + other
		case 1:
			filter = "(" + filter + " OR " + other + ")"
		case 2:
			filter += " NOT " + other
		case 3:
			filter += ` "` + other + `"`
		case 4:
			filter += " language = fr"
		}
		e, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, d := range docs {
			if query.Match(e, d) {
				want = append(want, d.URL)
			}
		}
		slices.Sort(want)
		found += len(want)
		for _, order := range []query.Order{query.Newest, query.SURT, query.Relevance} {
			var got []string
			for h, err := range x.Find(t.Context(), query.Query{Where: e, Order: order}, nil) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, h.Document().URL)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d by the index, %d by a scan: %v, %v", filter, order, len(got), len(want), got, want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d documents were found", found)
	}
}

// TestForms_packed: packed terms are unpacked again, also with long common beginnings, and damage is an error.
func TestForms_packed(t *testing.T) {
	terms := []string{
		"a", "bridges", "bridging", strings.Repeat("x", 20), strings.Repeat("x", 40), strings.Repeat("x", 39) + "y",
		"мостом", "мосты",
	}
	data := packTerms(terms)
	got, err := unpackTerms(data)
	if err != nil || !slices.Equal(got, terms) {
		t.Errorf("%q, %v, want %q", got, err, terms)
	}
	for n := range data {
		if got, err := unpackTerms(data[:n]); err == nil && len(got) >= len(terms) {
			t.Errorf("%d bytes have %q", n, got)
		}
	}
	if _, err := unpackTerms([]byte{0xf1, 'a'}); err == nil {
		t.Error("a term shares bytes with none")
	}
}
