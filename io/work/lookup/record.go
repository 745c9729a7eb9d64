package lookup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httputil"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/arc"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	archiverecord "github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The bytes of a head that are read first, and at most.
const firstHead, maxHead = 8 << 10, 1 << 20

// record is an open record of an archive.
type record struct {
	url, mime  string
	status     int
	header     []schemas.Field
	encoding   string // content coding of body
	revisit    bool
	refersURL  string
	refersTime time.Time
	identity   string
	body       io.ReadCloser
	release    func() // releases the memory of body; nil for none
}

// answer is a record as a resource, with the target of its redirect.
type answer struct {
	fileset.Resource
	location string
}

func (r *record) answer(l *cdx.Line) *answer {
	a := &answer{Resource: fileset.Resource{
		URL: l.URL, DT: stamp(l.Timestamp), Status: r.status, MIME: r.mime, Encoding: r.encoding, CDX: row(l), Body: r.body,
		Identity: r.identity,
	}}
	// For records without HTTP, whose status only the index has.
	if a.Status == 0 {
		a.Status = l.Status
	}
	for _, f := range r.header {
		// Signposting: the links may lead to the files of a dataset.
		if strings.EqualFold(f.Name, "Link") {
			a.Links = append(a.Links, f.Value)
		}
	}
	a.location = schemas.FieldValue(r.header, "Location")
	return a
}

// read opens the record that a line leads to.
func (l *Lookup) read(ctx context.Context, line *cdx.Line) (*record, error) {
	// A number and a path below that folder: a line cannot name a file elsewhere.
	base, name := place(line)
	f, done, err := l.archive(ctx, base, name)
	if err != nil {
		return nil, err
	}
	r, err := f.read(line, l.o.MaxBody, l.neighbors(ctx))
	// By SURT: index and record may write the same URL in different ways.
	if err == nil && urlkey.SURT(r.url) != line.SURT && urlkey.SURT(r.url) != urlkey.SURT(line.URL) {
		err = fmt.Errorf("a record of %.200s is there", r.url)
	}
	if err != nil {
		done()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &fileset.StatusError{
			Status: fileset.StatusWaybackContent, Message: fmt.Sprintf("%s at byte %d: %v", name, line.Offset, err),
		}
	}
	// The archive's size distinguishes it from another file that replaced it under the same name.
	r.identity = fmt.Sprintf("%d:%s#%d/%d", base, name, line.Offset, f.file.Size())
	r.body = &closer{Reader: r.body, done: func() {
		done()
		if r.release != nil {
			r.release()
		}
	}}
	return r, nil
}

// errNone means that no record begins at the offset.
var errNone = errors.New("no capture begins there")

// read opens the record at a line's offset. neighbor reads a file beside the archive.
func (f *opened) read(line *cdx.Line, maxBody int64, neighbor func(string) ([]byte, error)) (*record, error) {
	if line.Offset >= f.file.Size() {
		return nil, errNone
	}
	switch f.format.Name {
	case "warc":
		return f.stream(line, warc.Grammar{})
	case "arc":
		return f.stream(line, arc.Grammar{})
	}
	in := archive.Input{
		// Some formats have the URL in the file's name, or in a file beside it.
		Name: f.name, ReadFile: neighbor, Size: f.file.Size(), Start: line.Offset, End: line.Offset + 1,
	}
	return f.whole(in, maxBody)
}

// whole reads a capture of a format without records to stream.
func (f *opened) whole(in archive.Input, maxBody int64) (*record, error) {
	r, err := archive.NewReader(f.file, in, f.format, archive.Options{MaxBody: maxBody})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			return nil, err
		}
		if c.HasFlag(schemas.FlagBody) {
			return nil, fmt.Errorf("the body has more than %d bytes", maxBody)
		}
		return &record{
			url: c.URL, mime: c.MIMEDeclared, status: c.Status, header: c.Header,
			body: io.NopCloser(strings.NewReader(string(c.Body))),
		}, nil
	}
	return nil, errNone
}

// stream opens a record in a format with records. Members are decoded while the body is read.
func (f *opened) stream(line *cdx.Line, g archiverecord.Grammar) (*record, error) {
	rng := member.Range{Start: line.Offset, End: f.file.Size(), Size: f.file.Size()}
	isHead := func(b []byte) bool { return g.Match(archiverecord.SkipBlank(b), false) }
	m, err := member.NewReader(f.file, rng, f.format.Compression, member.Options{IsHead: isHead})
	if err != nil {
		return nil, err
	}
	in := &members{r: m, start: line.Offset, buf: (*windows.Get().(*[]byte))[:0]}
	h, err := readHead(in, g)
	if err != nil {
		return nil, err
	}
	if h.Length < 0 {
		return nil, errors.New("the record does not say how long it is")
	}
	r := &record{release: in.release}
	block := &exact{r: in, left: h.Length}
	isHTTP := false
	if _, ok := g.(warc.Grammar); ok {
		isHTTP, err = r.warc(h)
	} else {
		isHTTP, err = r.arc(h)
	}
	if err != nil {
		return nil, err
	}
	return r, r.payload(block, isHTTP)
}

// readHead reads a record's head.
func readHead(in io.Reader, g archiverecord.Grammar) (*archiverecord.Head, error) {
	m := in.(*members)
	for size := firstHead; ; size *= 4 {
		b, whole, err := m.peek(size)
		if err != nil {
			return nil, err
		}
		b = append([]byte{}, b...) // Parse may change it, and the head keeps it
		start := len(b) - len(archiverecord.SkipBlank(b))
		if len(b) > start && !g.Match(b[start:], false) {
			return nil, errNone
		}
		var h archiverecord.Head
		if n := g.Parse(&h, b[start:], whole); n > 0 {
			m.skip(start + n)
			return &h, nil
		}
		if whole || size > maxHead {
			return nil, errors.New("its head does not end")
		}
	}
}

// warc reads a WARC head into r, and reports whether the block is HTTP.
func (r *record) warc(h *archiverecord.Head) (isHTTP bool, err error) {
	r.url = urlkey.Text(strings.Trim(string(h.Get("WARC-Target-URI")), "<> "))
	kind := warc.Type(h)
	r.mime = string(h.Get("Content-Type"))
	isHTTP = warc.DeclaresHTTP(r.mime)
	switch kind {
	case "response":
		isHTTP = isHTTP || r.mime == "" && strings.HasPrefix(r.url, "http")
	case "resource", "conversion":
	case "revisit":
		r.revisit = true
		r.refersURL = urlkey.Text(strings.Trim(string(h.Get("WARC-Refers-To-Target-URI")), "<> "))
		if t, _, ok := warc.ParseDate(string(h.Get("WARC-Refers-To-Date"))); ok {
			r.refersTime = t
		}
	default:
		return false, fmt.Errorf("a record of the type %.40q is there", kind)
	}
	if cut := h.Get("WARC-Truncated"); len(cut) > 0 {
		return false, fmt.Errorf("the record is truncated: %.40s", cut)
	}
	if n := h.Get("WARC-Segment-Number"); len(n) > 0 {
		return false, errors.New("the record is one of several segments: ingest joins these, this does not")
	}
	return isHTTP, nil
}

// arc reads the line of an ARC record, which begins with its URL, and reports whether the block is HTTP.
func (r *record) arc(h *archiverecord.Head) (isHTTP bool, err error) {
	url, _, ok := strings.Cut(string(h.Line), " ")
	if !ok {
		return false, errNone
	}
	r.url = urlkey.Text(url)
	return strings.HasPrefix(strings.ToLower(url), "http"), nil
}

// payload sets the body from a block.
func (r *record) payload(block *exact, isHTTP bool) error {
	if !isHTTP {
		r.body = io.NopCloser(block)
		return nil
	}
	r.mime = ""
	head, rest, err := httpHead(block)
	if err != nil {
		return err
	}
	r.status, r.header = head.Status, head.Header
	r.mime = head.Get("Content-Type")
	body := newBuffered(io.MultiReader(rest, block))
	if strings.Contains(strings.ToLower(head.Get("Transfer-Encoding")), "chunked") && isChunked(body) {
		r.body = io.NopCloser(httputil.NewChunkedReader(body))
	} else {
		r.body = io.NopCloser(&stated{r: body, left: length(head)})
	}
	// If the declared coding is missing, the crawler has removed it.
	if coding := strings.ToLower(strings.TrimSpace(head.Get("Content-Encoding"))); coding != "" && coding != "identity" {
		inner := newBuffered(r.body)
		r.body = io.NopCloser(inner)
		if isCoded(coding, inner) {
			r.encoding = coding
		}
	}
	return nil
}

// httpMessage is the head of an HTTP message.
type httpMessage struct{ httpmsg.Message }

// Get returns the value of a header field.
func (m *httpMessage) Get(name string) string { return schemas.FieldValue(m.Header, name) }

// httpHead reads the head of an HTTP message. rest has the bytes of the body that were read with it.
func httpHead(block *exact) (*httpMessage, io.Reader, error) {
	var b []byte
	whole := block.left
	for size := firstHead; ; size *= 4 {
		more := make([]byte, size-len(b))
		n, err := io.ReadFull(block, more)
		b = append(b, more[:n]...)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && block.left == 0
		if err != nil && !ended {
			return nil, nil, err
		}
		m := httpmsg.Parse(b, httpmsg.Options{Size: whole})
		cut := false
		for _, q := range m.Quirks {
			cut = cut || q == httpmsg.QuirkNoBlankLine || q == httpmsg.QuirkHeaderCut
		}
		if ended || size > maxHead || m.HasHead && !cut || !m.HasHead && n == len(more) && size > firstHead {
			return &httpMessage{m}, strings.NewReader(string(m.Body)), nil
		}
	}
}

// length returns the length of a body from its head. With a content coding it is -1, because crawlers remove codings
// and leave the length unchanged.
func length(m *httpMessage) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(m.Get("Content-Length")), 10, 64)
	if err != nil || n < 0 || m.Get("Content-Encoding") != "" || m.Get("Transfer-Encoding") != "" {
		return -1
	}
	return n
}
