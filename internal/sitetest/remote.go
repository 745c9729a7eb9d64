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

// clockHost is the host of the clock.
const clockHost = "clock.invalid"

// Remote is the clock of a web in another process, which outlives the crawler.
type Remote struct{ Address string }

// Now returns the web's time. It panics if the web does not answer, since a test cannot continue.
func (r Remote) Now() time.Time { return r.ask("/now") }

// Sleep advances the clock.
func (r Remote) Sleep(ctx context.Context, d time.Duration) error {
	// In nanoseconds.
	r.ask("/sleep?" + strconv.FormatInt(int64(max(0, d)), 10))
	return ctx.Err()
}

func (r Remote) ask(path string) time.Time {
	req, err := http.NewRequest(http.MethodGet, "http://"+r.Address+path, nil)
	if err != nil {
		panic(err)
	}
	// The Host header selects the clock: see ServeHTTP. Names under .invalid are reserved (RFC 2606, section 2).
	req.Host = clockHost
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	// 64 bytes are enough for any number of nanoseconds.
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64))
	nanos, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || bad != nil {
		panic(fmt.Sprint("the clock says ", string(text)))
	}
	return time.Unix(0, nanos).UTC()
}

// serveClock returns the time, after advancing it if asked to.
func (w *Web) serveClock(out http.ResponseWriter, r *http.Request) {
	if d, err := strconv.ParseInt(r.URL.RawQuery, 10, 64); err == nil && r.URL.Path == "/sleep" {
		_ = w.Clock().Sleep(r.Context(), time.Duration(d)) // its error is the context's
	}
	fmt.Fprintln(out, w.Clock().Now().UnixNano())
}
