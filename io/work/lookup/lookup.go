// Package lookup finds captures by their URLs in archives, and reads their bodies as streams. It is the
// [fileset.Source] of archives.
//
//	index, err := lookup.OpenFile(ctx, store, "captures.cdxj") // that a Builder has written
//	l := lookup.New(store, index, lookup.Options{Bases: []string{"/data/warcs"}})
//	answer, err := l.Get(ctx, "https://doi.org/10.5281/zenodo.5230255", fileset.Preference{})
//
// Choosing one of several captures, following redirects and resolving revisits follow the rules of Sandcrawler over the
// Wayback Machine's index.
//
// Bodies of WARC and ARC records are never whole in memory. Those of other formats are read whole, up to the limit of
// package archive. Index lines are not trusted: a line must lead to a record of its URL, below the folders that the
// user named.
package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when the same captures give other answers.
const Version = "3"

// Index finds the lines of a URL. Its methods are safe for concurrent use.
type Index interface {
	// Find returns at most most lines with the key of url, the first ones.
	Find(ctx context.Context, url string, most int) ([]cdx.Line, error)
	Close() error
}

// Options control the lookup of captures. The zero value takes the defaults.
type Options struct {
	// Bases are the folders with the archives of lines, by the number that a Builder put before their names.
	Bases []string
	// MaxRows is the maximum number of lines for a URL: 40, as Sandcrawler asks for.
	MaxRows int
	// MaxHops is the maximum number of answers for one URL, with all redirects: 26.
	MaxHops int
	MaxOpen int   // maximum number of open archives; 64
	MaxBody int64 // limit of bodies in formats that are not streamed, in bytes; 1 GiB
}

func (o Options) withDefaults() Options {
	o.MaxRows = cmp.Or(o.MaxRows, 40)
	o.MaxHops = cmp.Or(o.MaxHops, 26)
	o.MaxOpen = cmp.Or(o.MaxOpen, 64)
	o.MaxBody = cmp.Or(o.MaxBody, 1<<30)
	return o
}

// Lookup answers from archives. Its methods are safe for concurrent use.
type Lookup struct {
	store *blob.Store
	index Index
	o     Options

	mu   sync.Mutex
	open map[string]*opened
	tick int64 // counts uses, so that the least recently used archive is closed first
}

// New returns a Lookup in an index, which it closes.
func New(store *blob.Store, index Index, o Options) *Lookup {
	return &Lookup{store: store, index: index, o: o.withDefaults(), open: map[string]*opened{}}
}

// Close closes the index and the archives.
func (l *Lookup) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Open bodies fail from here on: the caller has to close them first.
	errs := []error{l.index.Close()}
	for name, f := range l.open {
		errs = append(errs, f.file.Close())
		delete(l.open, name)
	}
	return errors.Join(errs...)
}

// Get follows redirects through the archives to the final answer. See [fileset.Source].
func (l *Lookup) Get(ctx context.Context, address string, want fileset.Preference) (*fileset.Resource, error) {
	seen := map[string]bool{}
	var hops []string
	for range l.o.MaxHops {
		if seen[address] {
			return nil, &fileset.StatusError{Status: fileset.StatusRedirectLoop, Message: address}
		}
		seen[address] = true
		hops = append(hops, address)
		answer, err := l.hop(ctx, address, want)
		if err != nil {
			return nil, err
		}
		if answer.location == "" {
			// Without the last, which is the answer's own URL.
			answer.Hops = hops[:len(hops)-1]
			return &answer.Resource, nil
		}
		next, err := follow(answer.URL, answer.location)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			return nil, &fileset.StatusError{Status: fileset.StatusBadRedirect, Message: err.Error()}
		}
		address = next
	}
	return nil, &fileset.StatusError{Status: fileset.StatusRedirects, Message: hops[0]}
}

// errScheme means a redirect to a URL that no archive has.
var errScheme = errors.New("leads out of the web")

// follow returns the target of a redirect.
func follow(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", err
	}
	// Relative to the URL of the capture: section 10.2.2 of RFC 9110.
	to, err := base.Parse(strings.TrimSpace(location))
	if err != nil {
		return "", err
	}
	if to.Host == "" || to.Scheme != "http" && to.Scheme != "https" && to.Scheme != "ftp" {
		return "", fmt.Errorf("%s: %w: %.100q", from, errScheme, location)
	}
	return fileset.CleanURL(to.String()), nil
}

// hop returns the best capture of one URL. Its location is the target of a redirect, or "".
func (l *Lookup) hop(ctx context.Context, address string, want fileset.Preference) (*answer, error) {
	lines, err := l.index.Find(ctx, address, l.o.MaxRows)
	if err != nil {
		return nil, l.indexError(ctx, err)
	}
	// Lines that cannot lead to a body are left out first.
	best := pick(usable(lines), address, want.MIME)
	if best == nil {
		return nil, &fileset.StatusError{
			Status: fileset.StatusNoCapture, Message: address, Missing: []string{address},
		}
	}
	r, err := l.read(ctx, best)
	if err != nil {
		return nil, err
	}
	a := r.answer(best)
	if r.revisit {
		if a, err = l.original(ctx, r, best, lines); err != nil {
			return nil, err
		}
	}
	// 304 means that nothing changed, and leads nowhere.
	if a.Status < 300 || a.Status > 399 || a.Status == 304 {
		a.location = ""
		return a, nil
	}
	if a.location == "" {
		err = &fileset.StatusError{
			Status: fileset.StatusBadRedirect, Message: address + ": a redirect that does not say where",
		}
		return nil, errors.Join(err, a.Body.Close())
	}
	return a, nil
}

// indexError returns the error for a failed index. A failed server, which may answer later, ends only the request. A
// failed file of ours ends the run.
func (l *Lookup) indexError(ctx context.Context, err error) error {
	var remote *serverError
	if errors.As(err, &remote) && ctx.Err() == nil {
		return &fileset.StatusError{Status: fileset.StatusCDXError, Message: err.Error()}
	}
	return err
}

// original returns the capture that a revisit refers to, by URL and time, or else one with its digest. The answer has
// the revisit's row, and also that of the original.
func (l *Lookup) original(ctx context.Context, r *record, revisit *cdx.Line, near []cdx.Line) (*answer, error) {
	if err := r.body.Close(); err != nil {
		return nil, err
	}
	lines := near
	// Another URL has other lines. Otherwise the found lines are tried.
	if r.refersURL != "" && urlkey.SURT(r.refersURL) != revisit.SURT {
		var err error
		if lines, err = l.index.Find(ctx, r.refersURL, l.o.MaxRows); err != nil {
			return nil, l.indexError(ctx, err)
		}
	}
	var found *cdx.Line
	for _, line := range usable(lines) {
		if line.MIME == cdx.MIMERevisit {
			continue
		}
		same, known := digest.Compare(line.Digest, revisit.Digest)
		// Indexes have whole seconds; WARC-Refers-To-Date may have fractions. The digest distinguishes http and https
		// in one second.
		named := !r.refersTime.IsZero() && line.Timestamp.Equal(r.refersTime.Truncate(seconds))
		if named && (same || !known) {
			found = &line
			break
		}
		if (same || named) && found == nil {
			found = &line
		}
	}
	if found == nil {
		return nil, &fileset.StatusError{
			Status: fileset.StatusNoCapture, Message: revisit.URL + ": a revisit, whose original no archive has",
			Missing: []string{cmp.Or(r.refersURL, revisit.URL)},
		}
	}
	o, err := l.read(ctx, found)
	if err != nil {
		return nil, err
	}
	// Followed only once: a circle of revisits would have no end.
	if o.revisit {
		err := &fileset.StatusError{Status: fileset.StatusWaybackContent, Message: revisit.URL + ": a revisit of a revisit"}
		return nil, errors.Join(err, o.body.Close())
	}
	a := o.answer(found)
	a.RevisitCDX, a.CDX = a.CDX, row(revisit)
	// The page was seen again at the revisit's time; only its bytes are the original's.
	a.DT = stamp(revisit.Timestamp)
	a.URL = revisit.URL
	return a, nil
}
