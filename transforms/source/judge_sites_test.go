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

// fold is which of n a site is in.
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
			case name == "second.txt":
				part = "second"
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

// stand puts a feed where its site is; or where its repository is, of one that names an address that is not its own.
// Of that no page was captured.
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

// add adds an item: its date, link and title, before which its words may stand.
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

// TestJudge_sites is the first look.
func TestJudge_sites(t *testing.T) {
	parts := map[string]*score{}
	for _, f := range append(readSites(t, "sites.txt"), readSites(t, "second.txt")...) {
		verdict, reasons, e := Judge(f.state())
		if parts[f.part] == nil {
			parts[f.part] = new(score)
		}
		parts[f.part].add(verdict == Valid, f.valid)
		if f.part != "kept" && (verdict == Valid) != f.valid {
			t.Logf("%s: %s %q, labelled: %s\n%+v", f.site, verdict, reasons, f.why, e)
		}
	}
	for part, s := range parts {
		t.Logf("%s: %v", part, s)
	}
}
