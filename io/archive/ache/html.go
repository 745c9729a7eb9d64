package ache

import (
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// HTML reads the files of FILESYSTEM_HTML: a body, of a page or of anything else, and nothing more. The URL is the
// file's name; where that is a hash, the capture has none, and says in Crawl which host it is of and what the hash is.
type HTML struct{}

// Match goes by the path alone.
// A body may be anything, so its bytes cannot tell.
func (HTML) Match(path string, _ []byte) bool { return IsPage(path) }

// Capture reads a file.
func (HTML) Capture(f dump.File, o payload.Options) (*schemas.Capture, []string, error) {
	c := &schemas.Capture{URL: urlOf(f.Path), RecordType: schemas.TypeResponse}
	if c.URL == "" {
		_, name := splitPath(f.Path)
		c.SetCrawl(schemas.CrawlHost, hostOfFolder(f.Path))
		c.SetCrawl(schemas.CrawlNameSHA256, name)
	}
	// The file's own time is not that of the capture: copying changes it.
	c.AddFlag(schemas.FlagTimestamp)
	b := payload.Block{Bytes: f.Bytes, Size: int64(len(f.Bytes))}
	// One byte more than there is, which tells payload.Raw that the body was cut.
	if f.Cut {
		b.Size++
	}
	payload.Raw(c, b, o)
	return c, nil, nil
}
