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

// Uploader uploads items by archive.org's API that is like S3's (https://archive.org/developers/ias3.html). Its methods
// may be called by several goroutines at the same time.
type Uploader struct {
	Endpoint string      // https://s3.us.archive.org when it is empty
	Metadata string      // https://archive.org/metadata when it is empty: what is in an item already
	Key      secret.Text // access:secret
	Retries  int         // 10 when it is 0
	// Pause is before the second attempt, doubled each time up to a minute; 1 s when it is 0.
	Pause time.Duration
}

// client follows redirects as an upload may.
var client = &http.Client{CheckRedirect: redirected}

// maxRedirects is as in net/http.
const maxRedirects = 10

// redirected reports whether a redirect is followed. 307 and 308 are; 301, 302 and 303 make a GET of an upload (section
// 15.4 of RFC 9110), which a server may answer 200 to, and nothing would be uploaded.
//
// The key goes on to machines of the endpoint's own domain, as those that archive.org keeps items on, and never from
// https to http. Other hosts do not get it (net/http leaves it out), and will refuse what is sent without.
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

// remoteFile is a file of an item that is there.
type remoteFile struct {
	Name string `json:"name"`
	Size size   `json:"size"`
	MD5  string `json:"md5"`
	SHA1 string `json:"sha1"`
}

// size is a number that archive.org writes as a text.
type size int64

// UnmarshalJSON reads either.
func (s *size) UnmarshalJSON(b []byte) error {
	// Most answers have "123"; some 123.
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*s = size(n)
	return err
}

// maxMetadata bounds the description of an item, bytes: those of items of 100,000 files have some 30 MB.
const maxMetadata = 256 << 20

// files are those of an item that is there, by name; none of one that is not.
func (u *Uploader) files(ctx context.Context, item string) (map[string]remoteFile, error) {
	var answer struct {
		Files []remoteFile `json:"files"`
	}
	// The name was checked by itemName: it needs no escaping.
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
	// An item that is not there has an answer without files, of status 200.
	for _, f := range answer.Files {
		all[f.Name] = f
	}
	return all, err
}

// item uploads the files that are not there, and returns how many these were.
func (u *Uploader) item(
	ctx context.Context, root *os.Root, item *schemas.FilesetPlatformItem, manifest []schemas.ManifestFile,
	there map[string]remoteFile,
) (sent int, err error) {
	// The size of the whole item goes with each file, so that the server can choose where to put it.
	var total int64
	for _, f := range manifest {
		total += *cmp.Or(f.Size, new(int64))
	}
	for _, f := range manifest {
		// One file at a time and in order: what is sent is known even when a later one fails.
		if _, ok := there[f.Path]; ok {
			continue // Existing has compared it
		}
		// The item is made by its first file, which brings what the item is. Each says it, since any may be the first.
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
	// Opened for each attempt again: the one before has read a part of it.
	body, err := root.Open(f.Path)
	if err != nil {
		return &finalError{err}
	}
	defer func() { _ = body.Close() }() // it is only read
	address := cmp.Or(u.Endpoint, "https://s3.us.archive.org") + "/" + item.Item
	// Part by part, since the slashes between them stay.
	for part := range strings.SplitSeq(f.Path, "/") {
		address += "/" + url.PathEscape(part)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, address, body)
	if err != nil {
		return &finalError{err}
	}
	// Stated, since S3 takes no chunked uploads.
	r.ContentLength = *cmp.Or(f.Size, new(int64))
	if r.ContentLength == 0 {
		r.Body = http.NoBody // or the length would be taken for one that is not known
	}
	// For a server that redirects to the machine which has the item: the body is sent again there.
	r.GetBody = func() (io.ReadCloser, error) {
		if r.ContentLength == 0 {
			return http.NoBody, nil
		}
		return root.Open(f.Path)
	}
	r.Header.Set("Authorization", "LOW "+string(u.Key))
	// An item is a bucket, in the words of S3.
	r.Header.Set("X-Archive-Auto-Make-Bucket", "1")
	r.Header.Set("X-Archive-Queue-Derive", "0") // data has no formats that archive.org would make others of
	r.Header.Set("X-Archive-Size-Hint", strconv.FormatInt(total, 10))
	r.Header.Set("Content-Type", cmp.Or(f.MIME, "application/octet-stream"))
	// The server compares it, so that what is damaged on its way is not taken.
	if sum, err := hex.DecodeString(f.MD5); err == nil && len(sum) == 16 {
		r.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum))
	}
	count := map[string]int{}
	for _, field := range metadata(item) {
		if field[0] == "identifier" {
			continue
		}
		// Fields with several values have numbers; "_" stands as "--", which header fields can hold.
		// Sent with every file, as only that which makes the item has an effect.
		name := fmt.Sprintf("X-Archive-Meta%02d-%s", count[field[0]], strings.ReplaceAll(field[0], "_", "--"))
		count[field[0]]++
		r.Header.Set(name, headerValue(field[1]))
	}
	return do(r, func(io.Reader) error { return nil })
}

// headerValue is a text as the API takes it: what is not ASCII is percent-encoded within uri().
func headerValue(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) || strings.HasPrefix(s, "uri(") {
		return "uri(" + url.PathEscape(s) + ")"
	}
	return s
}

// statusError is an answer that is not a success.
type statusError struct {
	code  int
	after time.Duration
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.code, http.StatusText(e.code))
}

// finalError is one that another attempt does not mend.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// do sends a request, and has the body of a success read.
func do(r *http.Request, read func(io.Reader) error) error {
	answer, err := client.Do(r)
	if err != nil {
		// Its text may have the address with a key in it.
		return secret.Error(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	// Both of these APIs answer 200 to what went well.
	if answer.StatusCode == http.StatusOK {
		return read(answer.Body)
	}
	// Bounded to 10 minutes: what the server asks for is its own, and the run's patience is ours.
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 when there is none
	return &statusError{answer.StatusCode, min(time.Duration(max(seconds, 0)), 600) * time.Second}
}

// try tries again what may succeed then: servers that are busy, as archive.org's says by 503, and connections.
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
			// 4xx is about the request, and 3xx is a redirect that cannot be followed: the same request
			// gets the same answer.
			if status.code < 500 && status.code != http.StatusTooManyRequests {
				return err
			}
			wait = max(wait, status.after)
		}
		// Doubled whether or not the server named a longer pause.
		pause = min(2*pause, time.Minute)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
