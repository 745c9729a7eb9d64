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
	// maxServerAnswer bounds what a server says of one URL, in bytes: 40 lines have some 20 KB.
	maxServerAnswer = 4 << 20
	// serverTimeout is for one answer, tries for how often it is asked, and firstPause for how long it is left alone then;
	// the pause doubles.
	serverTimeout = time.Minute
	tries         = 4
)

// firstPause is a variable for tests.
var firstPause = time.Second

// server is a CDX server: pywb's, or one that speaks as the Wayback Machine's.
type server struct {
	base   string
	client *http.Client
}

// OpenServer returns the index of a CDX server: base is its address without the URL that is asked for, such as
// https://example.org/web/cdx. The user and the query of base are in no message.
func OpenServer(base string) Index {
	return &server{base, &http.Client{Timeout: serverTimeout}}
}

// Close ends connections that are not in use.
func (s *server) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// serverError is a server that did not answer as one.
type serverError struct{ err error }

func (e *serverError) Error() string { return "the CDX server: " + e.err.Error() }
func (e *serverError) Unwrap() error { return e.err }

// Find asks for lines with all columns, in the form that the server has.
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

// errBusy is an answer that may be another one later.
var errBusy = errors.New("it answers")

// ask asks until there is an answer, a few times.
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
	defer func() { _ = answer.Body.Close() }() // it is only read
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound: // pywb's answer for what it does not have
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
