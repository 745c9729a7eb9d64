package items

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Uploader uploads items by archive.org's S3-like API (https://archive.org/developers/ias3.html). Its methods are safe
// for concurrent use.
type Uploader struct {
	Endpoint string      // default https://s3.us.archive.org
	Metadata string      // default https://archive.org/metadata; lists the files already in an item
	Key      secret.Text // access:secret
	Retries  int         // default 10
	// Pause is the pause before the second attempt, doubled each time up to a minute; the default is 1 s.
	Pause time.Duration
}

// client follows redirects as an upload may.
var client = &http.Client{CheckRedirect: redirected}

// maxRedirects is the limit of net/http.
const maxRedirects = 10

// redirected decides whether to follow a redirect. It follows 307 and 308. 301, 302 and 303 turn an upload into a GET
// (section 15.4 of RFC 9110): a server may answer 200, and nothing would be uploaded.
//
// The key goes on only to machines of the endpoint's own domain, such as archive.org's storage machines. It never goes
// from https to http. The package net/http leaves the key out for other hosts, which then refuse the request.
func redirected(next *http.Request, via []*http.Request) error {
	first := via[0]
	if next.Method != first.Method || len(via) >= maxRedirects {
		return http.ErrUseLastResponse // its status becomes the error
	}
	ours, theirs := urlkey.RegistrableDomain(first.URL.Hostname()), urlkey.RegistrableDomain(next.URL.Hostname())
	if key := first.Header.Get("Authorization"); key != "" && ours != "" && ours == theirs &&
		(next.URL.Scheme == "https" || first.URL.Scheme == next.URL.Scheme) {
		next.Header.Set("Authorization", key)
	}
	return nil
}

// remoteFile is a file in an uploaded item.
type remoteFile struct {
	Name string `json:"name"`
	Size size   `json:"size"`
	MD5  string `json:"md5"`
	SHA1 string `json:"sha1"`
}

// size is a number that archive.org writes as a string.
type size int64

// UnmarshalJSON reads a string or a number.
func (s *size) UnmarshalJSON(b []byte) error {
	// Most answers have "123", some 123.
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*s = size(n)
	return err
}

// maxMetadata limits the description of an item, in bytes. An item of 100,000 files has some 30 MB.
const maxMetadata = 256 << 20

// files returns the files of an item by name. A missing item has none.
func (u *Uploader) files(ctx context.Context, item string) (map[string]remoteFile, error) {
	var answer struct {
		Files []remoteFile `json:"files"`
	}
	// itemName has checked the name, so it needs no escaping.
	address := cmp.Or(u.Metadata, "https://archive.org/metadata") + "/" + item
	err := u.try(ctx, func() error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		return do(r, func(body io.Reader) error {
			return json.NewDecoder(io.LimitReader(body, maxMetadata)).Decode(&answer)
		})
	})
	all := map[string]remoteFile{}
	// The answer for a missing item has status 200 and no files.
	for _, f := range answer.Files {
		all[f.Name] = f
	}
	return all, err
}

// item uploads the files that the item lacks, and returns their number.
func (u *Uploader) item(
	ctx context.Context, root *os.Root, item *schemas.FilesetPlatformItem, manifest []schemas.ManifestFile,
	there map[string]remoteFile,
) (sent int, err error) {
	// Each file carries the size of the whole item, so that the server can choose where to put it.
	var total int64
	for _, f := range manifest {
		total += *cmp.Or(f.Size, new(int64))
	}
	for _, f := range manifest {
		// One file at a time and in order, so that the sent files are known even when a later one fails.
		if _, ok := there[f.Path]; ok {
			continue // Existing has compared it
		}
		// The first file makes the item and brings its description. Each file carries it, since any may be the first.
		err := u.try(ctx, func() error { return u.put(ctx, root, item, f, total) })
		if err != nil {
			return sent, fmt.Errorf("%s: %w", f.Path, err)
		}
		sent++
	}
	return sent, nil
}

// put sends one file.
func (u *Uploader) put(
	ctx context.Context, root *os.Root, item *schemas.FilesetPlatformItem, f schemas.ManifestFile, total int64,
) error {
	// Each attempt opens the file, since the previous one has read a part of it.
	body, err := root.Open(f.Path)
	if err != nil {
		return &finalError{err}
	}
	defer func() { _ = body.Close() }() // read only
	address := cmp.Or(u.Endpoint, "https://s3.us.archive.org") + "/" + item.Item
	// Escaped part by part, because the slashes between them stay.
	for part := range strings.SplitSeq(f.Path, "/") {
		address += "/" + url.PathEscape(part)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, address, body)
	if err != nil {
		return &finalError{err}
	}
	// The length is set, since S3 accepts no chunked uploads.
	r.ContentLength = *cmp.Or(f.Size, new(int64))
	if r.ContentLength == 0 {
		r.Body = http.NoBody // otherwise the length counts as unknown
	}
	// A server may redirect to the machine that has the item: the body is sent again there.
	r.GetBody = func() (io.ReadCloser, error) {
		if r.ContentLength == 0 {
			return http.NoBody, nil
		}
		return root.Open(f.Path)
	}
	r.Header.Set("Authorization", "LOW "+string(u.Key))
	// An item is a bucket in S3's terms.
	r.Header.Set("X-Archive-Auto-Make-Bucket", "1")
	r.Header.Set("X-Archive-Queue-Derive", "0") // data has no formats that archive.org would derive others from
	r.Header.Set("X-Archive-Size-Hint", strconv.FormatInt(total, 10))
	r.Header.Set("Content-Type", cmp.Or(f.MIME, "application/octet-stream"))
	// The server compares the hash, so that it refuses damaged uploads.
	if sum, err := hex.DecodeString(f.MD5); err == nil && len(sum) == 16 {
		r.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum))
	}
	count := map[string]int{}
	for _, field := range metadata(item) {
		if field[0] == "identifier" {
			continue
		}
		// Fields with several values have numbers. "_" becomes "--", which header fields can hold. Every file carries
		// them, but only the file that makes the item has an effect.
		name := fmt.Sprintf("X-Archive-Meta%02d-%s", count[field[0]], strings.ReplaceAll(field[0], "_", "--"))
		count[field[0]]++
		r.Header.Set(name, headerValue(field[1]))
	}
	return do(r, func(io.Reader) error { return nil })
}

// headerValue returns a text as the API expects it: other characters than ASCII are percent-encoded within uri().
func headerValue(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) || strings.HasPrefix(s, "uri(") {
		return "uri(" + url.PathEscape(s) + ")"
	}
	return s
}

// statusError is an answer with a status other than success.
type statusError struct {
	code  int
	after time.Duration
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.code, http.StatusText(e.code))
}

// finalError is an error that another attempt cannot fix.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// do sends a request, and calls read with the body of a successful answer.
func do(r *http.Request, read func(io.Reader) error) error {
	answer, err := client.Do(r)
	if err != nil {
		// Its text may contain the address with a key.
		return secret.Error(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	// Both APIs answer 200 on success.
	if answer.StatusCode == http.StatusOK {
		return read(answer.Body)
	}
	// The server's delay is limited to 10 minutes.
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 when there is none
	return &statusError{answer.StatusCode, min(time.Duration(max(seconds, 0)), 600) * time.Second}
}

// try repeats requests that may succeed later: archive.org answers 503 when it is busy, and connections may fail.
func (u *Uploader) try(ctx context.Context, do func() error) error {
	pause := cmp.Or(u.Pause, time.Second)
	for n := 0; ; n++ {
		err := do()
		var status *statusError
		var final *finalError
		// Repeating is harmless: a PUT of the same bytes to the same name leaves the same file.
		if err == nil || ctx.Err() != nil || n >= cmp.Or(u.Retries, 10) || errors.As(err, &final) {
			return err
		}
		wait := pause
		if errors.As(err, &status) {
			// 4xx concerns the request, and 3xx is a redirect that is not followed: the same request gets the same
			// answer.
			if status.code < 500 && status.code != http.StatusTooManyRequests {
				return err
			}
			wait = max(wait, status.after)
		}
		// Doubled even if the server named a longer pause.
		pause = min(2*pause, time.Minute)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
