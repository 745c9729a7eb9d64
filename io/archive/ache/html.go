package ache

import (
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// HTML reads the files of FILESYSTEM_HTML: a body of any type, and nothing else. The file is named after the URL. If
// the name is a hash, the capture has no URL, and Crawl has the host and the hash.
type HTML struct{}

// Match only uses the path, because a body may be anything.
func (HTML) Match(path string, _ []byte) bool { return IsPage(path) }

// Capture reads a file.
func (HTML) Capture(f dump.File, o payload.Options) (*schemas.Capture, []string, error) {
	c := &schemas.Capture{URL: urlOf(f.Path), RecordType: schemas.TypeResponse}
	if c.URL == "" {
		_, name := splitPath(f.Path)
		c.SetCrawl(schemas.CrawlHost, hostOfFolder(f.Path))
		c.SetCrawl(schemas.CrawlNameSHA256, name)
	}
	// The file's time is not that of the capture: copying changes it.
	c.AddFlag(schemas.FlagTimestamp)
	b := payload.Block{Bytes: f.Bytes, Size: int64(len(f.Bytes))}
	// One byte more than exists marks the body as truncated for payload.Raw.
	if f.Cut {
		b.Size++
	}
	payload.Raw(c, b, o)
	return c, nil, nil
}
