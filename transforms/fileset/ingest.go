package fileset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Outcome is the outcome of a request.
type Outcome struct {
	Result schemas.FilesetResult
	File   *schemas.FileResult // of a dataset of one file that was found
	// Missing are the URLs without a capture, in the order of the requests.
	Missing []schemas.NeedsCapture
}

// ErrRequest means that a request is not for a dataset.
var ErrRequest = errors.New("no request for a dataset")

// Check reports whether a request can be processed: its type is dataset, and its URL is of the web.
func Check(r *schemas.FilesetRequest) error {
	if r.Type != "dataset" {
		return fmt.Errorf("%w: the ingest type is %q", ErrRequest, shorten(r.Type, 40))
	}
	// ftp is allowed, since an archive may have captures of it; the live web gives it a status.
	scheme, rest, ok := strings.Cut(strings.ToLower(strings.TrimSpace(r.BaseURL)), "://")
	if !ok || rest == "" || scheme != "http" && scheme != "https" && scheme != "ftp" {
		return fmt.Errorf("%w: base_url is %q", ErrRequest, shorten(r.BaseURL, 200))
	}
	return nil
}

// Ingest processes a request that passes Check. Faults of the dataset are in the result's status; an error comes from
// the source or ctx.
func Ingest(ctx context.Context, request schemas.FilesetRequest, s Source, o Options) (*Outcome, error) {
	r := &run{ctx: ctx, source: s, o: o.withDefaults(), out: &Outcome{}}
	r.out.Result.Request = request
	err := r.toldOfChallenge(r.do())
	var ended *StatusError
	if errors.As(err, &ended) {
		r.miss(ended)
		r.out.Result.Status, err = ended.Status, nil
		// Bounded: messages quote URLs and responses of servers.
		r.out.Result.Error = shorten(ended.Message, maxError)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shorten(request.BaseURL, 200), err)
	}
	// success, success-file and success-existing all begin so.
	r.out.Result.Hit = strings.HasPrefix(r.out.Result.Status, StatusSuccess)
	return r.out, r.single()
}

// run is a request in progress.
type run struct {
	ctx     context.Context
	source  Source
	o       Options
	out     *Outcome
	purpose Purpose // of the current request to the source

	challenge string // what replaced the landing page; "" if nothing did
}

// get requests url from a source and notes the purpose.
func (r *run) get(s Source, url string, purpose Purpose, mime string) (*Resource, error) {
	r.purpose = purpose
	return s.Get(r.ctx, url, Preference{Purpose: purpose, MIME: mime, Recrawl: r.out.Result.Request.Recrawl})
}

// miss notes URLs without a capture.
func (r *run) miss(ended *StatusError) {
	for _, url := range ended.Missing {
		r.out.Missing = append(r.out.Missing, schemas.NeedsCapture{
			URL: url, Purpose: string(r.purpose), Request: r.out.Result.Request,
		})
	}
}

// do processes the request in the order of Sandcrawler. A *StatusError ends it.
func (r *run) do() error {
	page, err := r.landing()
	if err != nil {
		return err
	}
	platform := r.match(page)
	if platform == nil {
		return &StatusError{Status: StatusNoPlatform}
	}
	res := &r.out.Result
	res.Platform = platform.Name()
	item, err := platform.Process(page, r.ask)
	// A dataset that cannot be archived is described, too.
	res.Domain, res.ID, res.BaseURL, res.Item = item.Domain, item.ID, item.BaseURL, item.Item
	if err != nil {
		return err
	}
	if err := r.describe(&item); err != nil {
		return err
	}
	return r.archive(&item)
}

func (r *run) match(page *Page) Platform {
	// The first that matches: Options.Platforms has special ones before general ones.
	for _, p := range r.o.Platforms {
		if p.Match(page) {
			return p
		}
	}
	return nil
}

// describe fills in the platform's description and chooses the strategy, or returns the reason against the dataset.
func (r *run) describe(item *schemas.FilesetPlatformItem) error {
	res := &r.out.Result
	res.Manifest = item.Manifest
	res.FileCount, res.TotalSize = &item.Files, &item.Size
	if item.Files > MaxListed {
		res.Manifest = item.Manifest[:min(cutTo, len(item.Manifest))]
	}
	if ended := r.o.limit(item); ended != nil {
		return ended
	}
	if ended := name(item.Manifest); ended != nil {
		return ended
	}
	if res.Strategy = r.o.Strategy; res.Strategy == "" {
		res.Strategy = Choose(item, r.o)
	}
	if !handled(res.Strategy, item) {
		return &StatusError{
			Status: StatusNoStrategy, Message: res.Strategy + " does not fit the dataset, or the platform has no bundle",
		}
	}
	return nil
}

// ask gets a document of a platform's API.
func (r *run) ask(url string) ([]byte, error) {
	answer, err := r.get(r.source, url, API, "application/json")
	var ended *StatusError
	// With missing URLs a later crawl can help; without, the platform itself is at fault.
	if errors.As(err, &ended) && len(ended.Missing) > 0 {
		return nil, &StatusError{Status: StatusPlatformNoCapture, Message: "no archive has " + url, Missing: ended.Missing}
	}
	if errors.As(err, &ended) && ended.Status == StatusRobots {
		return nil, &StatusError{Status: StatusRobots, Message: "the platform's API: " + ended.Error()}
	}
	if errors.As(err, &ended) {
		return nil, &StatusError{Status: StatusPlatformError, Message: url + ": " + ended.Error()}
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // only read
	if !good(answer.Status) {
		return nil, &HTTPError{URL: url, Status: answer.Status}
	}
	body, err := r.whole(answer, r.o.MaxAnswer)
	if errors.As(err, &ended) {
		return nil, &StatusError{Status: StatusPlatformError, Message: url + ": " + ended.Error()}
	}
	return body, err
}

// whole reads a body with its codings undone.
func (r *run) whole(answer *Resource, limit int64) ([]byte, error) {
	in, err := decoded(answer)
	if err != nil {
		return nil, err
	}
	// The limit is of decoded bytes: a small body may decompress to any size.
	body, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil && r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case err != nil:
		return nil, broken(err)
	case int64(len(body)) > limit:
		return nil, &StatusError{Status: StatusBodyTooLarge, Message: fmt.Sprintf("more than %d bytes", limit)}
	}
	return body, nil
}

// single makes the result of the only file.
func (r *run) single() error {
	res := &r.out.Result
	if !res.Hit || res.File == nil || !isSingle(res.Strategy) {
		return nil
	}
	// A request of its own, as in Sandcrawler: consumers of single files do not know datasets.
	request, err := res.Request.WithType(res.Request.Type + "-file")
	if err != nil {
		return err
	}
	r.out.File = &schemas.FileResult{
		Hit: true, Status: StatusSuccess, Request: request, Terminal: res.File.Terminal, FileMeta: res.File.FileMeta,
		CDX: res.File.CDX, RevisitCDX: res.File.RevisitCDX,
	}
	return nil
}
