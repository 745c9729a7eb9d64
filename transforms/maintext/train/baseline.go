package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"

	"github.com/markusmobius/go-trafilatura"
)

// prediction is a page's text as some extractor has it.
type prediction struct {
	Set  string `json:"set"`
	ID   string `json:"id"`
	Text string `json:"text"`
}

// baseline writes what go-trafilatura finds in the samples with its default options, comments left out.
func baseline(samples []sample, w io.Writer) error {
	e := json.NewEncoder(w)
	for i := range samples {
		s := &samples[i]
		src, err := s.html()
		if err != nil {
			return err
		}
		p := prediction{Set: s.Set, ID: s.ID}
		u, _ := url.Parse(s.URL) // a page without URL has none
		if r, err := trafilatura.Extract(bytes.NewReader(src), trafilatura.Options{
			OriginalURL: u, EnableFallback: true, ExcludeComments: true,
		}); err == nil {
			p.Text = r.ContentText
		}
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	return nil
}
