package source_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// site is a labelled site, with its pages in the corpora.
type site struct {
	domain string
	label  string         // "news", "unclear", or "" for all others: testdata/README.md has the rules
	kept   bool           // it is in the part that no rule was chosen on
	forms  bool           // all of its pages were collected for their forms: to log in, to search, to write
	from   map[string]int // number of its pages from each corpus and package
	read   []labelledPage
	source.State
}

// labelledPage is a page of a labelled site.
type labelledPage struct {
	*schemas.Document
	departments map[string]department.Set // of the names in its links to its own site
}

const shared = "../../../shared"

// labelledSites returns the sites, sorted, with all existing pages. These are pages of the corpora and of packages.
// For the latter, GLEANER_PACKAGES names the folder that testdata/packages.sh fills.
func labelledSites(t testing.TB) (sites []site) {
	t.Helper()
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("it parses 4,000 pages, twenty seconds long: set GLEANER_SLOW=1")
	}
	labels := map[string]string{}
	for _, row := range readRows(t, "testdata/newspapers.tsv") {
		labels[row[0]] = row[1]
	}
	files, keptPages := pageFiles(t)
	at := map[string]int{}
	seen := map[uint64]bool{} // if a page was captured twice, the first file counts
	for _, link := range slices.Sorted(maps.Keys(files)) {
		d, title := documentOf(t, link, files[link])
		p := source.FromDocument(d.Document)
		p.Publisher = publisher.Type(address(d.Document))
		if seen[p.Link] {
			continue
		}
		seen[p.Link] = true
		i, ok := at[d.Domain]
		if !ok {
			i = len(sites)
			at[d.Domain] = i
			sites = append(sites, site{domain: d.Domain, label: labels[d.Domain], forms: true, from: map[string]int{}})
		}
		s := &sites[i]
		s.kept = s.kept || keptPages[link]
		s.forms = s.forms && strings.Contains(files[link], "formasaurus")
		s.from[collectionOf(files[link])]++
		s.read = append(s.read, d)
		s.Pages = append(s.Pages, p)
		// A feed has the name of its site.
		s.Info = source.Info{URL: d.URL, Title: cmp.Or(s.Info.Title, title)}
	}
	for i := range sites {
		sites[i].State = source.Of(sites[i].State)
	}
	slices.SortFunc(sites, func(a, b site) int { return strings.Compare(a.domain, b.domain) })
	return sites
}

func readRows(t testing.TB, name string) (rows [][2]string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		first, second, _ := strings.Cut(strings.TrimSpace(line), "\t")
		rows = append(rows, [2]string{first, second})
	}
	return rows
}

// pageFiles returns the files of pages by their URLs, and those named by kept.tsv. All pages of such a page's site are
// in the kept part.
func pageFiles(t testing.TB) (files map[string]string, kept map[string]bool) {
	t.Helper()
	files, kept = map[string]string{}, map[string]bool{}
	corpus := filepath.Join(shared, "corpora", "maintext")
	truths, err := filepath.Glob(filepath.Join(corpus, "wcxb-dev", "ground-truth", "*.json"))
	if err != nil || len(truths) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, list := range []string{"pages.tsv", "kept.tsv"} {
		for _, row := range readRows(t, filepath.Join("testdata", list)) {
			name := filepath.Join(os.Getenv("GLEANER_PACKAGES"), row[0])
			if strings.HasPrefix(row[0], "corpora/") {
				name = filepath.Join(shared, row[0])
			}
			if _, err := os.Stat(name); err == nil {
				files[row[1]] = name
				kept[row[1]] = list == "kept.tsv"
			}
		}
	}
	for _, name := range truths {
		var said struct {
			URL string `json:"url"`
		}
		readInto(t, name, &said)
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		files[said.URL] = filepath.Join(corpus, "wcxb-dev", "html", id+".html.gz")
	}
	var others map[string]struct {
		File string `json:"file"`
	}
	readInto(t, filepath.Join(corpus, "trafilatura-half", "evaldata.json"), &others)
	for link, o := range others {
		files[link] = filepath.Join(corpus, "trafilatura-half", "html", o.File+".gz")
	}
	return files, kept
}

// collectionOf returns the corpus or the package of a file.
func collectionOf(file string) string {
	name, ok := strings.CutPrefix(file, filepath.Join(shared, "corpora", "maintext")+"/")
	if !ok {
		name = strings.TrimPrefix(file, os.Getenv("GLEANER_PACKAGES")+"/")
	}
	parts := strings.Split(name, "/")
	if parts[0] == "github.com" {
		return strings.Join(parts[:3], "/")
	}
	return parts[0]
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

// rewritten is the prefix that an archive adds to the addresses of a page: some pages came from an archive.
var rewritten = regexp.MustCompile(`(https?:)?//web\.archive\.org/web/[0-9]+([a-z]+_)?/|/web/[0-9]{14}([a-z]+_)?/`)

func documentOf(t testing.TB, link, file string) (d labelledPage, site string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := charset.Decode(body, charset.Detect(body, "", charset.Options{}).Name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("web.archive.org/web/")) {
		text = rewritten.ReplaceAll(text, nil)
	}
	p := page.Parse(text, page.Options{URL: link})
	nodes := jsonld.Nodes(p.Scripts(), jsonld.Options{})
	meta := pagemeta.Extract(p, nodes, pagemeta.Options{})
	signals := publisher.SignalsOf(p, nodes)
	d.Document = &schemas.Document{
		URL: link, Host: signals.Host, Domain: signals.Domain, Status: 200, SiteSignals: publisher.NewsSignals(p, nodes),
	}
	d.departments = departmentsOf(p)
	return d, meta.Publisher
}

// address returns the signals by which package sourcedb determines the kind of a page's site.
func address(d *schemas.Document) publisher.Signals {
	s := publisher.Signals{Host: d.Host, Domain: d.Domain}
	if u, err := url.Parse(d.URL); err == nil {
		s.Path = strings.ToLower(u.RequestURI())
	}
	return s
}

// score counts newspapers.
type score struct{ found, right, there, sites int }

func (s *score) add(found, is bool) {
	s.sites++
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

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.found)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.there)) }

// TestPublisher_newspapers scores the rule for newspapers on labelled sites, by their number of pages.
func TestPublisher_newspapers(t *testing.T) {
	scores := map[string]*score{}
	count := func(name string, found, is bool) {
		if scores[name] == nil {
			scores[name] = &score{}
		}
		scores[name].add(found, is)
	}
	found := func(s site) bool {
		row := source.Describe(s.domain, s.State, time.Time{}, source.Policy{}, source.World{})
		return row.Publisher == schemas.PublisherMainstreamNews
	}
	for _, s := range labelledSites(t) {
		if s.label == "unclear" {
			continue
		}
		name := map[bool]string{false: "given", true: "kept"}[s.kept]
		is, yes := s.label == "news", found(s)
		count("all", yes, is)
		count(name, yes, is)
		if len(s.Pages) < 2 {
			count(name+", one page", yes, is)
			continue
		}
		count(name+", two pages or more", yes, is)
		if s.kept && !s.forms {
			count(name+", two pages or more, not of forms", yes, is)
		}
		if len(s.Pages) > 2 {
			count(name+", three pages or more", yes, is)
		}
		// This is the result of one page: the one with the smallest hash.
		alone := s
		alone.Pages = s.Pages[:1]
		count(name+", one of two or more", found(alone), is)
		if yes != is && (os.Getenv("VERBOSE") != "" || !s.kept) {
			t.Logf("%s %s %d pages: found %v, newspaper %v: %v", name, s.domain, len(s.Pages), yes, is,
				source.NewsSignsOf(s.State))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		s := scores[name]
		t.Logf("%-37s %4d sites, %3d newspapers, %3d found, %3d right: precision %.3f, recall %.3f", name, s.sites, s.there,
			s.found, s.right, s.precision(), s.recall())
	}
	if p, r := scores["all"].precision(), scores["all"].recall(); p < 0.95 || r < 0.48 {
		t.Errorf("precision %.3f, recall %.3f, want .95 and .48 at least", p, r)
	}
}
