package pagemeta

import (
	"bytes"
	"net/url"
	"time"

	"github.com/markusmobius/go-trafilatura"
)

// trafilaturaFields returns the results of go-trafilatura for a page, including its search for dates.
func trafilaturaFields(l *labelled) fields {
	o := trafilatura.Options{HtmlDateMode: trafilatura.Fast}
	if u, err := url.Parse(l.url); err == nil {
		o.OriginalURL = u
	}
	r, err := trafilatura.Extract(bytes.NewReader(l.html), o)
	if err != nil {
		return fields{}
	}
	f := fields{Title: r.Metadata.Title, Author: r.Metadata.Author}
	if !r.Metadata.Date.IsZero() {
		f.Date = r.Metadata.Date.Format(time.DateOnly)
	}
	return f
}
