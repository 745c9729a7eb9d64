package source_test

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
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const sitePages = "../../../shared/corpora/maintext"

// labelledSites are the sites of the corpus' pages as one person saw them: "news", "unclear", and "" for all others.
// testdata/README.md has the rules.
func labelledSites(t testing.TB) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/newspapers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{}
	for line := range strings.Lines(string(data)) {
		domain, label, _ := strings.Cut(strings.TrimSpace(line), "\t")
		labels[domain] = label
	}
	return labels
}

// statesOfSites are states of nothing but the corpus' pages, by registrable domain.
func statesOfSites(t testing.TB) map[string]source.State {
	t.Helper()
	states := map[string]source.State{}
	for url, file := range sitePageFiles(t) {
		d, title := documentOf(t, url, file)
		s := states[d.Domain]
		p := source.FromDocument(d)
		s.Pages = append(s.Pages, p)
		// A feed is called as its site is.
		s.Info = source.Info{URL: d.URL, Title: title}
		states[d.Domain] = s
	}
	return states
}

// sitePageFiles are the corpora's pages: their files by their URLs.
func sitePageFiles(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	truths, err := filepath.Glob(filepath.Join(sitePages, "wcxb-dev", "ground-truth", "*.json"))
	if err != nil || len(truths) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, name := range truths {
		var said struct {
			URL string `json:"url"`
		}
		readInto(t, name, &said)
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		files[said.URL] = filepath.Join(sitePages, "wcxb-dev", "html", id+".html.gz")
	}
	var others map[string]struct {
		File string `json:"file"`
	}
	readInto(t, filepath.Join(sitePages, "trafilatura-half", "evaldata.json"), &others)
	for url, o := range others {
		files[url] = filepath.Join(sitePages, "trafilatura-half", "html", o.File+".gz")
	}
	return files
}

func readInto(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func documentOf(t testing.TB, url, file string) (d *schemas.Document, site string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := charset.Decode(body, charset.Detect(body, "", charset.Options{}).Name)
	if err != nil {
		t.Fatal(err)
	}
	p := page.Parse(text, page.Options{URL: url})
	nodes := jsonld.Nodes(p.Scripts(), jsonld.Options{})
	meta := pagemeta.Extract(p, nodes, pagemeta.Options{})
	signals := publisher.SignalsOf(p, nodes)
	return &schemas.Document{
		URL: url, Host: signals.Host, Domain: signals.Domain, Status: 200, SiteSignals: publisher.NewsSignals(p, nodes),
	}, meta.Publisher
}

// score counts newspapers.
type score struct{ found, right, there int }

func (s *score) add(found, is bool) {
	if found {
		s.found++
	}
	if is {
		s.there++
	}
	if found && is {
		s.right++
	}
}

// TestPublisher_newspapers scores the rule for newspapers on the sites of some 2,000 pages, most of which have but one.
func TestPublisher_newspapers(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("it parses 2,000 pages, ten seconds long: set GLEANER_SLOW=1")
	}
	labels, states := labelledSites(t), statesOfSites(t)
	halves := map[string]*score{"given": {}, "kept": {}}
	several := score{} // of sites with two pages or more, whose pages vote
	sites := 0
	for _, domain := range slices.Sorted(maps.Keys(states)) {
		h := fnv.New32a()
		h.Write([]byte(domain))
		half := halves[[]string{"given", "kept"}[h.Sum32()>>8%2]]
		label := labels[domain]
		if label == "unclear" {
			continue
		}
		s := states[domain]
		scores := []*score{half}
		if len(s.Pages) > 1 {
			scores, sites = append(scores, &several), sites+1
		}
		row := source.Describe(domain, s, time.Time{}, source.Policy{}, source.World{})
		found := row.Publisher == schemas.PublisherMainstreamNews
		for _, x := range scores {
			x.add(found, label == "news")
		}
		if found && label != "news" {
			t.Logf("not a newspaper: %s", domain)
		} else if !found && label == "news" && os.Getenv("VERBOSE") != "" {
			t.Logf("missed: %s %012b %q %v", domain, s.Pages[0].Signs, s.Info.Title, s.Info.URL)
		}
	}
	all := score{}
	for name, s := range halves {
		t.Logf("%-5s %3d newspapers, %3d found, %3d right: precision %.3f, recall %.3f", name, s.there, s.found, s.right,
			float64(s.right)/float64(max(1, s.found)), float64(s.right)/float64(max(1, s.there)))
		all.found, all.right, all.there = all.found+s.found, all.right+s.right, all.there+s.there
	}
	t.Logf("%d sites with two pages or more: %d newspapers, %d found, %d right", sites, several.there, several.found,
		several.right)
	if p, r := float64(all.right)/float64(all.found), float64(all.right)/float64(all.there); p < 0.93 || r < 0.38 {
		t.Errorf("precision %.3f, recall %.3f, want .93 and .38 at least", p, r)
	}
}
