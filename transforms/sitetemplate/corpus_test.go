package sitetemplate_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// wcxb is the folder of the development split of the Web Content eXtraction Benchmark, beside the repository.
const wcxb = "../../../shared/corpora/maintext/wcxb-dev"

// labelled is a page with its main text as marked by people.
type labelled struct {
	page *page.Page
	main string
}

// readHosts returns the pages of the corpus by host, for hosts with at least that many pages.
func readHosts(t *testing.T, least int) map[string][]labelled {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(wcxb, "ground-truth", "*.json"))
	if err != nil || len(names) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	type truth struct {
		URL string `json:"url"`
		GT  struct {
			Main string `json:"main_content"`
		} `json:"ground_truth"`
		id string
	}
	byHost := map[string][]truth{}
	for _, name := range names {
		var d truth
		if err := json.Unmarshal(read(t, name), &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d.id = strings.TrimSuffix(filepath.Base(name), ".json")
		host, _, _ := strings.Cut(urlkey.SURT(d.URL), ")")
		byHost[host] = append(byHost[host], d)
	}
	hosts := map[string][]labelled{}
	for host, list := range byHost {
		for _, d := range list {
			if len(list) >= least && host != "-" {
				hosts[host] = append(hosts[host], labelled{readPage(t, d.id, d.URL), d.GT.Main})
			}
		}
	}
	return hosts
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readPage(t *testing.T, id, url string) *page.Page {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(wcxb, "html", id+".html.gz"))))
	if err != nil {
		t.Fatal(err)
	}
	src, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := charset.Decode(src, charset.Detect(src, "text/html", charset.Options{}).Name)
	if err != nil {
		t.Fatal(err)
	}
	return page.Parse(text, page.Options{URL: url})
}

var word = regexp.MustCompile(`[\pL\pN_]+`)

func bag(s string) (map[string]int, int) {
	m := map[string]int{}
	list := word.FindAllString(strings.ToLower(s), -1)
	for _, w := range list {
		m[w]++
	}
	return m, len(list)
}

// score is the benchmark's measure: precision, recall and F1 over bags of words, as the mean of pages.
type score struct{ f, p, r, pages float64 }

func (s *score) add(got, want string) {
	s.pages++
	a, n := bag(got)
	b, m := bag(want)
	both := 0
	for w, k := range a {
		both += min(k, b[w])
	}
	if both > 0 {
		s.f += 2 * float64(both) / float64(n+m)
		s.p += float64(both) / float64(n)
		s.r += float64(both) / float64(m)
	}
}

// TestTemplate_corpus uses sites with five pages or more. The removed text must mostly be text that people would leave
// out too. The model has learnt from these pages, so the gain here is small. The package's comment has figures of
// models without these pages.
func TestTemplate_corpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var before, after score
	with := 0
	for _, pages := range readHosts(t, 5) {
		var s sitetemplate.Sample
		for _, p := range pages {
			s.Add(sitetemplate.SketchOf(p.page))
		}
		tpl := s.Template()
		if len(tpl) > 0 {
			with++
		}
		for _, p := range pages {
			r := maintext.Extract(p.page, maintext.Options{})
			before.add(r.Text, p.main)
			marks, n := tpl.Boilerplate(p.page)
			if n > 0 {
				r = maintext.Extract(p.page, maintext.Options{Boilerplate: marks})
			}
			after.add(r.Text, p.main)
		}
	}
	n := before.pages
	t.Logf("%.0f pages, %d hosts with a template: F1 %.4f (P %.4f, R %.4f), without %.4f (P %.4f, R %.4f)", n, with,
		after.f/n, after.p/n, after.r/n, before.f/n, before.p/n, before.r/n)
	gain, precision := (after.f-before.f)/n, (after.p-before.p)/n
	if gain < -0.012 || precision < 0.004 || with < 8 {
		t.Errorf("the F1 rises by %.4f, the precision by %.4f, with templates of %d hosts; want -.012, .004 and 8", gain,
			precision, with)
	}
}
