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
type detector struct{ enricher *enrich.Enricher }

func newDetector() (*detector, error) {
	e, err := enrich.New(enrich.Options{Extract: []string{"language"}})
	return &detector{e}, err
}

// maxContents bounds what is looked at of a page, in bytes.
const maxContents = 32 << 20

// page reads a page's contents. Nothing is known of one that is not there, or whose language cannot be told.
func (d *detector) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	body, folder, err := contents(day, e)
	if errors.Is(err, fs.ErrNotExist) {
		return pagestore.Page{}, false, nil
	}
	if err != nil {
		return pagestore.Page{}, false, err
	}
	doc := d.enricher.Document(&schemas.Capture{URL: e.URL, Body: body, RecordType: schemas.TypeResponse})
	if doc.Language == "" || doc.Language == langid.Unknown {
		return pagestore.Page{}, false, nil
	}
	return pagestore.Page{ID: pagestore.NoID, Kind: kind(folder, e.URL, body), Language: doc.Language}, true, nil
}

// contents reads a page, whose folder may have got its right name in a migration that was interrupted.
func contents(day string, e pagestore.Entry) (body []byte, folder string, err error) {
	for _, hash := range []string{e.MD5, pagestore.Hash(e.URL)} {
		folder = filepath.Join(day, hash)
		f, openErr := os.Open(filepath.Join(folder, "contents.html"))
		if openErr != nil {
			err = openErr
			continue
		}
		body, err = io.ReadAll(io.LimitReader(f, maxContents))
		return body, folder, errors.Join(err, f.Close())
	}
	return nil, "", err
}

// kind tells a feed by its XML, and by its items: before revision 367 the contents of a feed were the text of these.
func kind(folder, url string, body []byte) string {
	if pagestore.IsFeed(body, "", url) {
		return pagestore.KindRSS
	}
	if _, err := os.Stat(filepath.Join(folder, "META")); err == nil {
		return pagestore.KindRSS
	}
	return pagestore.KindURL
}
