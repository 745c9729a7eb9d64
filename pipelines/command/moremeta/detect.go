package moremeta

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxContents bounds what is looked at of a page, in bytes.
// It is the bound of ingest, by default.
const maxContents = 32 << 20

// detected reads a page's contents. Nothing is known of one that is not there, or whose language cannot be told.
// A page of unknown language stays a line of two columns, so that a table may still tell.
func detected(d *pagestore.Detector, day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	body, folder, err := contents(day, e)
	if errors.Is(err, fs.ErrNotExist) {
		return pagestore.Page{}, false, nil
	}
	if err != nil {
		return pagestore.Page{}, false, err
	}
	// As a response, because that is what the crawler stored: its body, without the header.
	kind, language := d.Detect(&schemas.Capture{URL: e.URL, Body: body, RecordType: schemas.TypeResponse})
	if language == "" {
		return pagestore.Page{}, false, nil
	}
	if hasItems(folder) {
		kind = pagestore.KindRSS
	}
	// Pages that are not in the table have no id of their own: NoID is 0.
	return pagestore.Page{ID: pagestore.NoID, Kind: kind, Language: language}, true, nil
}

// contents reads a page, whose folder may have got its right name in a migration that was interrupted.
// The name in META is tried first, and then the one that a migration would give the folder.
func contents(day string, e pagestore.Entry) (body []byte, folder string, err error) {
	for _, hash := range []string{e.MD5, pagestore.Hash(e.URL)} {
		folder = filepath.Join(day, hash)
		f, openErr := os.Open(filepath.Join(folder, "contents.html"))
		if openErr != nil {
			err = openErr
			continue
		}
		// A longer page is cut; its language is recognised by what is there.
		body, err = io.ReadAll(io.LimitReader(f, maxContents))
		return body, folder, errors.Join(err, f.Close())
	}
	// The error is that of the last name.
	return nil, "", err
}

// hasItems reports whether a page has items, and so is a feed: before revision 367 the contents of a feed were the text
// of these, and not its XML.
func hasItems(folder string) bool {
	// A folder of a feed has a META of its own, of its items.
	_, err := os.Stat(filepath.Join(folder, "META"))
	return err == nil
}
