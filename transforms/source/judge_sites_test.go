package source

import (
	"hash/fnv"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// siteLists are the lists of sites; testdata/README.md describes them.
var siteLists = []string{"sites.txt", "further.txt", "last.txt", "more.txt", "wide.txt", "late.txt", "final.txt"}

// fold returns the fold of a site, out of n.
func fold(site string, n uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(site)) // it returns no error
	return h.Sum32() % n
}

// readSites reads a list of sites: see testdata/README.md.
func readSites(t testing.TB, name string) (list []labelledFeed) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "@ "); ok {
			f := strings.SplitN(rest, " ", 4)
			part := "given"
			switch {
			case name == "last.txt" || name == "more.txt" || name == "late.txt" || name == "final.txt":
				part = "last"
			case name == "further.txt":
				part = "further"
			case fold(f[0], 10) > 5:
				part = "kept"
			}
			list = append(list, newLabelled(t, []string{f[0], f[1], part, f[2], f[3]}))
			continue
		}
		last := &list[len(list)-1]
		f := strings.SplitN(line, " ", 3)
		if strings.HasPrefix(f[0], "=") {
			last.stand(f[1], f[2], f[0] == "=!")
			continue
		}
		last.add(f)
	}
	return list
}

// stand sets a feed's site. If its repository names an address of somebody else, its place is the repository, and no
// page was captured.
func (f *labelledFeed) stand(site, title string, elsewhere bool) {
	file := strings.TrimPrefix(f.path, "public/")
	f.row.Title, f.row.Link, f.bare = strings.TrimPrefix(title, "-"), "", elsewhere
	if site != "-" {
		f.row.Link = site
	}
	if site != "-" && !elsewhere {
		f.row.URL = strings.TrimSuffix(site, "/") + "/" + path.Base(file)
	}
	host := hostOf(f.row.URL)
	f.row.Host, f.row.Domain = host, urlkey.RegistrableDomain(host)
}

// add adds an item: its date, link and title. The number of words may precede the title.
func (f *labelledFeed) add(line []string) {
	item := schemas.FeedItem{URL: line[1], Title: line[2]}
	if strings.HasPrefix(line[1], "/") {
		item.URL = strings.TrimSuffix(f.row.Link, "/") + line[1]
	} else if line[1] == "-" {
		item.URL = ""
	}
	if len(line[0]) > len("2006-01-02") {
		item.Published = line[0] + ":00Z"
	} else if line[0] != "-" {
		item.Published = line[0]
	}
	words := 300
	if rest, ok := strings.CutPrefix(item.Title, "#"); ok {
		n, title, _ := strings.Cut(rest, " ")
		if k, err := strconv.Atoi(n); err == nil {
			words, item.Title = k, title
		}
	}
	f.words = append(f.words, words)
	f.row.Items, f.row.Count = append(f.row.Items, item), f.row.Count+1
}

// TestJudge_sites judges sites. docs/sources.md has the figures of each part when it was first used.
func TestJudge_sites(t *testing.T) {
	for _, name := range siteLists {
		parts := map[string]*score{}
		for _, f := range readSites(t, name) {
			verdict, reasons, e := Judge(f.state())
			if parts[f.part] == nil {
				parts[f.part] = new(score)
			}
			parts[f.part].add(verdict == Valid, f.valid)
			if (verdict == Valid) != f.valid {
				t.Logf("%s (%s): %s %q, labelled: %s\n%+v", f.site, f.part, verdict, reasons, f.why, e)
			}
		}
		for part, s := range parts {
			t.Logf("%s, %s: %v", name, part, s)
		}
	}
}

// grids are the values that TestJudge_folds tries for each limit.
var grids = []struct {
	name   string
	at     func(*limits) *float64
	values []float64
}{
	{"distinct", func(l *limits) *float64 { return &l.distinct }, []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8}},
	{"filler", func(l *limits) *float64 { return &l.filler }, []float64{0.2, 0.3, 0.4, 0.5, 0.6}},
	{"tries", func(l *limits) *float64 { return &l.tries }, []float64{0.55, 0.65, 0.75, 0.85, 1}},
	{"heading", func(l *limits) *float64 { return &l.heading }, []float64{2, 3, 4, 5, 6}},
	{"static", func(l *limits) *float64 { return &l.static }, []float64{0.15, 0.25, 0.35, 0.5}},
	{"shown", func(l *limits) *float64 { return &l.shown }, []float64{0.5, 0.6, 0.7, 0.8, 0.9}},
	{"at once", func(l *limits) *float64 { return &l.atOnce }, []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8}},
}

// errorsOf counts the wrong verdicts of the selected sites.
func errorsOf(sites []labelledFeed, states []State, l limits, in func(string) bool) (n int) {
	for i, f := range sites {
		if !in(f.site) {
			continue
		}
		if verdict, _, _ := judge(states[i], l); (verdict == Valid) != f.valid {
			n++
		}
	}
	return n
}

// choose sets one limit after the other. It uses the middle of the values with the fewest errors.
func choose(sites []labelledFeed, states []State, in func(string) bool) limits {
	l := chosen
	for _, g := range grids {
		var best []float64
		least := len(sites) + 1
		for _, v := range g.values {
			*g.at(&l) = v
			n := errorsOf(sites, states, l, in)
			if n < least {
				best, least = nil, n
			}
			if n == least {
				best = append(best, v)
			}
		}
		*g.at(&l) = best[len(best)/2]
	}
	return l
}

// TestJudge_folds judges each fifth of the sites by limits that were chosen on the others. The fold of a site follows
// from its name. The rules were made with all of these sites; docs/sources.md has results on unseen sites. If a limit
// makes no difference to the other sites, the middle is used, so a fold may do worse than the limits in use.
func TestJudge_folds(t *testing.T) {
	sites := readLabelled(t)
	for _, name := range siteLists {
		sites = append(sites, readSites(t, name)...)
	}
	states := make([]State, 0, len(sites))
	for _, f := range sites {
		states = append(states, f.state())
	}
	var all score
	for n := range uint32(5) {
		l := choose(sites, states, func(site string) bool { return fold(site, 5) != n })
		var s score
		for i, f := range sites {
			if fold(f.site, 5) == n {
				verdict, _, _ := judge(states[i], l)
				s.add(verdict == Valid, f.valid)
				all.add(verdict == Valid, f.valid)
			}
		}
		t.Logf("fold %d, by %+v: %v", n, l, s)
		if s.precision() < 0.88 || s.recall() < 0.88 {
			t.Errorf("fold %d: %v, want 0.88", n, s)
		}
	}
	t.Logf("all folds: %v", all)
	if all.precision() < 0.95 || all.recall() < 0.95 {
		t.Errorf("all folds: %v, want 0.95", all)
	}
}
