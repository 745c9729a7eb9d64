package contentdb

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/io/search/meaningmodel"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestMeasureAbout compares searches by words, by meaning, and by both, on the collection in the folder that
// GLEANER_ABOUT names. GLEANER_MODEL is another model. Each set has questions with one right answer, which rules make:
//
//   - title: a page's title is the question, and the text of the page without it the answer;
//   - anchor: so is the text of a link, and the text of the target page without that text and without its title;
//   - faq: a line that ends in a question mark is the question, and the text until the next one the answer.
//
// Hosts are divided by their hash: constants were chosen on those of the first half (GLEANER_HALF=0), and figures are
// of the other.
func TestMeasureAbout(t *testing.T) {
	folder := os.Getenv("GLEANER_ABOUT")
	if folder == "" {
		t.Skip("GLEANER_ABOUT names no collection")
	}
	source, err := OpenPath(t.Context(), folder, Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	half := cmp.Or(os.Getenv("GLEANER_HALF"), "1")
	for _, set := range []struct {
		name string
		of   func(*testing.T, *DB) *asked
	}{{"title", titles}, {"anchor", anchors}, {"faq", answers}} {
		t.Run(set.name, func(t *testing.T) {
			a := set.of(t, source)
			a.asks = slices.DeleteFunc(a.asks, func(q ask) bool { return fmt.Sprint(hashText(q.host)%2) != half })
			a.measure(t)
		})
	}
}

func hashText(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}

// ask is a question with the URL of its answer.
type ask struct{ text, answer, language, host string }

// asked is a set of questions, and the documents that are searched.
type asked struct {
	documents []*schemas.Document
	asks      []ask
}

// add adds a document without a title.
func (a *asked) add(url, text string, d *schemas.Document) {
	a.documents = append(a.documents, &schemas.Document{
		URL: url, SURT: urlkey.SURT(url), Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp, Language: d.Language,
		Text: text, Filename: "a", Offset: int64(len(a.documents)), Status: 200, RecordType: schemas.TypeResponse,
	})
}

// pagesOf returns the newest capture with a text of each page.
func pagesOf(t *testing.T, db *DB) map[string]*schemas.Document {
	t.Helper()
	pages := map[string]*schemas.Document{}
	for d, err := range db.Each(t.Context(), nil, []string{
		"surt", "url", "host", "domain", "timestamp", "language", "title", "text",
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if old := pages[d.SURT]; isLongText(d.Text) && (old == nil || old.Timestamp < d.Timestamp) {
			pages[d.SURT] = d
		}
	}
	return pages
}

func isLongText(s string) bool { return len(strings.Fields(s)) >= 50 || len([]rune(s)) >= 400 }

// isQuestion reports whether a text has enough words for a search.
func isQuestion(s string) bool {
	n := len(strings.Fields(s))
	return n >= 3 && n <= 30 || n < 3 && len([]rune(s)) >= 8 && len(s) > 2*len([]rune(s))
}

// without removes a text wherever it is.
func without(text, gone string) string { return strings.ReplaceAll(text, gone, " ") }

func titles(t *testing.T, db *DB) *asked {
	a := &asked{}
	pages := pagesOf(t, db)
	for _, surt := range slices.Sorted(maps.Keys(pages)) {
		d := pages[surt]
		if text := without(d.Text, d.Title); isQuestion(d.Title) && isLongText(text) {
			a.add(d.URL, text, d)
			a.asks = append(a.asks, ask{d.Title, d.URL, d.Language, d.Host})
		}
	}
	return a
}

func anchors(t *testing.T, db *DB) *asked {
	a := &asked{}
	pages := pagesOf(t, db)
	texts := map[string]map[string]bool{} // by SURT of the target
	for l, err := range db.Links(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		surt := urlkey.SURT(l.Target)
		if text := strings.TrimSpace(l.Text); pages[surt] != nil && isQuestion(text) && surt != l.SURT {
			if texts[surt] == nil {
				texts[surt] = map[string]bool{}
			}
			texts[surt][text] = true
		}
	}
	uses := map[string]int{} // pages that a text links to
	for _, list := range texts {
		for text := range list {
			uses[text]++
		}
	}
	for _, surt := range slices.Sorted(maps.Keys(pages)) {
		d := pages[surt]
		text := without(d.Text, d.Title)
		list := slices.Sorted(maps.Keys(texts[surt]))
		for _, anchor := range list {
			text = without(text, anchor)
		}
		if !isLongText(text) {
			continue
		}
		a.add(d.URL, text, d)
		for _, anchor := range list {
			if uses[anchor] == 1 { // else more than one page is right
				a.asks = append(a.asks, ask{anchor, d.URL, d.Language, d.Host})
			}
		}
	}
	return a
}

func answers(t *testing.T, db *DB) *asked {
	a := &asked{}
	pages := pagesOf(t, db)
	for _, surt := range slices.Sorted(maps.Keys(pages)) {
		d := pages[surt]
		var own []ask
		var texts []string
		for line := range strings.Lines(d.Text) {
			line = strings.TrimSpace(line)
			if isQuestion(line) && (strings.HasSuffix(line, "?") || strings.HasSuffix(line, "？") ||
				strings.HasSuffix(line, "؟")) {
				own = append(own, ask{line, fmt.Sprintf("%s?answer=%d", d.URL, len(own)), d.Language, d.Host})
				texts = append(texts, "")
			} else if len(own) > 0 {
				texts[len(own)-1] += line + "\n"
			}
		}
		if len(own) < 2 {
			continue
		}
		for i, q := range own {
			if n := len(strings.Fields(texts[i])); n >= 15 && n <= 400 {
				a.add(q.answer, texts[i], d)
				a.asks = append(a.asks, q)
			}
		}
	}
	return a
}

// figures are sums over questions.
type figures struct{ n, ndcg, recall float64 }

func (f *figures) add(rank int) {
	f.n++
	if rank > 0 && rank <= 10 {
		f.ndcg += 1 / math.Log2(float64(rank)+1)
	}
	if rank > 0 && rank <= 20 {
		f.recall++
	}
}

func (a *asked) measure(t *testing.T) {
	db, err := OpenPath(t.Context(), collectiontest.Make(t, "a", a.documents...), Options{
		Meaning: meaningmodel.Opener(os.Getenv("GLEANER_MODEL")),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	all := map[string]map[string]*figures{} // by language and way
	for _, q := range a.asks {
		for way, find := range map[string]func(*testing.T, *DB, string) []string{
			"words": byWords, "meaning": byMeaning, "both": byBoth,
		} {
			rank := slices.Index(find(t, db, q.text), q.answer) + 1
			for _, key := range []string{"all", cmp.Or(q.language, "-")} {
				if all[key] == nil {
					all[key] = map[string]*figures{"words": {}, "meaning": {}, "both": {}}
				}
				all[key][way].add(rank)
			}
		}
	}
	t.Logf("%d documents, %d questions; nDCG@10 and recall@20 by words, by meaning, by both", len(a.documents),
		len(a.asks))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		line := fmt.Sprintf("%-4s %5.0f", key, all[key]["words"].n)
		for _, way := range []string{"words", "meaning", "both"} {
			f := all[key][way]
			line += fmt.Sprintf("   %.3f %.3f", f.ndcg/f.n, f.recall/f.n)
		}
		t.Log(line)
	}
	if f := all["all"]; f != nil && (f["both"].ndcg < f["words"].ndcg || f["both"].recall < f["words"].recall) {
		t.Error("both ways together find less than words alone")
	}
}

func urlsOf(t *testing.T, db *DB, r AboutRequest) (list []string) {
	t.Helper()
	r.Columns, r.Query.Limit = []string{"url"}, 20
	a, err := db.About(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range a.Rows {
		list = append(list, row.URL)
	}
	return list
}

func byBoth(t *testing.T, db *DB, text string) []string {
	return urlsOf(t, db, AboutRequest{Text: text})
}

func byMeaning(t *testing.T, db *DB, text string) []string {
	return urlsOf(t, db, AboutRequest{Text: text, NoWords: true})
}

func byWords(t *testing.T, db *DB, text string) (list []string) {
	words, err := query.NewText(text, false)
	if err != nil {
		return nil
	}
	a, err := db.Ask(t.Context(), Request{
		Query: query.Query{Where: words, Order: query.Relevance, Limit: 20}, Columns: []string{"url"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range a.Rows {
		list = append(list, row.URL)
	}
	return list
}
