package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/feed"
)

// peerFeed is a feed as peer.py prints it.
type peerFeed struct {
	Name    string     `json:"name"`
	Version string     `json:"version"`
	Feed    peerItem   `json:"feed"`
	Entries []peerItem `json:"entries"`
	Seconds []float64  `json:"seconds"`
}

// peerItem has the fields of a feed or an entry.
type peerItem struct {
	Title       *peerText `json:"title"`
	Link        string    `json:"link"`
	ID          string    `json:"id"`
	Description *peerText `json:"description"`
	Summary     *peerText `json:"summary"`
	Content     *peerText `json:"content"`
	Rights      *peerText `json:"rights"`
	Language    string    `json:"language"`
	Published   string    `json:"published"`
	Updated     string    `json:"updated"`
	Authors     []string  `json:"authors"`
	Categories  []string  `json:"categories"`
	Enclosures  []string  `json:"enclosures"`
	TTL         string    `json:"ttl"`
	Image       string    `json:"image"`
}

// peerText is a text, which feedparser may mark as plain.
type peerText struct {
	Value string `json:"value"`
	Plain bool   `json:"plain"`
}

func (t *peerText) text() string {
	switch {
	case t == nil:
		return ""
	case t.Plain:
		return oneLine(t.Value)
	}
	return shown(t.Value)
}

// shown returns the visible text of HTML with normalized white space.
func shown(s string) string {
	var text strings.Builder
	hidden := ""
	for z := html.NewTokenizer(strings.NewReader(s)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return oneLine(text.String())
		}
		name, _ := z.TagName()
		switch tag := string(name); {
		case kind == html.TextToken && hidden == "":
			text.Write(z.Text())
		case kind == html.StartTagToken && hidden == "" && (tag == "script" || tag == "style" || tag == "applet"):
			hidden = tag
		case kind == html.EndTagToken && tag == hidden:
			hidden = ""
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// field is a field's values in both.
type field struct{ name, peer, ours string }

func feedFields(p *peerItem, f *feed.Feed) []field {
	ttl := ""
	if f.Refresh.TTL > 0 {
		ttl = strconv.Itoa(f.Refresh.TTL)
	}
	return []field{
		{"feed title", p.Title.text(), f.Title},
		{"feed link", p.Link, f.Link},
		{"feed id", p.ID, f.ID},
		{"feed description", p.Description.text(), shown(f.Description)},
		{"feed language", p.Language, f.Language},
		{"feed rights", p.Rights.text(), f.Rights},
		{"feed published", p.Published, stamp(f.Published)},
		{"feed updated", p.Updated, stamp(f.Updated)},
		{"feed authors", list(p.Authors), persons(f.Authors)},
		{"feed categories", list(p.Categories), list(f.Categories)},
		{"feed ttl", p.TTL, ttl},
		{"feed image", p.Image, f.Image},
	}
}

func entryFields(p *peerItem, it *feed.Item) []field {
	var files []string
	for _, e := range it.Enclosures {
		files = append(files, e.URL)
	}
	return []field{
		{"entry title", p.Title.text(), it.Title},
		{"entry link", p.Link, it.Link},
		{"entry id", p.ID, it.ID},
		{"entry summary", p.Summary.text(), shown(it.Summary)},
		{"entry content", p.Content.text(), shown(it.Content)},
		{"entry published", p.Published, stamp(it.Published)},
		{"entry updated", p.Updated, stamp(it.Updated)},
		{"entry authors", list(p.Authors), persons(it.Authors)},
		{"entry categories", list(p.Categories), list(it.Categories)},
		{"entry enclosures", list(p.Enclosures), list(files)},
	}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func persons(people []feed.Person) string {
	var names []string
	for _, p := range people {
		names = append(names, strings.TrimSpace(p.Name+" "+p.Email))
	}
	return list(names)
}

// list formats a set of texts on one line, sorted.
func list(texts []string) string {
	var set []string
	for _, t := range texts {
		set = append(set, oneLine(t))
	}
	slices.Sort(set)
	return strings.Join(slices.Compact(set), " | ")
}

type share struct{ good, all int }

func (s share) String() string {
	if s.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.4f)", s.good, s.all, float64(s.good)/float64(s.all))
}

func (s *share) count(good bool) {
	s.all++
	if good {
		s.good++
	}
}

// half has the figures of half of the files.
type half struct {
	files, versions, ours int               // number of files; those with a version by feedparser; those that we read
	parsed                map[string]*share // of files with a version, by folder
	fields                map[string]*share
}

func total(of map[string]*share) share {
	var sum share
	for _, s := range of {
		sum.good += s.good
		sum.all += s.all
	}
	return sum
}

// report is the comparison.
type report struct {
	halves                  [2]half // development, report
	ourSeconds, peerSeconds []float64
	differences             []string
}

func newReport() *report {
	r := &report{}
	for i := range r.halves {
		r.halves[i] = half{parsed: map[string]*share{}, fields: map[string]*share{}}
	}
	return r
}

func count(m map[string]*share, key string, good bool) {
	if m[key] == nil {
		m[key] = &share{}
	}
	m[key].count(good)
}

// add compares a file. Only fields that feedparser fills count.
func (r *report) add(name string, p *peerFeed, f *feed.Feed) {
	h := &r.halves[1]
	if development(name) {
		h = &r.halves[0]
	}
	h.files++
	if f != nil {
		h.ours++
	}
	if p == nil || p.Version == "" {
		return
	}
	h.versions++
	count(h.parsed, path.Dir(name), f != nil)
	if f == nil {
		r.differ(name, field{"version", p.Version, "no feed"})
		return
	}
	all := append(feedFields(&p.Feed, f), field{"entries", strconv.Itoa(len(p.Entries)), strconv.Itoa(len(f.Items))})
	for i := range p.Entries {
		it := feed.Item{}
		if i < len(f.Items) {
			it = f.Items[i]
		}
		all = append(all, entryFields(&p.Entries[i], &it)...)
	}
	for _, x := range all {
		if x.peer == "" {
			continue
		}
		count(h.fields, x.name, x.peer == x.ours)
		if x.peer != x.ours {
			r.differ(name, x)
		}
	}
}

func (r *report) differ(name string, x field) {
	if development(name) {
		r.differences = append(r.differences, fmt.Sprintf("%s: %s: %q, feedparser %q", name, x.name, x.ours, x.peer))
	}
}

func (r *report) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	dev, rep := &r.halves[0], &r.halves[1]
	fmt.Fprintf(w, "\tdevelopment\treport\n")
	fmt.Fprintf(w, "files\t%d\t%d\n", dev.files, rep.files)
	fmt.Fprintf(w, "feedparser names a version\t%d\t%d\n", dev.versions, rep.versions)
	fmt.Fprintf(w, "we read\t%d\t%d\n", dev.ours, rep.ours)
	row := func(name string, d, p share) { fmt.Fprintf(w, "%s\t%v\t%v\n", name, d, p) }
	table := func(d, p map[string]*share) {
		names := slices.Sorted(maps.Keys(d))
		for name := range p {
			if d[name] == nil {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			row("  "+name, value(d[name]), value(p[name]))
		}
	}
	row("read, of those with a version", total(dev.parsed), total(rep.parsed))
	table(dev.parsed, rep.parsed)
	row("fields that agree", total(dev.fields), total(rep.fields))
	table(dev.fields, rep.fields)
	ours, peer := slices.Min(r.ourSeconds), slices.Min(r.peerSeconds)
	fmt.Fprintf(w, "CPU seconds over all files, best of %d: ours %.4f, feedparser %.4f, ratio %.1f\n", len(r.ourSeconds),
		ours, peer, peer/ours)
	return w.Flush()
}

func value(s *share) share { return *cmp.Or(s, &share{}) }
