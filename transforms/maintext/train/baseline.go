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

// baseline writes what go-trafilatura finds in the samples.
func baseline(samples []sample, _ []string, w io.Writer) error {
	e := json.NewEncoder(w)
	for i := range samples {
		s := &samples[i]
		src, err := s.html()
		if err != nil {
			return err
		}
		if err := e.Encode(prediction{Set: s.Set, ID: s.ID, Text: trafilaturaText(src, s.URL)}); err != nil {
			return err
		}
	}
	return nil
}

// trafilaturaText is what go-trafilatura finds with its default options, comments left out.
func trafilaturaText(src []byte, ref string) string {
	u, _ := url.Parse(ref) // a page without URL has none
	r, err := trafilatura.Extract(bytes.NewReader(src), trafilatura.Options{
		OriginalURL: u, EnableFallback: true, ExcludeComments: true,
	})
	if err != nil {
		return "" // it finds nothing
	}
	return r.ContentText
}
