package lookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/secret"
)

const (
	// maxServerAnswer limits a server's answer for one URL, in bytes: 40 lines have some 20 KB.
	maxServerAnswer = 4 << 20
	// serverTimeout limits one answer, and tries the number of requests. firstPause is the first pause between them,
	// which doubles each time.
	serverTimeout = time.Minute
	tries         = 4
)

// firstPause is a variable for tests.
var firstPause = time.Second

// server is a CDX server: pywb's, or one with the protocol of the Wayback Machine.
type server struct {
	base   string
	client *http.Client
}

// OpenServer returns the index of a CDX server. base is its address without the requested URL, such as
// https://example.org/web/cdx. No message shows the user or the query of base.
func OpenServer(base string) Index {
	return &server{base, &http.Client{Timeout: serverTimeout}}
}

// Close closes idle connections.
func (s *server) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// serverError is a failure of the server.
type serverError struct{ err error }

func (e *serverError) Error() string { return "the CDX server: " + e.err.Error() }
func (e *serverError) Unwrap() error { return e.err }

// Find requests lines with all columns, in the form that the server has.
func (s *server) Find(ctx context.Context, address string, most int) ([]cdx.Line, error) {
	query := url.Values{"url": {address}, "matchType": {"exact"}, "limit": {fmt.Sprint(most)}}
	text, err := s.ask(ctx, query.Encode())
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

// errBusy is an answer that may change later.
var errBusy = errors.New("it answers")

// ask requests an answer, with a few retries.
func (s *server) ask(ctx context.Context, query string) (text []byte, err error) {
	pause := firstPause
	for try := range tries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(pause):
				pause *= 2
			}
		}
		if text, err = s.get(ctx, query); err == nil || ctx.Err() != nil {
			return text, err
		}
	}
	return nil, err
}

func (s *server) get(ctx context.Context, query string) ([]byte, error) {
	join := "?"
	if strings.Contains(secret.Reveal(s.base), "?") {
		join = "&"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, secret.Reveal(s.base)+join+query, nil)
	if err != nil {
		return nil, errors.New("its address cannot be read")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		var told *url.Error
		if errors.As(err, &told) {
			err = told.Err // without the address, which may have a password
		}
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // read only
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound: // pywb's answer for a missing URL
		return nil, nil
	default:
		return nil, fmt.Errorf("%w %s", errBusy, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxServerAnswer+1))
	if err == nil && len(text) > maxServerAnswer {
		err = fmt.Errorf("its answer has more than %d bytes", maxServerAnswer)
	}
	return text, err
}
