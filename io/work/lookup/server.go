package lookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// maxServerAnswer bounds what a server says of one URL, in bytes.
const maxServerAnswer = 4 << 20

// server is a CDX server: pywb's, or one that speaks as the Wayback Machine's.
type server struct {
	store *blob.Store
	base  string
}

// OpenServer returns the index of a CDX server: base is its address without the URL that is asked for, such as
// https://example.org/web/cdx. Of a private one, https://user:password@… is not shown anywhere.
func OpenServer(store *blob.Store, base string) Index { return &server{store, base} }

// Close does nothing: connections are the store's.
func (s *server) Close() error { return nil }

// serverError is a server that did not answer as one.
type serverError struct{ err error }

func (e *serverError) Error() string { return "the CDX server: " + e.err.Error() }
func (e *serverError) Unwrap() error { return e.err }

// Find asks for lines with all columns. The fields are named so that the Wayback Machine's server gives the names of
// archives, which it leaves out otherwise; pywb's gives them always.
func (s *server) Find(ctx context.Context, address string, most int) ([]cdx.Line, error) {
	join := "?"
	if strings.Contains(s.base, "?") {
		join = "&"
	}
	query := url.Values{"url": {address}, "matchType": {"exact"}, "limit": {fmt.Sprint(most)}}
	text, err := s.store.ReadFile(ctx, s.base+join+query.Encode(), maxServerAnswer)
	if errors.Is(err, blob.ErrNotFound) { // pywb's answer for what it does not have
		return nil, nil
	}
	if err != nil {
		return nil, &serverError{err}
	}
	var found []cdx.Line
	for l, err := range cdx.NewReader(bytes.NewReader(text), cdx.Options{}).All() {
		if err != nil {
			return nil, &serverError{err}
		}
		if found = append(found, l); len(found) == most {
			break
		}
	}
	return found, nil
}
