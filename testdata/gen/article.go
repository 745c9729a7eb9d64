package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"html"
	"path"
	"strings"
)

// article is one story: its head from the top of a file in content/articles, its text from the rest.
type article struct {
	Host, Path, Lang, Layout            string
	Title, Author, Section, Description string
	Published, Modified                 string // RFC 3339, or a date alone
	Markup                              string // jsonld, broken, og or none: what its page says to machines
	Charset                             string // of its page; empty is UTF-8
	Label                               string // what its <meta> calls the charset; empty has no <meta>
	Declare                             string // header, meta, late (meta after byte 1,024) or both
	Tags                                []string
	Related                             []*article
	C                                   chrome
	text                                string
}

// URL is the article's address.
func (a *article) URL() string { return "https://" + a.Host + a.Path }

// Day is the date on which it was published.
func (a *article) Day() string { return a.Published[:len("2006-01-02")] }

// Short is a short name for it.
func (a *article) Short() string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(a.Path))) }

// Dir is the direction of its script, empty for left to right.
func (a *article) Dir() string {
	if a.Lang == "ar" || a.Lang == "he" {
		return "rtl"
	}
	return ""
}

// HTML is the text as HTML: headings and paragraphs.
func (a *article) HTML() string {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(a.text), "\n\n") {
		block = strings.TrimSpace(block)
		if heading, ok := strings.CutPrefix(block, "## "); ok {
			fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(heading))
			continue
		}
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(block))
	}
	return strings.TrimSpace(b.String())
}

// JSONLD describes it in the words of schema.org.
func (a *article) JSONLD() (string, error) {
	type object = map[string]any // encoding/json sorts the keys
	out, err := json.MarshalIndent(object{
		"@context":         "https://schema.org",
		"@type":            "NewsArticle",
		"headline":         a.Title,
		"description":      a.Description,
		"inLanguage":       a.Lang,
		"mainEntityOfPage": a.URL(),
		"datePublished":    a.Published,
		"dateModified":     cmp.Or(a.Modified, a.Published),
		"articleSection":   a.Section,
		"keywords":         a.Tags,
		"author":           object{"@type": "Person", "name": a.Author},
		"publisher": object{
			"@type": "NewsMediaOrganization", "name": "The Harbour Gazette",
			"logo": object{"@type": "ImageObject", "url": "https://" + gazette + "/assets/logo.svg"},
		},
		"contentLocation": object{"@type": "Place", "name": "Wrenmouth"},
	}, "", "  ")
	return string(out), err
}

// contentType is what the server declares: legacy charsets only where the article says so.
func (a *article) contentType() string {
	switch a.Declare {
	case "meta", "late":
		return "text/html"
	case "":
		return mimeTypes[".html"]
	}
	return "text/html; charset=" + cmp.Or(a.Label, a.Charset)
}

func (a *article) render() ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, a.Layout+".tmpl", a); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Path, err)
	}
	body, err := encode(a.Charset, b.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Path, err)
	}
	return body, nil
}

// readArticles reads content/articles in the order of the file names, then the notices and the print edition.
func readArticles() ([]*article, error) {
	chromes, err := readChromes()
	if err != nil {
		return nil, err
	}
	entries, err := content.ReadDir("content/articles")
	if err != nil {
		return nil, err
	}
	var all []*article
	for _, e := range entries {
		text, err := content.ReadFile(path.Join("content/articles", e.Name()))
		if err != nil {
			return nil, err
		}
		if e.Name() == "notices.txt" {
			all = append(all, notices(string(text))...)
			continue
		}
		a, err := parseArticle(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		all = append(all, a)
	}
	all = append(all, printEdition(all))
	for _, a := range all {
		a.C = chromes[a.Lang]
		a.Related = related(a, all)
	}
	return all, nil
}

// parseArticle reads "key: value" lines up to the first empty line, then the text.
func parseArticle(text string) (*article, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	a := &article{Host: gazette, text: body}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		if err := a.set(key, value); err != nil {
			return nil, err
		}
	}
	if a.Charset == "" && a.Layout == "table" {
		a.Label = "utf-8"
	}
	if a.Declare == "meta" || a.Declare == "late" {
		a.Label = a.Charset
	}
	return a, nil
}

func (a *article) set(key, value string) error {
	fields := map[string]*string{
		"host": &a.Host, "path": &a.Path, "lang": &a.Lang, "layout": &a.Layout, "title": &a.Title,
		"author": &a.Author, "section": &a.Section, "description": &a.Description, "published": &a.Published,
		"modified": &a.Modified, "markup": &a.Markup, "charset": &a.Charset, "label": &a.Label, "declare": &a.Declare,
	}
	if key == "tags" {
		a.Tags = strings.Split(value, ", ")
		return nil
	}
	field, ok := fields[key]
	if !ok {
		return fmt.Errorf("unknown key %q", key)
	}
	*field = value
	return nil
}

// related picks up to four articles of the same host: those in the same language, then English ones, whose titles
// fit into every charset.
func related(a *article, all []*article) []*article {
	var same, english []*article
	for _, b := range all {
		switch {
		case b == a || b.Host != a.Host:
		case b.Lang == a.Lang:
			same = append(same, b)
		case b.Lang == "en":
			english = append(english, b)
		}
	}
	both := append(same, english...)
	return both[:min(4, len(both))]
}
