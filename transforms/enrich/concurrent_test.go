package enrich

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestEnricher_concurrent: goroutines that share an Enricher get the documents that they would get alone, with all
// extractors, from pages of several languages and kinds.
func TestEnricher_concurrent(t *testing.T) {
	e := mustNew(t, Options{Select: []Field{{"price", "span.price"}, {"bad", "a[href]"}}})
	all := variety()
	document := func(c *schemas.Capture) string {
		copied := *c
		copied.Body = append([]byte(nil), c.Body...)
		data, err := json.Marshal(e.Document(&copied))
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	var want []string
	for _, c := range all {
		want = append(want, document(c))
	}
	var running sync.WaitGroup
	for n := range 4 {
		running.Go(func() {
			for i := range all {
				i = (i + n*5) % len(all)
				if got := document(all[i]); got != want[i] {
					t.Errorf("the document %d:\n%s\nalone:\n%s", i, got, want[i])
				}
			}
		})
	}
	running.Wait()
}

// variety returns captures of pages in several languages and of other kinds.
func variety() (all []*schemas.Capture) {
	for i, word := range []string{"Leuchtturm", "phare", "маяк", "灯台", "المنارة", "lighthouse"} {
		page := strings.ReplaceAll(article, "Leuchtturm", word+fmt.Sprint(i))
		all = append(all, capture(page, "text/html; charset=utf-8"), capture(page[:len(page)/2], "text/html"),
			capture(strings.Repeat(word+" ", 300), "text/plain"))
	}
	return append(all,
		capture(`<rss version="2.0"><channel><title>News</title><item><title>One</title><link>/1</link></item></channel></rss>`,
			"application/rss+xml"),
		capture("%PDF-1.4\nno more of it", "application/pdf"), capture("", "text/html"),
		capture("\x00\x01\x02\xff", "image/png"))
}

// TestEnrich_sharesNothing: results stay as they are while the reader overwrites the body with the next record.
func TestEnrich_sharesNothing(t *testing.T) {
	e := mustNew(t, Options{Select: []Field{{"price", "span.price"}}, Links: true, Data: true, Markdown: true})
	for i, c := range variety() {
		r := e.Enrich(c, Extra{Page: true})
		text := func() string {
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		before := text()
		for k := range c.Body {
			c.Body[k] = 'X'
		}
		if after := text(); after != before {
			t.Errorf("capture %d: the results have become\n%s\nfrom\n%s", i, after, before)
		}
	}
}
