package publisher_test

import (
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/publisher"
)

const corpus = "../../../shared/corpora/maintext/wcxb-dev/"

// labelled is a page of the corpus.
type labelled struct {
	URL    string `json:"url"`
	kind   string // of the page, as labelled
	domain string
	got    string
}

func readGzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// half returns the corpus half of a domain: all pages of one site are in the same half.
func half(domain string) string {
	h := fnv.New32a()
	h.Write([]byte(domain))
	return []string{"development", "report"}[h.Sum32()%2]
}

func readCorpus(t testing.TB) (list []labelled) {
	t.Helper()
	data, err := os.ReadFile(corpus + "metadata.json")
	if err != nil {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	var meta struct {
		Files map[string]struct {
			PageType string `json:"page_type"`
			Domain   string `json:"domain"`
		} `json:"files"`
	}
	if err := json.Unmarshal(data, &meta); err != nil {
		t.Fatal(err)
	}
	for id, m := range meta.Files {
		truth, err := os.ReadFile(filepath.Join(corpus, "ground-truth", id+".json"))
		if err != nil {
			t.Fatal(err)
		}
		l := labelled{kind: m.PageType, domain: m.Domain}
		if err := json.Unmarshal(truth, &l); err != nil {
			t.Fatal(err)
		}
		body := readGzip(t, filepath.Join(corpus, "html", id+".html.gz"))
		text, _, err := charset.Decode(body, charset.Detect(body, "", charset.Options{}).Name)
		if err != nil {
			t.Fatal(err)
		}
		p := page.Parse(text, page.Options{URL: l.URL})
		l.got = publisher.Of(p, jsonld.Nodes(p.Scripts(), jsonld.Options{})).PublisherType
		list = append(list, l)
	}
	return list
}

// readLabels returns the kinds of sites by domain, as judged by a person.
func readLabels(t testing.TB) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/labels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{}
	for line := range strings.Lines(string(data)) {
		domain, kind, _ := strings.Cut(strings.TrimSpace(line), "\t")
		labels[domain] = kind
	}
	return labels
}

// right reports whether a page's result is right. Forums are labelled by page, other sites by hand.
func right(l labelled, labels map[string]string) bool {
	if l.got == schemas.PublisherForum {
		return l.kind == "forum"
	}
	return labels[l.domain] == l.got
}

// TestOf_precision counts, for each half, how many results of each kind are right. A site that is found but not
// labelled counts as wrong.
func TestOf_precision(t *testing.T) {
	labels := readLabels(t)
	found, correct, forums := map[string]int{}, map[string]int{}, map[string]int{}
	for _, l := range readCorpus(t) {
		key := half(l.domain) + " " + l.got
		found[key]++
		if right(l, labels) {
			correct[key]++
		} else if l.got != schemas.PublisherUnknown {
			t.Logf("%s: not %s: %s", half(l.domain), l.got, l.URL)
		}
		if l.kind == "forum" {
			forums[half(l.domain)]++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if strings.HasSuffix(key, schemas.PublisherUnknown) {
			continue
		}
		t.Logf("%-28s %3d found, %3d right", key, found[key], correct[key])
	}
	t.Logf("forums that are labelled: %v", forums)
	for kind, least := range map[string]float64{
		schemas.PublisherForum: 0.95, schemas.PublisherWeblog: 0.8,
		schemas.PublisherMainstreamNews: 0.8,
	} {
		key := "development " + kind
		if p := float64(correct[key]) / float64(found[key]); found[key] == 0 || p < least {
			t.Errorf("%s: precision %.2f of %d, want %.2f", kind, p, found[key], least)
		}
	}
}
