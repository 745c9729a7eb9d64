package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/markusmobius/go-trafilatura"
)

// texts reads pages as JSON with set, id, url and html, and prints go-trafilatura's text of each.
func texts(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	for d := json.NewDecoder(in); ; {
		var p struct{ Set, ID, URL, HTML string }
		if err := d.Decode(&p); err != nil {
			return errors.Join(ignoreEOF(err), w.Flush())
		}
		u, _ := url.Parse(p.URL) // nil for a page without URL
		found := struct {
			Set  string `json:"set"`
			ID   string `json:"id"`
			Text string `json:"text"`
		}{p.Set, p.ID, trafilaturaText(p.HTML, u)}
		if err := e.Encode(found); err != nil {
			return err
		}
	}
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// trafilaturaText returns go-trafilatura's text with default options and without comments.
func trafilaturaText(html string, u *url.URL) string {
	r, err := trafilatura.Extract(strings.NewReader(html), trafilatura.Options{
		OriginalURL: u, EnableFallback: true,
		ExcludeComments: true,
	})
	if err != nil {
		return "" // no text found
	}
	return r.ContentText
}

// trafilaturaAlone extracts the text of a page. A page without text costs as much as others.
func trafilaturaAlone(body []byte) error {
	_ = trafilaturaText(string(body), nil)
	return nil
}
