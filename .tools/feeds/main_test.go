package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/feed"
)

const archive = "../../../shared/corpora/feeds/feedparser-half.tar.gz"

// The requirements: nearly all feeds are read, the fields agree, and it costs at most an eighth.
func TestCompare_feedparser(t *testing.T) {
	if _, err := os.Stat(archive); errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/corpora/feeds beside the checkout: feeds of others, which may not be copied into it")
	}
	python := pythontest.Interpreter(t, "import feedparser; assert feedparser.__version__[:2] == '6.'",
		"feedparser==6.0.14")
	r, err := compare(archive, python, "peer.py", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range r.halves {
		name := [...]string{"development", "report"}[i]
		parsed, fields := total(h.parsed), total(h.fields)
		if float64(parsed.good) < 0.995*float64(parsed.all) || parsed.all < 500 {
			t.Errorf("%s: read %v, want 0.995", name, parsed)
		}
		if float64(fields.good) < 0.97*float64(fields.all) || fields.all < 900 {
			t.Errorf("%s: fields agree in %v, want 0.97", name, fields)
		}
	}
	if ratio := r.peerSeconds[0] / r.ourSeconds[0]; ratio < 8 {
		t.Errorf("feedparser takes %.1f times our CPU time, want 8", ratio)
	}
}

func TestReport_add(t *testing.T) {
	r := newReport()
	p := &peerFeed{Version: "rss20", Feed: peerItem{Title: &peerText{Value: "a &amp; <b>b</b>"}, Link: "http://x/"}}
	p.Entries = []peerItem{{Title: &peerText{Value: "1 < 2", Plain: true}}, {Authors: []string{"b", "a"}}}
	f := &feed.Feed{Title: "a & b", Link: "http://y/", Items: []feed.Item{{Title: "1 < 2"}}}
	r.add("f", p, f)
	r.add("none", &peerFeed{}, nil)
	r.add("missed", p, nil)
	var fields, parsed share
	files := 0
	for _, h := range r.halves {
		f, p := total(h.fields), total(h.parsed)
		fields.good, fields.all = fields.good+f.good, fields.all+f.all
		parsed.good, parsed.all = parsed.good+p.good, parsed.all+p.all
		files += h.files
	}
	if want := (share{2, 5}); fields != want { // the titles; not the link, the number of entries and the authors
		t.Errorf("fields = %v, want %v", fields, want)
	}
	if want := (share{1, 2}); parsed != want || files != 3 {
		t.Errorf("parsed = %v of %d files, want %v of 3", parsed, files, want)
	}
	r.ourSeconds, r.peerSeconds = []float64{1}, []float64{20}
	var out strings.Builder
	if err := r.print(&out); err != nil || !strings.Contains(out.String(), "ratio 20.0") {
		t.Errorf("print = %q, %v", out.String(), err)
	}
}
