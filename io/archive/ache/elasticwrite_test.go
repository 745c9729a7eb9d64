package ache_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// Pages written by ACHE's own classes are read, and written again.
func TestElasticDocument_isAsACHEWrites(t *testing.T) {
	for name, file := range map[string]string{
		"seeds":      filepath.Join(generated, "ELASTIC.jsonl"),
		"real pages": "../../../../shared/corpora/seeds/ache/generated/ELASTIC-realpages.jsonl",
	} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(file)
			if name == "real pages" && errors.Is(err, fs.ErrNotExist) {
				t.Skip("no ../shared/corpora/seeds beside the checkout: pages of others, which may not be copied into it")
			}
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(b) {
				checkElastic(t, line)
			}
		})
	}
}

// checkElastic reads a document of ACHE's and writes it again.
func checkElastic(t *testing.T, line []byte) {
	t.Helper()
	c, _, err := ache.Elastic{}.Capture(line, payload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var html []byte
	if len(c.Body) > 0 {
		html = c.Body
	}
	got, want := decode(t, ache.ElasticDocument(c, html)), decode(t, line)
	// Ours leaves out an unknown crawler.
	if want["crawlerId"] == nil {
		delete(want, "crawlerId")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-ACHE +ours):\n%s", c.URL, diff)
	}
}

// decode returns a document without the fields that only we write. ACHE does not fix two more things, so they are left
// out as well. Equal words come in the order of a hash table, and ACHE loses the last word of a truncated page.
func decode(t *testing.T, line []byte) map[string]any {
	t.Helper()
	m := map[string]any{}
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatalf("%v: %.300s", err, line)
	}
	for _, key := range []string{"words", "wordsMeta"} {
		if list, ok := m[key].([]any); ok {
			list = slices.DeleteFunc(list, func(w any) bool { return w == "dcs" })
			slices.SortFunc(list, func(a, b any) int { return bytes.Compare([]byte(a.(string)), []byte(b.(string))) })
			m[key] = list
		}
	}
	return m
}

func TestElasticDocument_unknown(t *testing.T) {
	got := string(ache.ElasticDocument(&schemas.Capture{URL: "http://www.a.example/\n"}, nil))
	want := `{"domain":"a.example","url":"http://www.a.example/\n","title":null,"text":null,"words":null,` +
		`"wordsMeta":null,"topPrivateDomain":"a.example","html":null}`
	if got != want {
		t.Errorf("ElasticDocument() = %s\nwant %s", got, want)
	}
}

// TestElasticDocument_domains: a URL that net/url refuses has a domain, too, as in Java.
func TestElasticDocument_domains(t *testing.T) {
	for url, want := range map[string]string{
		"http://www.shop.example.com/a":    "shop.example.com example.com",
		"http://shop.example.com/50%-off":  "shop.example.com example.com",
		"http://www.a.co.uk/%u4E2D.htm":    "a.co.uk a.co.uk",
		"http://a.example/a%":              "a.example a.example",
		"http://user:p%w@a.example:80/?q=": "a.example a.example",
		"dns:a.example":                    " ",
	} {
		m := decode(t, ache.ElasticDocument(&schemas.Capture{URL: url}, []byte("<title>x</title>")))
		if got := m["domain"].(string) + " " + m["topPrivateDomain"].(string); got != want {
			t.Errorf("domains of %s: %q, want %q", url, got, want)
		}
		words, _ := m["words"].([]any)
		isExample := want != " " && !strings.Contains(want, "co.uk")
		if slices.Contains(words, any("example")) != isExample {
			t.Errorf("words of %s: %v", url, words)
		}
	}
}

// TestElasticDocument_keeps: a document has no key that would overwrite what an index knows and the archive does not.
func TestElasticDocument_keeps(t *testing.T) {
	all := []string{"retrieved", "responseHeaders", "isRelevant", "relevance", "crawlerId"}
	for _, tt := range []struct {
		c    schemas.Capture
		want []string
	}{
		{schemas.Capture{}, nil},
		{schemas.Capture{Timestamp: time.Unix(1, 0)}, all[:1]},
		{schemas.Capture{Header: []schemas.Field{{Name: "A", Value: "b"}}}, all[1:2]},
		{schemas.Capture{Crawl: map[string]string{schemas.CrawlRelevant: "false"}}, all[2:3]},
		{schemas.Capture{Crawl: map[string]string{schemas.CrawlRelevance: "0"}}, all[3:4]},
		{schemas.Capture{Crawl: map[string]string{schemas.CrawlCrawler: "default"}}, all[4:]},
	} {
		m := decode(t, ache.ElasticDocument(&tt.c, nil))
		var got []string
		for _, key := range all {
			if value, has := m[key]; has {
				got = append(got, key)
				if value == nil {
					t.Errorf("%s is null", key)
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.c, got, tt.want)
		}
	}
}
