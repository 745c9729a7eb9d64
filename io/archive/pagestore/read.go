package pagestore

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/schemas"
)

// Format reads the files of a PageStore. A contents.html is a capture: its URL and what the crawler said of it stand in
// the META file of its folder, its day in its path. A META file holds no capture; what is wrong with its lines is
// rejected.
type Format struct{}

// Match goes by the path alone.
func (Format) Match(path string, _ []byte) bool { return IsStored(path) }

// What is counted of lines and pages.
const (
	quirkDuplicate = "pagestore: line again"          // of a hash that has a line further down
	quirkJoined    = "pagestore: line end before URL" // and the URL hashed with it
	quirkHash      = "pagestore: hash of another URL"
	quirkNoLine    = "pagestore: page without line"
)

// Capture reads a file.
func (Format) Capture(f shape.File, o payload.Options) (*schemas.Capture, []string, error) {
	p, ok := placeOf(f.Path)
	if !ok {
		return nil, nil, errors.New("pagestore: no path of a PageStore")
	}
	if p.page != "" {
		return readPage(f, p, o)
	}
	if strings.HasSuffix(f.Path, oldName) {
		return nil, nil, nil
	}
	quirks, err := checkMeta(f, p)
	return nil, quirks, err
}

// readPage reads a contents.html. Its time is the beginning of its day: more is not known.
func readPage(f shape.File, p place, o payload.Options) (*schemas.Capture, []string, error) {
	line, ok, err := lineOf(f, folder(p.day, p.feed), p.page)
	if err != nil {
		return nil, nil, err
	}
	c := &schemas.Capture{URL: line.URL, Timestamp: p.date, RecordType: schemas.TypeResponse}
	c.SetCrawl(schemas.CrawlKind, line.Kind)
	c.SetCrawl(schemas.CrawlLanguage, line.Language)
	var quirks []string
	if !ok {
		c.SetCrawl(schemas.CrawlNameMD5, p.page)
		quirks = append(quirks, quirkNoLine)
	}
	if p.feed == "" {
		c.SetCrawl(schemas.CrawlPageID, line.ID)
	} else if err := setFeed(c, f, p, line); err != nil {
		return nil, nil, err
	}
	b := payload.Block{Bytes: f.Bytes, Size: int64(len(f.Bytes))}
	if f.Cut {
		b.Size++
	}
	payload.Raw(c, b, o)
	return c, quirks, nil
}

// setFeed says of an item's page which feed it came from. The folder tells that it is an item where the line does not.
func setFeed(c *schemas.Capture, f shape.File, p place, item Line) error {
	feed, _, err := lineOf(f, p.day, p.feed)
	if err != nil {
		return err
	}
	c.SetCrawl(schemas.CrawlKind, KindItem)
	c.SetCrawl(schemas.CrawlFeedURL, feed.URL)
	c.SetCrawl(schemas.CrawlFeedID, feed.ID)
	c.SetCrawl(schemas.CrawlFeedID, item.ID)
	return nil
}

// lineOf returns the line of a hash in the META file of a folder, if there is one.
func lineOf(f shape.File, dir, hash string) (Line, bool, error) {
	x, err := shape.Made(f, dir+"/"+metaName, newIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return Line{}, false, nil
	}
	if err != nil {
		return Line{}, false, fmt.Errorf("pagestore: %w", err)
	}
	line, ok := x.find(hash)
	return line, ok, nil
}

// checkMeta rejects the lines of a META file that cannot be read, and those whose pages are not there.
func checkMeta(f shape.File, p place) (quirks []string, err error) {
	if f.Cut {
		return nil, fmt.Errorf("pagestore: META: %w", shape.ErrLimit)
	}
	last := newIndex(f.Bytes).last
	for e, err := range Entries(f.Bytes) {
		if err != nil {
			f.Reject(schemas.Reject{Offset: e.Offset, Length: e.Length, Lost: e.Length, Kind: schemas.KindGarbage, Message: err.Error()})
			continue
		}
		if last[key(e.MD5)] != e.Offset {
			quirks = append(quirks, quirkDuplicate)
			continue
		}
		if e.Joined {
			quirks = append(quirks, quirkJoined)
		} else if !e.Sound() {
			quirks = append(quirks, quirkHash)
		}
		if err := checkPage(f, p, e); err != nil {
			return nil, err
		}
	}
	return quirks, nil
}

// checkPage rejects a line whose page is not there: the programs call that "md5 incoherency".
func checkPage(f shape.File, p place, e Entry) error {
	if f.Exists == nil {
		return nil
	}
	path := folder(p.day, p.feed) + "/" + e.MD5 + "/" + contentsName
	ok, err := f.Exists(path)
	if err != nil || ok {
		return err
	}
	f.Reject(schemas.Reject{
		Offset: e.Offset, Length: e.Length, Lost: e.Length, Kind: schemas.KindMissing, URL: e.URL,
		Message: fmt.Sprintf("pagestore: md5 incoherency: the page of this line is not there: %s/%s", e.MD5, contentsName),
	})
	return nil
}
