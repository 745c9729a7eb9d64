// Package liveweb answers what URLs say now: it is the [fileset.Source] of the live web, by the polite client of
// package fetch, and keeps each exchange in WARC files by package harvest.
//
//	h, err := harvest.Open("crawl", harvest.Options{Stamp: time.Now()})
//	web, err := liveweb.New(liveweb.Options{Fetch: fetch.Options{UserAgent: "…"}, Harvest: h})
//	defer web.Close() // then h.Close()
//	answer, err := web.Get(ctx, "https://doi.org/10.5281/zenodo.5230255", fileset.Preference{})
//
// Statuses are those of Sandcrawler's own live captures where it has them: spn2-error where a server is not reached or
// does not speak HTTP, too-much-spn when a budget is spent.
package liveweb

import (
	"cmp"
	"context"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/dataset/harvest"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Options of a live web. Harvest is needed.
type Options struct {
	// Fetch is how servers are asked. Where it says nothing there are 10 retries, 60 s for an answer's head and between
	// two parts of its body, and 2 h for a file, as in the real system. MaxBody is of no matter.
	Fetch   fetch.Options
	Harvest *harvest.Harvest // what is fetched goes there; it is closed by who opened it
	MaxPage int64            // bytes of a landing page [128 MiB]
	MaxFile int64            // bytes of any file [64 GiB]
	MaxHops int              // answers for one URL, with all redirects [26]
}

// maxAnswer is how much of an API's answer is fetched; package fileset reads no more.
const maxAnswer = 64 << 20

// Web is the live web. Its methods may be called by several goroutines at the same time.
type Web struct {
	client *fetch.Client
	o      Options
	failed chan error // the first error of keeping a robots.txt
}

var _ fileset.Source = (*Web)(nil)

// New returns a live web. Close it.
func New(o Options) (*Web, error) {
	// The defaults are Sandcrawler's own bounds, so that both come to the same statuses.
	o.MaxPage = cmp.Or(o.MaxPage, 128<<20)
	o.MaxFile = cmp.Or(o.MaxFile, 64<<30)
	o.MaxHops = cmp.Or(o.MaxHops, 26)
	o.Fetch.Retries = cmp.Or(o.Fetch.Retries, 10)
	// Room for one, so that keepRobots never waits for somebody to take it.
	w := &Web{o: o, failed: make(chan error, 1)}
	o.Fetch.OnRobots = w.keepRobots
	var err error
	w.client, err = fetch.New(o.Fetch)
	return w, err
}

// Close ends the connections. Nobody may be asking.
func (w *Web) Close() error { return w.client.Close() }

// keepRobots keeps a robots.txt in the archive: it is why other pages are not there.
func (w *Web) keepRobots(x *fetch.Exchange) {
	if _, err := w.o.Harvest.Write(x, harvest.Note{}); err != nil {
		select {
		case w.failed <- err:
		default: // the first one tells enough
		}
	}
}

// Get follows redirects from url to an answer that is none. See [fileset.Source].
func (w *Web) Get(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	// What a redirect leads to is often signed for a minute. A signature that has expired while the host asked to be
	// left alone is had again by beginning at the beginning.
	const renewals = 2
	for n := 0; ; n++ {
		answer, err := w.follow(ctx, url, want)
		if err != nil || n == renewals || answer.Status != http.StatusForbidden || len(answer.Hops) == 0 {
			return answer, err
		}
		// Each answer has its body in memory or in a file.
		if err := answer.Body.Close(); err != nil {
			return nil, err
		}
	}
}

// follow is one way from url to its end.
func (w *Web) follow(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	// Bounded by MaxHops.
	seen := map[string]bool{}
	var hops []string
	for range w.o.MaxHops {
		if seen[url] {
			return nil, &fileset.StatusError{Status: fileset.StatusRedirectLoop, Message: shown(url)}
		}
		seen[url] = true
		x, place, err := w.fetch(ctx, url, want)
		if err != nil {
			// A URL that cannot be asked is a bad redirect if a server named it, and a bad request if
			// the caller did.
			return nil, w.status(ctx, err, url, len(hops) > 0)
		}
		next, redirects := redirection(x)
		if !redirects {
			return resource(x, place, hops), nil
		}
		if err := x.Close(); err != nil {
			return nil, err
		}
		if next == "" {
			return nil, &fileset.StatusError{Status: fileset.StatusBadRedirect, Message: shown(url)}
		}
		hops = append(hops, url)
		url = next
	}
	return nil, &fileset.StatusError{Status: fileset.StatusRedirects, Message: shown(hops[0])}
}

// fetch asks for a URL and keeps what came of it.
func (w *Web) fetch(ctx context.Context, url string, want fileset.Preference) (*fetch.Exchange, warc.Place, error) {
	// The bound is per purpose: a landing page is never as large as a file may be.
	r := fetch.Request{URL: url, MaxBody: w.most(want.Purpose)}
	if want.Purpose == fileset.API {
		r.Accept = "application/json, */*;q=0.5"
	}
	x, err := w.client.Fetch(ctx, r)
	select {
	// The archive could not be written, by this call or another one. Whoever sees it first ends the
	// run.
	case failed := <-w.failed:
		if err == nil {
			err = x.Close()
		}
		return nil, warc.Place{}, errors.Join(failed, err)
	default:
	}
	if err != nil {
		return nil, warc.Place{}, err
	}
	place, err := w.o.Harvest.Write(x, harvest.Note{})
	if err != nil {
		return nil, place, errors.Join(err, x.Close())
	}
	return x, place, nil
}

// most is how many bytes of a body are fetched: one more than is allowed, so that what is too large is found to be.
func (w *Web) most(p fileset.Purpose) int64 {
	switch p {
	case fileset.Landing:
		return w.o.MaxPage + 1
	case fileset.API:
		return maxAnswer + 1
	}
	return w.o.MaxFile + 1
}

// status is what is said of a URL that gave no answer. Errors that are ours stay what they are.
func (w *Web) status(ctx context.Context, err error, url string, redirected bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	kinds := []struct {
		kind   error
		status string
	}{
		{fetch.ErrPrivate, fileset.StatusBlocklist},
		{fetch.ErrBudget, fileset.StatusTooMuchSPN},
		{fetch.ErrUnreachable, fileset.StatusSPN2}, // before robots: of a host that is not reached, neither is its robots.txt
		{fetch.ErrProtocol, fileset.StatusSPN2},
		{fetch.ErrWait, fileset.StatusSPN2},
		{fetch.ErrRobots, fileset.StatusRobots},
	}
	// The order counts: an error may be of two kinds.
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			return &fileset.StatusError{Status: k.status, Message: err.Error()}
		}
	}
	if !errors.Is(err, fetch.ErrURL) {
		return err
	}
	status := fileset.StatusBadRequest
	if redirected {
		status = fileset.StatusBadRedirect
	} else if strings.HasPrefix(url, "ftp:") {
		status = fileset.StatusNotImplemented
	}
	return &fileset.StatusError{Status: status, Message: shown(url) + ": " + err.Error()}
}

// redirection reports whether an answer leads elsewhere, and where to: "" for nowhere. A 304 and a 300 lead nowhere.
func redirection(x *fetch.Exchange) (to string, is bool) {
	// Those of section 15.4 of RFC 9110 that have one target: 300 offers a choice.
	switch x.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
	default:
		return "", false
	}
	base, err := url.Parse(x.URL)
	if err != nil {
		return "", true
	}
	// Relative to the URL of the answer: section 10.2.2 of RFC 9110.
	location := strings.TrimSpace(x.Header.Get("Location"))
	u, err := base.Parse(location)
	if err != nil || location == "" || u.Host == "" {
		return "", true
	}
	return fileset.CleanURL(u.String()), true
}

// resource is an exchange as package fileset has it.
func resource(x *fetch.Exchange, place warc.Place, hops []string) *fileset.Resource {
	// identity was asked for. Some servers compress all the same, and the reader of the body has to
	// know.
	encoding := strings.TrimSpace(x.Header.Get("Content-Encoding"))
	if strings.EqualFold(encoding, "identity") {
		encoding = ""
	}
	dt := x.Time.UTC().Format("20060102150405")
	return &fileset.Resource{
		Hops: hops, URL: x.URL, DT: dt, Status: x.Status, MIME: x.Header.Get("Content-Type"), Encoding: encoding,
		Links: x.Header.Values("Link"), CDX: row(x, place, dt), Body: &body{Reader: x.Body.Open(), x: x},
	}
}

// row is the index line of an exchange.
func row(x *fetch.Exchange, place warc.Place, dt string) *schemas.CDXRow {
	// Of the body as it was sent: indexes of archives have it so.
	sum := x.Body.SHA1()
	mime, _, _ := strings.Cut(x.Header.Get("Content-Type"), ";")
	return &schemas.CDXRow{
		SURT: urlkey.SURT(x.URL), Datetime: dt, URL: x.URL, MIME: strings.TrimSpace(mime), Status: x.Status,
		SHA1B32: base32.StdEncoding.EncodeToString(sum[:]), SHA1: hex.EncodeToString(sum[:]),
		Length: place.Length, Offset: place.Offset, Path: place.File,
	}
}

// body is the body of an exchange that is closed with it.
type body struct {
	io.Reader
	x *fetch.Exchange
}

// Read gives io.ErrUnexpectedEOF where a body breaks off: the bound of its length is not that, as what asked for the
// body knows it as well.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF && b.x.Body.Truncated != "" && b.x.Body.Truncated != "length" {
		err = fmt.Errorf("the server gave %d bytes and no more (%s): %w", b.x.Body.Size(), b.x.Body.Truncated,
			io.ErrUnexpectedEOF)
	}
	return n, err
}

// Close removes the body.
func (b *body) Close() error { return b.x.Close() }

// shown is a URL without what may be a secret: its query, which may be a signature, and a user with a password.
func shown(url string) string {
	url, _, _ = strings.Cut(url, "?")
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		url = scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + "/" + path
	}
	return url[:min(len(url), 200)]
}
