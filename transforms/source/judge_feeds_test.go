package source

import (
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// labelledFeed is a feed of testdata/feeds.txt.
type labelledFeed struct {
	site, part, why string
	valid           bool
	row             schemas.FeedCapture
}

// themed begins the title of an item whose text is that of a theme.
const themed = "~"

// readLabelled reads the labelled feeds. A feed begins with @, its repository, path, part, verdict and reason; a line
// of an item has its date or -, the path of its link and its title.
func readLabelled(t testing.TB) (list []labelledFeed) {
	t.Helper()
	text, err := os.ReadFile("testdata/feeds.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "@ "); ok {
			list = append(list, newLabelled(t, strings.SplitN(rest, " ", 5)))
			continue
		}
		f := strings.SplitN(line, " ", 3)
		last := &list[len(list)-1].row
		item := schemas.FeedItem{URL: strings.TrimSuffix(last.Link, "/") + f[1], Title: f[2]}
		if len(f[0]) > len("2006-01-02") {
			item.Published = f[0] + ":00Z"
		} else if f[0] != "-" {
			item.Published = f[0]
		}
		last.Items, last.Count = append(last.Items, item), last.Count+1
	}
	return list
}

func newLabelled(t testing.TB, f []string) labelledFeed {
	t.Helper()
	if len(f) != 5 || f[3] != Valid && f[3] != Rejected {
		t.Fatalf("not a labelled feed: %q", f)
	}
	owner, _, _ := strings.Cut(f[0], "/")
	host := strings.ToLower(owner) + ".github.io"
	row := schemas.FeedCapture{
		Kind: "feed", URL: "https://" + host + "/index.xml", Type: "rss", Status: 200, Link: "https://" + host + "/",
		Timestamp: "2026-11-28T00:00:00Z", Host: host, Domain: urlkey.RegistrableDomain(host),
	}
	return labelledFeed{site: f[0], part: f[2], why: f[4], valid: f[3] == Valid, row: row}
}

// state is the feed with its pages, which nobody had: all are there, have the items' titles and are articles.
func (f labelledFeed) state() State {
	samples := make([]bool, len(f.row.Items))
	for n := range f.row.Items {
		f.row.Items[n].Title, samples[n] = strings.CutPrefix(f.row.Items[n].Title, themed)
	}
	return with(&f.row, func(n int, d *schemas.Document) {
		if samples[n] {
			d.Text = "Three hundred and forty-eight years, six months, and nineteen days ago to-day"
		}
	})
}

// TestJudge_labelledFeeds: what feeds of real sites tell by themselves, all of whose pages are as their items say. The
// figures are those of docs/sources.md, of the worst of five folds by site, and of each part.
func TestJudge_labelledFeeds(t *testing.T) {
	type count struct{ taken, right, valid, all int }
	var folds [5]count
	parts := map[string]*count{}
	for _, f := range readLabelled(t) {
		verdict, reasons, e := Judge(f.state())
		if (verdict == Valid) != f.valid {
			t.Logf("%s (%s): %s %q, labelled: %s\n%+v", f.site, f.part, verdict, reasons, f.why, e)
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(f.site)) // it returns no error
		if parts[f.part] == nil {
			parts[f.part] = new(count)
		}
		for _, c := range []*count{&folds[h.Sum32()%5], parts[f.part]} {
			c.all++
			if verdict == Valid {
				c.taken++
			}
			if f.valid {
				c.valid++
			}
			if f.valid && verdict == Valid {
				c.right++
			}
		}
	}
	precision := func(c *count) float64 { return float64(c.right) / float64(max(1, c.taken)) }
	recall := func(c *count) float64 { return float64(c.right) / float64(max(1, c.valid)) }
	for part, c := range parts {
		t.Logf("%s: %d sites, %d valid: precision %.3f, recall %.3f", part, c.all, c.valid, precision(c), recall(c))
	}
	for n := range folds {
		p, r := precision(&folds[n]), recall(&folds[n])
		t.Logf("fold %d: %d sites, %d valid: precision %.3f, recall %.3f", n, folds[n].all, folds[n].valid, p, r)
		if p < 0.95 || r < 0.95 {
			t.Errorf("fold %d: precision %.3f, recall %.3f, want 0.95", n, p, r)
		}
	}
}
