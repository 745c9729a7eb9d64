package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// web reads public archives over HTTP. It identifies a version of a file by its entity tag or, without one, by its time
// of change and size.
type web struct {
	client    *http.Client
	userAgent string
	wait      Patience
}

// Limits for the concurrent requests to a host, and for the redirections of a request.
const (
	maxPerHost   = 4
	maxRedirects = 5
)

func newWeb(o Options, wait Patience) Service {
	return &web{
		client: &http.Client{
			Transport: newGuarded(o.PrivateHosts),
			CheckRedirect: func(next *http.Request, via []*http.Request) error {
				// via holds all requests so far, including the first, so that maxRedirects redirections are followed.
				if len(via) > maxRedirects {
					return fmt.Errorf("more than %d redirections", maxRedirects)
				}
				next.Header.Del("Referer") // it would reveal this URL's query to the next host
				return nil
			},
		},
		userAgent: o.UserAgent,
		wait:      wait,
	}
}

func (w *web) Close() error {
	w.client.CloseIdleConnections()
	return nil
}

// List fails: the web has no listings. For single files see ask.
func (w *web) List(_ context.Context, prefix string, _ func(Info)) error {
	return &InputError{
		prefix, "the web has no folders: name files, or a list of them as @https://…",
		errors.ErrUnsupported,
	}
}

// Stat asks with HEAD. If that answer does not describe the file, it asks with GET for the first byte. URLs may be
// signed for GET alone, and some servers answer HEAD in their own way. If a server does not give the length of a file,
// ranges are not possible, and the end of the file cannot be known.
func (w *web) Stat(ctx context.Context, name string) (info Info, err error) {
	err = w.wait.Retry(ctx, name, func(ctx context.Context, _ func()) error {
		answer, err := w.do(ctx, http.MethodHead, name, nil)
		if err != nil {
			return err
		}
		_ = answer.Body.Close() // an answer to HEAD has none
		switch answer.StatusCode {
		case http.StatusOK:
			// A length of 0 may belong to the answer, and GET may have a validator that HEAD lacks.
			info = describe(name, answer, answer.ContentLength)
			if info.Size > 0 && info.Stamp != unversioned(info.Size) {
				return nil
			}
		case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusRequestTimeout:
			return newStatusError(answer) // the server asks for fewer requests
		}
		info, err = w.firstByte(ctx, name)
		return err
	})
	return info, err
}

// firstByte describes a file by the answer to a request for its first byte.
func (w *web) firstByte(ctx context.Context, name string) (Info, error) {
	answer, err := w.do(ctx, http.MethodGet, name, http.Header{"Range": {ByteRange(0, 1)}})
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = answer.Body.Close() }() // the file is read later
	var size int64
	switch answer.StatusCode {
	case http.StatusOK:
		size = answer.ContentLength
	case http.StatusPartialContent:
		if _, err := fmt.Sscanf(answer.Header.Get("Content-Range"), "bytes 0-0/%d", &size); err != nil {
			size = -1
		}
		// Read to the end, so that the connection can be used again.
		_, _ = io.CopyN(io.Discard, answer.Body, 2)
	case http.StatusRequestedRangeNotSatisfiable:
		// A file without bytes (RFC 9110, section 15.5.17).
		if answer.Header.Get("Content-Range") != "bytes */0" {
			return Info{}, newStatusError(answer)
		}
	default:
		return Info{}, newStatusError(answer)
	}
	if size < 0 {
		return Info{}, &InputError{name, "the server does not say how long it is", errors.ErrUnsupported}
	}
	return describe(name, answer, size), nil
}

// describe returns the metadata of a file from a response.
func describe(name string, answer *http.Response, size int64) Info {
	info := Info{Name: name, Size: size, Stamp: validator(answer, size)}
	info.Modified, _ = http.ParseTime(answer.Header.Get("Last-Modified")) // zero without this header
	return info
}

// Unversioned reports whether the server gives no version of a file. Then a change that keeps its length goes
// unnoticed.
func (i Info) Unversioned() bool { return IsRemote(i.Name) && i.Stamp == unversioned(i.Size) }

// unversioned returns the validator of an answer without a version.
func unversioned(size int64) string { return ";" + strconv.FormatInt(size, 10) }

// validator returns a text that identifies the version of a file. Weak entity tags do not guarantee equal bytes.
func validator(answer *http.Response, size int64) string {
	// Only a strong tag guarantees that two parts have the same bytes (RFC 9110, section 8.8.1).
	if tag := answer.Header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	// Two versions of the same length within one second count as one.
	return answer.Header.Get("Last-Modified") + unversioned(size)
}

// Get opens the range in one attempt. The body is a Whole if the server answers with the whole file.
func (w *web) Get(ctx context.Context, info Info, off, n int64) (io.ReadCloser, error) {
	answer, err := w.do(ctx, http.MethodGet, info.Name, http.Header{"Range": {ByteRange(off, n)}})
	if err != nil {
		return nil, err
	}
	if err := checkRange(answer, info, off); err != nil {
		return nil, errors.Join(err, answer.Body.Close())
	}
	if answer.StatusCode == http.StatusOK {
		return Whole{answer.Body}, nil
	}
	return answer.Body, nil
}

// checkRange returns an error unless an answer has the version of info, and begins at off or is the whole file.
func checkRange(answer *http.Response, info Info, off int64) error {
	// The size is part of the version: a file that grew has changed.
	size := info.Size
	switch answer.StatusCode {
	case http.StatusPartialContent:
		var first, last int64
		given := answer.Header.Get("Content-Range")
		// An answer with "*" for the size (RFC 9110, section 14.4) also fails: its version cannot be checked. The field
		// last is not compared: a server may send less, and the stream then ends early and resumes.
		if _, err := fmt.Sscanf(given, "bytes %d-%d/%d", &first, &last, &size); err != nil || first != off {
			return fmt.Errorf("the server answers with the range %.80q: %w", given, errors.ErrUnsupported)
		}
	case http.StatusOK:
		size = answer.ContentLength
	// The file existed when info was made, so a missing or shorter file has changed.
	case http.StatusNotFound, http.StatusGone, http.StatusRequestedRangeNotSatisfiable:
		return Changed(info.Name)
	default:
		return newStatusError(answer)
	}
	if size != info.Size || validator(answer, size) != info.Stamp {
		return Changed(info.Name)
	}
	return nil
}

// do sends one request. The caller closes the answer's body. Errors do not show secrets of the URL.
func (w *web) do(ctx context.Context, method, name string, header http.Header) (*http.Response, error) {
	// Only this process knows the hidden parts of a name. A name from the output of an earlier run has lost them.
	if secret.IsUnknown(name) {
		return nil, &InputError{
			name, "its user or query is not known: outputs name URLs without them; name it whole",
			ErrSyntax,
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, secret.Reveal(name), nil)
	if err != nil {
		return nil, &InputError{name, "no URL: " + secret.Error(reasonOf(err)).Error(), ErrSyntax}
	}
	if header != nil {
		request.Header = header
	}
	// Set even if it is empty: then no name is sent, where Go would send its own.
	request.Header.Set("User-Agent", w.userAgent)
	answer, err := w.client.Do(request)
	return answer, secret.Error(err)
}

// reasonOf returns the reason why a text is not a URL, without the text.
func reasonOf(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// statusError is an unexpected status.
type statusError struct {
	code  int
	after time.Duration // that the server asks to wait; 0 when it does not
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.code, http.StatusText(e.code))
}

func newStatusError(answer *http.Response) error {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		seconds = 0 // a date needs a clock that agrees with the server's
	}
	// Bounded before it is multiplied, which could overflow else.
	return &statusError{answer.StatusCode, time.Duration(min(seconds, 1<<20)) * time.Second}
}
