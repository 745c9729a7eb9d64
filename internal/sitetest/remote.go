package sitetest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// clockHost is the host that tells the time.
const clockHost = "clock.invalid"

// Remote is the clock of a web that another process has: one that outlives the crawler.
type Remote struct{ Address string }

// Now asks what time it is. It panics when nobody answers: a test has no use for another time.
func (r Remote) Now() time.Time { return r.ask("/now") }

// Sleep moves the clock on.
func (r Remote) Sleep(ctx context.Context, d time.Duration) error {
	// In nanoseconds, as a time.Duration counts.
	r.ask("/sleep?" + strconv.FormatInt(int64(max(0, d)), 10))
	return ctx.Err()
}

func (r Remote) ask(path string) time.Time {
	req, err := http.NewRequest(http.MethodGet, "http://"+r.Address+path, nil)
	if err != nil {
		panic(err)
	}
	// The connection goes to the address, and the Host header chooses the clock among the sites: see
	// ServeHTTP. A name under .invalid is nobody's (RFC 2606, section 2).
	req.Host = clockHost
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }() // it is read to its end
	// 64 bytes are more than any number of nanoseconds has.
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64))
	nanos, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || bad != nil {
		panic(fmt.Sprint("the clock says ", string(text)))
	}
	return time.Unix(0, nanos).UTC()
}

// serveClock tells the time, after moving it where that is asked for.
func (w *Web) serveClock(out http.ResponseWriter, r *http.Request) {
	if d, err := strconv.ParseInt(r.URL.RawQuery, 10, 64); err == nil && r.URL.Path == "/sleep" {
		_ = w.Clock().Sleep(r.Context(), time.Duration(d)) // its error is the context's
	}
	fmt.Fprintln(out, w.Clock().Now().UnixNano())
}
