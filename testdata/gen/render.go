package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"text/template"
	"time"
)

// templates are text templates that escape where they say so: the output of html/template may differ between
// versions of Go, and these files must not.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"esc":     html.EscapeString,
	"urlq":    url.PathEscape,
	"json":    quoteJSON,
	"rfc822":  func(s string) string { return instant(s).Format(time.RFC1123Z) },
	"instant": func(s string) string { return instant(s).Format(time.RFC3339) },
}).ParseFS(content, "content/templates/*.tmpl"))

func quoteJSON(s string) (string, error) {
	out, err := json.Marshal(s)
	return string(out), err
}

// instant reads an article's date; one without a time is midnight, UTC.
func instant(s string) time.Time {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t
	}
	t, _ := time.Parse(time.DateOnly, s) // the zero time shows in the output
	return t
}

// chrome is the text around an article, in its language.
type chrome struct {
	Home, News, Culture, Contact, Search, Cookies, Accept, Related, Newsletter, Footer, By string
}

func readChromes() (map[string]chrome, error) {
	text, err := content.ReadFile("content/chrome.txt")
	if err != nil {
		return nil, err
	}
	out := map[string]chrome{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 12 {
			return nil, fmt.Errorf("chrome.txt: %d columns in %q", len(f), line)
		}
		out[f[0]] = chrome{f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11]}
	}
	return out, nil
}

// edition is the front page in one language.
type edition struct {
	Host, Path, Lang string
	C                chrome
	Articles         []*article
	Editions         []edition
}

// addHomes adds the front pages: all articles on the English one, those in their language on the others.
func (s *site) addHomes() error {
	chromes, err := readChromes()
	if err != nil {
		return err
	}
	editions := []edition{
		{Host: gazette, Path: "/", Lang: "en"},
		{Host: gazette, Path: "/de/", Lang: "de"},
		{Host: gazette, Path: "/fr/", Lang: "fr"},
		{Host: port, Path: "/", Lang: "en"},
	}
	for _, e := range editions {
		e.C, e.Editions = chromes[e.Lang], editions[:3]
		for _, a := range s.articles {
			if a.Host == e.Host && (e.Path == "/" || a.Lang == e.Lang) {
				e.Articles = append(e.Articles, a)
			}
		}
		if err := s.render(e.Host, e.Path, "home.tmpl", e); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) addListing() error {
	return s.render(gazette, "/back-numbers.html", "listing.tmpl", map[string]any{"Issues": issues(420)})
}

// addFeeds adds the six newest stories in English in each feed format, newest first, and the map of all stories.
func (s *site) addFeeds() error {
	data := struct {
		Host          string
		Articles, All []*article
	}{Host: gazette}
	for _, a := range s.articles {
		if a.Host != gazette || a.Charset != "" {
			continue
		}
		data.All = append(data.All, a)
		if a.Lang == "en" && !strings.HasPrefix(a.Path, "/print/") {
			data.Articles = append(data.Articles, a)
		}
	}
	slices.SortStableFunc(data.Articles,
		func(a, b *article) int { return instant(b.Published).Compare(instant(a.Published)) })
	data.Articles = data.Articles[:6]
	for _, name := range []string{
		"feeds/news.rss", "feeds/news.atom", "feeds/news.rdf", "feeds/news.json",
		"feeds/paper.opml", "sitemap.xml",
	} {
		if err := s.render(gazette, "/"+name, strings.TrimPrefix(name, "feeds/"), data); err != nil {
			return err
		}
	}
	return nil
}

// render adds the page that a template makes of data.
func (s *site) render(host, path, name string, data any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	mime := mimeTypes[".html"]
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		mime = mimeTypes[path[i:]]
	}
	if path == "/feeds/news.json" {
		mime = "application/feed+json"
	}
	s.add(host, path, mime, b.Bytes())
	return nil
}
