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

// maxContents limits how much of a page is read, in bytes, as in ingest.
const maxContents = 32 << 20

// detected reads a page's contents. It returns false for a missing page or an unknown language: the line keeps two
// columns, which a later table may complete.
func detected(d *pagestore.Detector, day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	body, folder, err := contents(day, e)
	if errors.Is(err, fs.ErrNotExist) {
		return pagestore.Page{}, false, nil
	}
	if err != nil {
		return pagestore.Page{}, false, err
	}
	// The crawler stored the body of the response without its header.
	kind, language := d.Detect(&schemas.Capture{URL: e.URL, Body: body, RecordType: schemas.TypeResponse})
	if language == "" {
		return pagestore.Page{}, false, nil
	}
	if hasItems(folder) {
		kind = pagestore.KindRSS
	}
	return pagestore.Page{ID: pagestore.NoID, Kind: kind, Language: language}, true, nil
}

// contents reads a page in the folder named in META, or under the name that an interrupted migration may have given
// it.
func contents(day string, e pagestore.Entry) (body []byte, folder string, err error) {
	for _, hash := range []string{e.MD5, pagestore.Hash(e.URL)} {
		folder = filepath.Join(day, hash)
		f, openErr := os.Open(filepath.Join(folder, "contents.html"))
		if openErr != nil {
			err = openErr
			continue
		}
		// A truncated page is enough to detect the language.
		body, err = io.ReadAll(io.LimitReader(f, maxContents))
		return body, folder, errors.Join(err, f.Close())
	}
	return nil, "", err
}

// hasItems reports whether a page has items and so is a feed. Before revision 367 the contents of a feed were the
// text of its items, not XML.
func hasItems(folder string) bool {
	// The folder of a feed has a META of its items.
	_, err := os.Stat(filepath.Join(folder, "META"))
	return err == nil
}
