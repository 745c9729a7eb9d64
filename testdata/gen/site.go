package main

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// The two hosts. Names under .example belong to nobody (RFC 2606).
const (
	gazette = "www.harbour-gazette.example"
	port    = "port.wrenmouth.example"
)

//go:embed content
var content embed.FS

// page is one resource of a site.
type page struct {
	host, path string
	mime       string // Content-Type as the server sends it
	body       []byte
}

func (p page) url() string { return "https://" + p.host + p.path }

// file is where the page is stored below its host's folder.
func (p page) file() string {
	if strings.HasSuffix(p.path, "/") {
		return p.path + "index.html"
	}
	return p.path
}

// site holds every page of both hosts, in the order in which they were made.
type site struct {
	articles []*article
	pages    []page
}

func newSite() (*site, error) {
	articles, err := readArticles()
	if err != nil {
		return nil, err
	}
	s := &site{articles: articles}
	for _, add := range []func() error{s.addArticles, s.addHomes, s.addListing, s.addFeeds, s.addRaw, s.addMedia} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *site) add(host, path, mime string, body []byte) {
	s.pages = append(s.pages, page{host, path, mime, body})
}

// get returns the page at path of host.
func (s *site) get(host, path string) (page, error) {
	for _, p := range s.pages {
		if p.host == host && p.path == path {
			return p, nil
		}
	}
	return page{}, fmt.Errorf("no page %s%s", host, path)
}

func (s *site) addArticles() error {
	for _, a := range s.articles {
		body, err := a.render()
		if err != nil {
			return err
		}
		s.add(a.Host, a.Path, a.contentType(), body)
	}
	return nil
}

// addRaw adds the pages that are written by hand.
func (s *site) addRaw() error {
	const root = "content/raw"
	return fs.WalkDir(content, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := content.ReadFile(name)
		if err != nil {
			return err
		}
		host, file, _ := strings.Cut(strings.TrimPrefix(name, root+"/"), "/")
		s.add(host, "/"+file, mimeTypes[path.Ext(file)], body)
		return nil
	})
}

func (s *site) addMedia() error {
	img, err := quayPNG()
	if err != nil {
		return err
	}
	s.add(gazette, "/assets/quay.png", "image/png", img)
	for _, name := range []string{"harbour-report-2023", "reglement-du-port"} {
		text, err := content.ReadFile("content/pdf/" + name + ".txt")
		if err != nil {
			return err
		}
		doc, err := pdf(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.add(gazette, "/docs/"+name+".pdf", "application/pdf", doc)
	}
	return nil
}

// mimeTypes are what the server sends for a file's ending.
var mimeTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".rss":  "application/rss+xml; charset=utf-8",
	".atom": "application/atom+xml",
	".rdf":  "application/rdf+xml",
	".opml": "text/x-opml",
	".xml":  "application/xml",
}
