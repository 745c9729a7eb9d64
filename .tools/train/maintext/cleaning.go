package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
)

// cleaning returns a reader of half of a set that was made to evaluate the cleaning of pages. CleanEval has pages of
// all types without labels; the pages of the other sets are articles.
func cleaning(name string) func(dir string) ([]sample, error) {
	return func(dir string) ([]sample, error) {
		file := filepath.Join(dir, "cleaning", name+"-half.jsonl.gz")
		b, err := read(file)
		if err != nil {
			return nil, err
		}
		var samples []sample
		for d := json.NewDecoder(bytes.NewReader(b)); ; {
			var p struct {
				ID, URL, Text string
				HTML          []byte `json:"html_base64"`
			}
			if err := d.Decode(&p); err == io.EOF {
				return samples, nil
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			s := sample{ID: p.ID, URL: p.URL, Text: p.Text, body: p.HTML}
			// These addresses were made up for the set.
			if u, err := url.Parse(p.URL); err != nil || isMadeUp.MatchString(u.Host) {
				s.URL, s.Host = "", linkedHost(p.HTML, p.ID)
			}
			samples = append(samples, s)
		}
	}
}

var (
	isMadeUp  = regexp.MustCompile(`\.example$`)
	madeLinks = regexp.MustCompile(`(?i)(?:href|src|action)\s*=\s*["']?https?://(?:www\.)?([a-z0-9.-]+)`)
)

// linkedHost returns the host that most links of a page lead to, usually its own, or other if there are no links. It
// groups pages, because pages of one host must be in one fold.
func linkedHost(html []byte, other string) string {
	counts, best := map[string]int{}, other
	for _, m := range madeLinks.FindAllSubmatch(html, -1) {
		h := string(bytes.ToLower(m[1]))
		if counts[h]++; counts[h] > counts[best] || counts[h] == counts[best] && h < best {
			best = h
		}
	}
	return best
}
