// Package liveweb fetches the current content of URLs. It is the [fileset.Source] of the live web. It uses the polite
// client of package fetch, and keeps each exchange in WARC files by package harvest.
//
//	h, err := harvest.Open("crawl", harvest.Options{Stamp: time.Now()})
//	web, err := liveweb.New(liveweb.Options{Fetch: fetch.Options{UserAgent: "…"}, Harvest: h})
//	defer web.Close() // then h.Close()
//	answer, err := web.Get(ctx, "https://doi.org/10.5281/zenodo.5230255", fileset.Preference{})
//
// Statuses are those of Sandcrawler's own live captures where it has them. It has spn2-error for a server that is not
// reached or does not speak HTTP, and too-much-spn for a spent budget.
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

// Options are the options of a live web. Harvest is required.
type Options struct {
	// Fetch are the options of the client. Its defaults here are 10 retries and 2 h for a file. An answer's header, and
	// each part of its body, may take 60 s. Sandcrawler has the same limits. MaxBody is ignored.
	Fetch   fetch.Options
	Harvest *harvest.Harvest // gets all exchanges; whoever opened it closes it
	MaxPage int64            // bytes of a landing page [128 MiB]
	MaxFile int64            // bytes of any file [64 GiB]
	MaxHops int              // answers for one URL, with all redirects [26]
}

// maxAnswer limits the fetched bytes of an API's answer. Package fileset reads no more.
const maxAnswer = 64 << 20

// Web is the live web. Its methods are safe for concurrent use.
type Web struct {
	client *fetch.Client
	o      Options
	failed chan error // the first error of storing a robots.txt
}

var _ fileset.Source = (*Web)(nil)

// New returns a live web. The caller has to close it.
func New(o Options) (*Web, error) {
	// The defaults are Sandcrawler's own limits, so that both give the same statuses.
	o.MaxPage = cmp.Or(o.MaxPage, 128<<20)
	o.MaxFile = cmp.Or(o.MaxFile, 64<<30)
	o.MaxHops = cmp.Or(o.MaxHops, 26)
	o.Fetch.Retries = cmp.Or(o.Fetch.Retries, 10)
	// The buffer of one keeps keepRobots from waiting for a reader.
	w := &Web{o: o, failed: make(chan error, 1)}
	o.Fetch.OnRobots = w.keepRobots
	var err error
	w.client, err = fetch.New(o.Fetch)
	return w, err
}

// Close closes the connections. No request may be running.
func (w *Web) Close() error { return w.client.Close() }

// keepRobots stores a robots.txt in the archive: it explains why other pages are missing.
func (w *Web) keepRobots(x *fetch.Exchange) {
	if _, err := w.o.Harvest.Write(x, harvest.Note{}); err != nil {
		select {
		case w.failed <- err:
		default: // the first error is enough
		}
	}
}

// Get follows redirects from url to the final answer. See [fileset.Source].
func (w *Web) Get(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	// Targets of redirects often have a signature that is valid for a minute. If it expires while the host is left
	// alone, starting from url again gets a new one.
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

// follow follows redirects once, from url to the end.
func (w *Web) follow(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	// MaxHops limits its size.
	seen := map[string]bool{}
	var hops []string
	for range w.o.MaxHops {
		if seen[url] {
			return nil, &fileset.StatusError{Status: fileset.StatusRedirectLoop, Message: shown(url)}
		}
		seen[url] = true
		x, place, err := w.fetch(ctx, url, want)
		if err != nil {
			// The URL cannot be requested: a bad redirect if a server named it, otherwise a bad request.
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

// fetch requests a URL and stores the exchange.
func (w *Web) fetch(ctx context.Context, url string, want fileset.Preference) (*fetch.Exchange, warc.Place, error) {
	// The limit depends on the purpose: a landing page is never as large as a file may be.
	r := fetch.Request{URL: url, MaxBody: w.most(want.Purpose)}
	if want.Purpose == fileset.API {
		r.Accept = "application/json, */*;q=0.5"
	}
	x, err := w.client.Fetch(ctx, r)
	select {
	// The archive could not be written, by this call or another one. The first call that sees it ends the run.
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

// most returns the number of bytes to fetch: one more than allowed, so that a body that is too large is found.
func (w *Web) most(p fileset.Purpose) int64 {
	switch p {
	case fileset.Landing:
		return w.o.MaxPage + 1
	case fileset.API:
		return maxAnswer + 1
	}
	return w.o.MaxFile + 1
}

// status returns the status for a URL without an answer. It returns our own errors unchanged.
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
		{fetch.ErrUnreachable, fileset.StatusSPN2}, // before robots: an unreachable host has no robots.txt
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

// redirection reports whether an answer leads elsewhere, and returns the target or "". A 304 and a 300 lead nowhere.
func redirection(x *fetch.Exchange) (to string, is bool) {
	// The statuses in section 15.4 of RFC 9110 with one target: 300 offers a choice.
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

// resource returns an exchange in the form of package fileset.
func resource(x *fetch.Exchange, place warc.Place, hops []string) *fileset.Resource {
	// The request asks for identity. Some servers compress anyway, and the reader of the body has to know.
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

// row returns the index line of an exchange.
func row(x *fetch.Exchange, place warc.Place, dt string) *schemas.CDXRow {
	// The digest covers the body as it was sent, as in the indexes of archives.
	sum := x.Body.SHA1()
	mime, _, _ := strings.Cut(x.Header.Get("Content-Type"), ";")
	return &schemas.CDXRow{
		SURT: urlkey.SURT(x.URL), Datetime: dt, URL: x.URL, MIME: strings.TrimSpace(mime), Status: x.Status,
		SHA1B32: base32.StdEncoding.EncodeToString(sum[:]), SHA1: hex.EncodeToString(sum[:]),
		Length: place.Length, Offset: place.Offset, Path: place.File,
	}
}

// body is the body of an exchange, and closing it closes the exchange.
type body struct {
	io.Reader
	x *fetch.Exchange
}

// Read returns io.ErrUnexpectedEOF where a body breaks off. A body cut at its limit is no such case, because the caller
// knows the limit.
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

// shown returns a URL without possible secrets: its query, which may be a signature, and a user with a password.
func shown(url string) string {
	url, _, _ = strings.Cut(url, "?")
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		url = scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + "/" + path
	}
	return url[:min(len(url), 200)]
}
