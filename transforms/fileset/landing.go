package fileset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// maxHTML is the most of a landing page that is parsed; package page reads no more.
const maxHTML = 8 << 20

// landing finds the page that describes the dataset and fills in its results.
func (r *run) landing() (*Page, error) {
	res := &r.out.Result
	base := CleanURL(res.Request.BaseURL)
	// Set before any request, so that a result without a response has it, too.
	res.Hops = []string{base}
	// Before the fetch, and again after the redirects.
	if r.blocked(base) {
		return nil, &StatusError{Status: StatusBlocklist, Message: base}
	}
	answer, err := r.get(r.source, base, Landing, "text/html")
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // only read
	if answer.URL != base {
		res.Hops = append(res.Hops, answer.URL)
	}
	// Set even if the page is refused below, so that a person can look at it.
	res.Terminal = &schemas.FilesetTerminal{URL: answer.URL, DT: answer.DT, Status: answer.Status}
	res.CDX, res.RevisitCDX = answer.CDX, answer.RevisitCDX
	switch {
	case r.blocked(answer.URL):
		return nil, &StatusError{Status: StatusBlocklist, Message: answer.URL}
	case has(answer.URL, cookies):
		return nil, &StatusError{Status: StatusCookie, Message: answer.URL}
	case !good(answer.Status):
		return r.refused(answer)
	}
	page, err := r.page(answer)
	if err != nil {
		return nil, err
	}
	if wall := wallOf(page.HTML); wall != "" {
		r.challenged(answer, wall)
	}
	res.Terminal.SHA1 = res.FileMeta.SHA1
	if page.Biblio = ReadBiblio(page.HTML, answer.URL); page.Biblio != nil {
		res.Biblio = page.Biblio
	}
	return page, nil
}

// blocked reports whether a URL is on the blocklist. Items of archive.org are datasets. The real system exempted them
// before redirects only, so it never found any.
func (r *run) blocked(url string) bool { return has(strings.ToLower(url), r.o.Blocked) }

// HTTP statuses (RFC 9110), and 226, which an index has for files from FTP.
const statusOK, statusFTP = 200, 226

// good reports whether a response is a success. Formats without HTTP have status 0, and hold answers alone.
func good(status int) bool { return status == 0 || status == statusOK || status == statusFTP }

// page reads the landing page: it hashes all and keeps the beginning.
func (r *run) page(answer *Resource) (*Page, error) {
	in, err := decoded(answer)
	if err != nil {
		return nil, err
	}
	// Hashed to its end, although only the beginning is parsed: archives identify it by the hash.
	s, kept := newSums(), &prefix{max: maxHTML}
	n, err := copied(r.ctx, io.MultiWriter(s, kept), io.LimitReader(in, r.o.MaxPage+1))
	switch {
	case err != nil:
		return nil, err
	case n > r.o.MaxPage:
		return nil, &StatusError{Status: StatusBodyTooLarge, Message: answer.URL}
	case n == 0:
		return nil, &StatusError{Status: StatusEmptyBlob, Message: answer.URL}
	}
	meta := s.meta(answer.MIME, answer.URL)
	r.out.Result.FileMeta = &meta
	page := &Page{Request: &r.out.Result.Request, URL: answer.URL, DT: answer.DT, Links: answer.Links}
	// By the bytes as well as by the declared type: a PDF is a landing page without HTML.
	if mimetype.IsHTML(meta.MIME) {
		page.HTML = kept.b
	}
	return page, nil
}

type prefix struct {
	b   []byte
	max int
}

func (p *prefix) Write(b []byte) (int, error) {
	p.b = append(p.b, b[:min(len(b), p.max-len(p.b))]...)
	return len(b), nil
}

// copied copies a body. A truncated body is a *StatusError.
func copied(ctx context.Context, to io.Writer, from io.Reader) (n int64, err error) {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		// Checked here, since a body may take hours.
		if err := ctx.Err(); err != nil {
			return n, err
		}
		// Write data that comes with an error first: io.Reader allows both at once.
		k, err := from.Read(*buf)
		if k > 0 {
			if _, err := to.Write((*buf)[:k]); err != nil {
				return n, err
			}
			n += int64(k)
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, broken(err)
		}
	}
}

// broken is the error of a body that cannot be read to its end.
func broken(err error) error {
	var ended *StatusError
	switch {
	case errors.As(err, &ended):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errGzip):
		return &StatusError{Status: StatusBadGzip, Message: err.Error()}
	}
	return &StatusError{Status: StatusWaybackContent, Message: err.Error()}
}

var errGzip = errors.New("damaged content coding")

// decoded is the body without its content coding, and without gzip that its type does not declare, which servers add
// silently.
func decoded(answer *Resource) (io.Reader, error) {
	// A declared coding is undone by its name; a failure there is damage.
	if answer.Encoding != "" {
		in, err := contentDecoder(answer.Encoding, answer.Body)
		if err != nil {
			return nil, &StatusError{Status: StatusBadGzip, Message: answer.Encoding + ": " + err.Error()}
		}
		return gzipErrors{in}, nil
	}
	in := bufio.NewReaderSize(answer.Body, 4<<10) // the copy after it is in larger pieces
	head, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, broken(err)
	}
	said := mimetype.Base(answer.MIME)
	// Magic and the method deflate: section 2.3.1 of RFC 1952.
	if !bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}) || said == "application/gzip" || said == "application/x-gzip" {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, &StatusError{Status: StatusBadGzip, Message: err.Error()}
	}
	return gzipErrors{z}, nil
}

// gzipErrors marks the errors of a decoder with errGzip.
type gzipErrors struct{ io.Reader }

func (g gzipErrors) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errors.Join(errGzip, err)
	}
	return n, err
}
