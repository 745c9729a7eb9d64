package pagestore

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Format reads the files of a PageStore. A contents.html is a capture: its folder's META file has its URL and the
// crawler's values, and its path has the day. A META file is not a capture; faults of its lines become rejects.
type Format struct{}

// Match only uses the path.
func (Format) Match(path string, _ []byte) bool { return IsStored(path) }

const (
	quirkDuplicate = "pagestore: line again"          // another line further down has the same hash
	quirkJoined    = "pagestore: line end before URL" // and the URL hashed with it
	quirkHash      = "pagestore: hash of another URL"
	quirkNoLine    = "pagestore: page without line"
)

// Capture reads a file.
func (Format) Capture(f dump.File, o payload.Options) (*schemas.Capture, []string, error) {
	p, ok := placeOf(f.Path)
	if !ok {
		return nil, nil, errors.New("pagestore: no path of a PageStore")
	}
	if p.page != "" {
		return readPage(f, p, o)
	}
	// With a part of the lines, pages would seem to have none.
	if f.Cut && !strings.HasSuffix(f.Path, oldName) {
		return nil, nil, fmt.Errorf("pagestore: META: %w", dump.ErrLimit)
	}
	return nil, nil, nil
}

// readPage reads a contents.html. Its time is the beginning of its day: no more is known.
func readPage(f dump.File, p place, o payload.Options) (*schemas.Capture, []string, error) {
	// A missing META file is not an error.
	line, ok, err := lineOf(f, folder(p.day, p.feed), p.page)
	if err != nil {
		return nil, nil, err
	}
	c := &schemas.Capture{URL: urlkey.Text(line.URL), Timestamp: p.date, RecordType: schemas.TypeResponse}
	c.SetCrawl(schemas.CrawlKind, line.Kind)
	c.SetCrawl(schemas.CrawlLanguage, line.Language)
	var quirks []string
	if !ok {
		// The URL is unknown, but may be found elsewhere by the hash.
		c.SetCrawl(schemas.CrawlNameMD5, p.page)
		quirks = append(quirks, quirkNoLine)
	}
	if p.feed == "" {
		c.SetCrawl(schemas.CrawlPageID, line.ID)
	} else if err := setFeed(c, f, p, line); err != nil {
		return nil, nil, err
	}
	b := payload.Block{Bytes: f.Bytes, Size: int64(len(f.Bytes))}
	// One byte more than exists marks the body as truncated.
	if f.Cut {
		b.Size++
	}
	payload.Raw(c, b, o)
	return c, quirks, nil
}

// setFeed sets the feed of an item's page.
func setFeed(c *schemas.Capture, f dump.File, p place, item Line) error {
	feed, _, err := lineOf(f, p.day, p.feed)
	if err != nil {
		return err
	}
	// By the folder it is an item, even if its line has only two columns.
	c.SetCrawl(schemas.CrawlKind, KindItem)
	c.SetCrawl(schemas.CrawlFeedURL, urlkey.Text(feed.URL))
	c.SetCrawl(schemas.CrawlFeedID, feed.ID)
	// The item's own ID wins; an empty one sets nothing.
	c.SetCrawl(schemas.CrawlFeedID, item.ID)
	return nil
}

// lineOf returns the line of a hash in the META file of a folder, if it exists.
func lineOf(f dump.File, dir, hash string) (Line, bool, error) {
	// Made once for all pages of the folder.
	x, err := dump.Made(f, dir+"/"+metaName, newIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return Line{}, false, nil
	}
	if err != nil {
		return Line{}, false, fmt.Errorf("pagestore: %w", err)
	}
	line, ok := x.find(hash)
	return line, ok, nil
}

// Parts yields the faults of a META file: invalid lines, and lines without a page.
func (Format) Parts(f dump.File) iter.Seq[dump.Part] {
	return func(yield func(dump.Part) bool) {
		p, ok := placeOf(f.Path)
		// META.old is the state before a migration: its faults have been handled.
		if !ok || p.page != "" || strings.HasSuffix(f.Path, oldName) {
			return
		}
		last := newIndex(f.Bytes).last
		for e, err := range Entries(f.Bytes) {
			if err != nil {
				if !yield(dump.Part{Reject: reject(e, schemas.KindGarbage, "", err.Error())}) {
					return
				}
				continue
			}
			if quirk := quirkOf(e, last); quirk != "" && !yield(dump.Part{Quirk: quirk}) {
				return
			}
			// The page is checked once, for its last line.
			if last[key(e.MD5)] != e.Offset {
				continue
			}
			missing, err := checkPage(f, p, e)
			if err != nil || missing != nil && !yield(dump.Part{Reject: missing}) {
				return // an error is the file system's and is reported elsewhere
			}
		}
	}
}

// quirkOf returns the quirk of a valid line. last are the offsets of the last line of each hash.
func quirkOf(e Entry, last map[[md5.Size]byte]int64) string {
	switch {
	case last[key(e.MD5)] != e.Offset:
		return quirkDuplicate
	case e.Joined:
		return quirkJoined
	case !e.Sound():
		return quirkHash
	}
	return ""
}

// checkPage rejects a line whose page is missing; the programs call that "md5 incoherency".
func checkPage(f dump.File, p place, e Entry) (*schemas.Reject, error) {
	// Without access to other files, for example on standard input, nothing can be checked.
	if f.Exists == nil {
		return nil, nil
	}
	path := folder(p.day, p.feed) + "/" + e.MD5 + "/" + contentsName
	ok, err := f.Exists(path)
	if err != nil || ok {
		return nil, err
	}
	why := fmt.Sprintf("pagestore: md5 incoherency: the page of this line is not there: %s/%s", e.MD5, contentsName)
	return reject(e, schemas.KindMissing, e.URL, why), nil
}

func reject(e Entry, kind schemas.Kind, url, why string) *schemas.Reject {
	return &schemas.Reject{Offset: e.Offset, Length: e.Length, Lost: e.Length, Kind: kind, URL: url, Message: why}
}
