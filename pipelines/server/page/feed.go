package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// atom is a feed of RFC 4287.
type atom struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Link    []atomLink `xml:"link"`
	Summary string     `xml:"summary"`
}

// atomOf makes the feed of a saved search; base is the address of this server.
func atomOf(f *view.SavedFeed, base, self string) ([]byte, error) {
	a := atom{
		ID: f.ID, Title: plainText(f.Title), Updated: f.Updated, Author: "Gleaner",
		Links: []atomLink{{"self", "application/atom+xml", base + self}, {"alternate", "text/html", base + f.Link}},
	}
	for _, e := range f.Entries {
		summary := e.URL
		if e.Captured != "" {
			summary += ", captured " + e.Captured
		}
		a.Entries = append(a.Entries, atomEntry{
			ID: e.ID, Title: plainText(e.Title), Updated: e.Updated, Summary: plainText(summary),
			Link: []atomLink{{"alternate", "text/html", base + e.Link}},
		})
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	err := xml.NewEncoder(&b).Encode(a)
	return b.Bytes(), err
}

// plainText leaves out bytes and characters that XML cannot have.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// feed answers with the Atom feed of a saved search.
func (p *Pages) feed(v *view.Views, base func(*http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := v.Feed(r.Context(), r.PathValue("id"))
		if err != nil {
			p.fail(w, r, err)
			return
		}
		body, err := atomOf(f, base(r), r.URL.EscapedPath())
		if err != nil {
			p.fail(w, r, err)
			return
		}
		sum := sha256.Sum256(body)
		h := w.Header()
		h.Set("Content-Type", "application/atom+xml; charset=utf-8")
		h.Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
		h.Set("Cache-Control", "private, no-cache")
		h.Set("Vary", "Accept-Encoding, Authorization, Cookie")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}

// visit leads to a saved search.
func (p *Pages) visit(v *view.Views) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		link, err := v.SavedLink(r.Context(), r.PathValue("id"))
		if err != nil {
			p.fail(w, r, err)
			return
		}
		http.Redirect(w, r, link, http.StatusSeeOther)
	}
}
