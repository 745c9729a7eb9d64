package moremeta

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// detector finds kind and language of pages from their contents.
// It is the engine of ingest with one extractor, so that both say the same of a page.
type detector struct{ enricher *enrich.Enricher }

// Language needs the main text, which it makes without being asked.
func newDetector() (*detector, error) {
	e, err := enrich.New(enrich.Options{Extract: []string{"language"}})
	return &detector{e}, err
}

// maxContents bounds what is looked at of a page, in bytes.
// It is the bound of ingest, by default.
const maxContents = 32 << 20

// page reads a page's contents. Nothing is known of one that is not there, or whose language cannot be told.
// A page of unknown language stays a line of two columns, so that a table may still tell.
func (d *detector) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	body, folder, err := contents(day, e)
	if errors.Is(err, fs.ErrNotExist) {
		return pagestore.Page{}, false, nil
	}
	if err != nil {
		return pagestore.Page{}, false, err
	}
	// As a response, because that is what the crawler stored: its body, without the header.
	doc := d.enricher.Document(&schemas.Capture{URL: e.URL, Body: body, RecordType: schemas.TypeResponse})
	if doc.Language == "" || doc.Language == langid.Unknown {
		return pagestore.Page{}, false, nil
	}
	// Pages that are not in the table have no id of their own: NoID is 0.
	return pagestore.Page{ID: pagestore.NoID, Kind: kind(folder, e.URL, body), Language: doc.Language}, true, nil
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
		// A longer page is cut; its language is told by what is there.
		body, err = io.ReadAll(io.LimitReader(f, maxContents))
		return body, folder, errors.Join(err, f.Close())
	}
	// The error is that of the last name.
	return nil, "", err
}

// kind tells a feed by its XML, and by its items: before revision 367 the contents of a feed were the text of these.
func kind(folder, url string, body []byte) string {
	if pagestore.IsFeed(body, "", url) {
		return pagestore.KindRSS
	}
	// A folder of a feed has a META of its own, of its items.
	if _, err := os.Stat(filepath.Join(folder, "META")); err == nil {
		return pagestore.KindRSS
	}
	return pagestore.KindURL
}
