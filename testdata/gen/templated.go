package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// The hosts whose pages share paragraphs: eight pages are enough to see that, three are not.
const (
	tideline = "tideline.wrenmouth.example"
	quayside = "quayside.wrenmouth.example"
)

// story is a page of a host with a template.
type story struct {
	Name, Title string
	Paragraphs  []string
	Since       int    // another year on each page
	Visit       string // set when the page is not captured for the first time
}

// readStories returns the stories of both hosts.
func readStories() (eight, three []story, err error) {
	text, err := content.ReadFile("content/templated.txt")
	if err != nil {
		return nil, nil, err
	}
	var all []story
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(part, "\n")
		if strings.HasPrefix(lines[0], "#") {
			lines = lines[1:]
		}
		all = append(all, story{Title: lines[0], Paragraphs: lines[1:], Since: 1990 + len(all)})
	}
	if len(all) != 11 {
		return nil, nil, fmt.Errorf("templated.txt: %d pages", len(all))
	}
	return all[:8], all[8:], nil
}

// addTo writes the n-th story of a host.
func (y story) addTo(w *warc, host string, n int) error {
	y.Name = host
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "templated.tmpl", y); err != nil {
		return err
	}
	path := fmt.Sprintf("/%02d.html", n)
	if y.Visit != "" {
		path += "?reader=" + y.Visit
	}
	x, err := answer(page{host, path, "text/html; charset=utf-8", b.Bytes()})
	w.visit(x)
	return err
}

// templatedWARCs spread the pages over two files. The listing in the second one makes it large enough to be divided
// between the pages. The first page is captured four times more, each time with another line in it, as a
// crawler does that follows links with parameters: that must not make a template of it.
func templatedWARCs(s *site) ([]archive, error) {
	eight, three, err := readStories()
	if err != nil {
		return nil, err
	}
	clock := time.Date(2025, 3, 14, 9, 0, 0, 0, time.UTC)
	first := &warc{
		name: "part-a.warc.gz", version: "WARC/1.1", pack: gzipped, digest: sha1Base32, clock: clock,
		step: time.Minute,
	}
	second := &warc{
		name: "part-b.warc", version: "WARC/1.1", digest: sha1Base32, clock: clock.AddDate(0, 0, 1),
		step: time.Minute,
	}
	first.begin(conforms11)
	second.begin(conforms11)
	listing, err := visit{path: "/back-numbers.html"}.exchange(s)
	if err != nil {
		return nil, err
	}
	second.visit(listing)
	for i, y := range eight {
		w := first
		if i >= 4 {
			w = second
		}
		if err := y.addTo(w, tideline, i+1); err != nil {
			return nil, err
		}
	}
	for _, reader := range []string{"Alma", "Bertram", "Coralie", "Dunstan"} {
		again := eight[0]
		again.Visit = reader
		if err := again.addTo(second, tideline, 1); err != nil {
			return nil, err
		}
	}
	for i, y := range three {
		if err := y.addTo(first, quayside, i+1); err != nil {
			return nil, err
		}
	}
	return finishAll(first, second)
}
