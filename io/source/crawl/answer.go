package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// Answer is the result of a request, either as it came or from the journal: both are the same.
type Answer struct {
	URL       string
	Time      time.Time // of the request
	Ended     time.Time // when the answer was complete; Time, from a journal
	Capture   *schemas.Capture
	Truncated string // why the body is incomplete, as in WARC-Truncated
	Size      int64  // bytes of head and body
	Fault     string // why there is no answer; Capture is nil then

	exchange *fetch.Exchange
}

// The faults: kinds of errors for which there is no answer.
const (
	faultAddress     = "address"     // not a URL that is fetched
	faultPrivate     = "private"     // a host in a private network
	faultUnreachable = "unreachable" // no connection, or it was closed, or it timed out
	faultProtocol    = "protocol"    // not HTTP
)

var faults = []struct {
	kind error
	name string
}{
	{fetch.ErrURL, faultAddress},
	{fetch.ErrPrivate, faultPrivate},
	{fetch.ErrProtocol, faultProtocol},
	{fetch.ErrUnreachable, faultUnreachable},
	{fetch.ErrWait, faultUnreachable}, // it comes when another job of the client's has made the host wait
}

// maxBody is how much of a feed or a robots.txt is examined, in bytes. All of it is archived.
const maxBody = 16 << 20

// ask makes a request. An error ends the crawl: the context's, or the disk's.
func (c *Crawl) ask(ctx context.Context, j *job) (Answer, error) {
	r := fetch.Request{URL: j.url}
	if j.kind == feedJob && j.feed.checked == j.url {
		// Only for their own URL: after a redirect, another may have the same tag for other bytes.
		r.ETag, r.LastModified = j.feed.etag, j.feed.modified
	}
	// The time of a fault; an exchange has its own (see of).
	a := Answer{URL: j.url, Time: c.o.Clock.Now()}
	x, err := c.o.Fetch.Fetch(ctx, r)
	a.Ended = c.o.Clock.Now()
	if err == nil {
		return a.of(x, j.kind != pageJob)
	}
	// Checked before faults: a request that we cancelled is not the host's failure and must not be written.
	if ctx.Err() != nil {
		return a, context.Cause(ctx)
	}
	for _, f := range faults {
		if errors.Is(err, f.kind) {
			a.Fault = f.name
			return a, nil
		}
	}
	// An unknown error, such as a full disk, would affect the next request, too: it ends the round.
	return a, fmt.Errorf("crawl: %w", err)
}

// of fills in the values of an exchange. Bodies of pages are not read.
func (a Answer) of(x *fetch.Exchange, body bool) (Answer, error) {
	a.Time, a.exchange, a.Truncated = x.Time, x, x.Body.Truncated
	// Head and body are the block of the response record, so a replay counts the same bytes.
	a.Size = int64(len(x.Head)) + x.Body.Size()
	var raw []byte
	if body {
		var err error
		// Limited, because a body may be larger on disk than should be in memory.
		if raw, err = io.ReadAll(io.LimitReader(x.Body.Open(), maxBody)); err != nil {
			return a, errors.Join(fmt.Errorf("crawl: reading a body: %w", err), x.Close())
		}
	}
	a.Capture = captureOf(a.URL, a.Time, x.Head, raw)
	return a, nil
}

// captureOf returns the capture that ingest will make of the record, so that the crawl decides as the Source DB will.
// The body's transfer coding is already undone.
func captureOf(url string, at time.Time, head, body []byte) *schemas.Capture {
	// From the bytes, not net/http's own parse, because a journal only has the bytes.
	m := httpmsg.Parse(head, httpmsg.Options{})
	header := slices.DeleteFunc(m.Header, func(f schemas.Field) bool {
		return strings.EqualFold(f.Name, "Transfer-Encoding")
	})
	c := &schemas.Capture{
		URL: url, Timestamp: at.UTC(), RecordType: schemas.TypeResponse, Status: m.Status, Header: header,
		MIMEDeclared: schemas.FieldValue(header, "Content-Type"), Digest: digest.SHA1(body),
	}
	c.Body = httpmsg.Decode(header, body, httpmsg.Limits{MaxBody: maxBody, MaxRatio: maxRatio}).Body
	return c
}

// maxRatio limits the decoded size of a compressed feed, in bytes for each of its own, as in ingest.
const maxRatio = 1000

// status returns the answer's status, or 0.
func (a Answer) status() int {
	if a.Capture == nil {
		return 0
	}
	return a.Capture.Status
}

// isCut reports whether the body ended early by no decision of ours.
func (a Answer) isCut() bool { return a.Truncated == "disconnect" || a.Truncated == "time" }

// passes reports whether the failure may be over within hours.
func (a Answer) passes() bool {
	s := a.status()
	return a.Fault == faultUnreachable || s == http.StatusTooManyRequests || s >= 500 || a.isCut()
}

// rests reports whether the whole host should be left alone.
func (a Answer) rests() bool {
	s := a.status()
	return a.Fault == faultUnreachable || s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable
}

// movedTo returns the target of a redirect, or "", and whether it is permanent.
func (a Answer) movedTo() (to string, forGood bool) {
	switch a.status() {
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		forGood = true
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
	default:
		return "", false
	}
	// Also empty if the Location is not a URL: then only the status counts.
	return resolve(a.URL, a.Capture.Get("Location")), forGood
}

// maxRest is the longest pause that a host can ask for: a host that asks for a year is visited again after a day.
const maxRest = 24 * time.Hour

// retryAfter returns how long the answer asks to be left alone (RFC 9110, section 10.2.3), or 0.
func (a Answer) retryAfter() time.Duration {
	if a.Capture == nil {
		return 0
	}
	value := a.Capture.Get("Retry-After")
	// 31 bits, so that the product with a second does not overflow.
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRest)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now := a.Time
	// By the server's own clock if known, because ours may differ.
	if date, err := http.ParseTime(a.Capture.Get("Date")); err == nil {
		now = date
	}
	// A date in the past asks for nothing.
	return max(0, min(at.Sub(now), maxRest))
}

// close releases the answer's resources. An answer from a journal has none.
func (a Answer) close() error {
	if a.exchange == nil {
		return nil
	}
	return a.exchange.Close()
}

// backOff returns how long to wait after so many failures in a row: base, doubled each time, up to most.
func backOff(base time.Duration, fails int, most time.Duration) time.Duration {
	wait := base
	// Step by step, because repeated doubling overflows a Duration.
	for range fails - 1 {
		if wait >= most {
			break
		}
		wait *= 2
	}
	return min(wait, most)
}
