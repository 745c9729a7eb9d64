package wacz

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Writer writes captures as one WACZ file. It is a [dump.Writer]; see [NewWriter].
type Writer struct {
	sink  dump.Sink
	o     dump.WriteOptions
	out   dump.Output // nil before the first capture
	zip   *zip.Writer
	warc  *warc.Writer
	files []written
	index sorted // of all records
	pages sorted // the lines of the list of pages
}

// written is a file of the ZIP, as the description has it.
type written struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Hash  string `json:"hash"` // "sha256:…"
	Bytes int64  `json:"bytes"`
}

// NewWriter returns a writer of one WACZ file, gleaner.wacz, or with a Stamp gleaner-20260304050607.wacz. The file has
// WARC files in archive/, of at most MaxFileBytes each, indexes/index.cdx, pages/pages.jsonl and the description. The
// options are those of [warc.NewWriter]. Pages are the HTML responses with status 200 or none. Without captures there
// is no file.
func NewWriter(s dump.Sink, o dump.WriteOptions) *Writer {
	w := &Writer{sink: s, o: o, index: newSorted(), pages: newSorted()}
	// The records' sink is this writer itself: see Create.
	w.warc = warc.NewWriter(w, o)
	return w
}

// sorted is lines that are put in order, and written when they are all there.
type sorted struct {
	*cdx.SortedWriter
	to *later
}

// later is a writer whose target is set after the archives are all written: in a ZIP one file ends where the next
// begins.
type later struct{ io.Writer }

func newSorted() sorted {
	to := &later{}
	return sorted{cdx.NewSortedWriter(to, cdx.Options{Plain: true}), to}
}

// Write writes the capture's record.
func (w *Writer) Write(c *schemas.Capture) error {
	if c.URL == "" {
		return fmt.Errorf("wacz: %w: its URL is not known", dump.ErrRefused)
	}
	if err := w.open(); err != nil {
		return err
	}
	// It may begin a new file in the ZIP, so that the place is asked for only now.
	if err := w.warc.Write(c); err != nil {
		return w.failed(err)
	}
	at := w.warc.Last()
	line := cdx.Line{
		SURT: urlkey.SURT(c.URL), Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: at.Status,
		Digest: at.Digest, Length: at.Length, Offset: at.Offset, Filename: at.File,
	}
	// What the record became counts, not what the capture was.
	if at.Type == schemas.TypeRevisit {
		line.MIME = cdx.MIMERevisit
	}
	if err := w.index.Add(line); err != nil {
		return w.failed(err)
	}
	// The list of pages is what a person browses, so it has no images, errors or revisits.
	// Some formats have no status, as those of ACHE.
	isAnswer := at.Status == 0 || at.Status == http.StatusOK
	isPage := at.Type == schemas.TypeResponse || at.Type == schemas.TypeResource
	if isAnswer && isPage && strings.HasPrefix(strings.ToLower(c.MIMEDeclared), "text/html") {
		if err := w.page(c); err != nil {
			return w.failed(err)
		}
	}
	return nil
}

// WriteRecord copies a record that is not a capture. It is in no index.
func (w *Writer) WriteRecord(r *schemas.Record) error {
	if err := w.open(); err != nil {
		return err
	}
	if err := w.warc.WriteRecord(r); err != nil {
		return w.failed(err)
	}
	return nil
}

// page adds a line to the list of pages.
func (w *Writer) page(c *schemas.Capture) error {
	ts := ""
	if !c.Timestamp.IsZero() {
		ts = c.Timestamp.UTC().Format(time.RFC3339)
	}
	// The id is made of URL and time, so that the same captures make the same file.
	sum := sha256.Sum256([]byte(c.URL + "\x00" + ts))
	line, err := json.Marshal(struct {
		URL string `json:"url"`
		TS  string `json:"ts,omitempty"`
		ID  string `json:"id"`
	}{c.URL, ts, hex.EncodeToString(sum[:8])})
	if err != nil {
		return err
	}
	return w.pages.AddText(line)
}

// Drops are those of the WARC records.
func (w *Writer) Drops() map[string]int64 { return w.warc.Drops() }

// Create begins a WARC file in the ZIP; it is what makes a Writer the sink of its own records.
func (w *Writer) Create(name string) (dump.Output, error) { return w.create(folder + name) }

// open begins the WACZ file.
func (w *Writer) open() error {
	if w.out != nil {
		return nil
	}
	// The name is fixed, because there is one file; the time in it keeps runs apart.
	name := "gleaner.wacz"
	if !w.o.Stamp.IsZero() {
		name = "gleaner-" + w.o.Stamp.UTC().Format("20060102150405") + ".wacz"
	}
	out, err := w.sink.Create(name)
	if err != nil {
		return fmt.Errorf("wacz: %w", err)
	}
	w.out, w.zip = out, zip.NewWriter(out)
	return nil
}

// create begins a file of the ZIP, stored as it is.
func (w *Writer) create(name string) (*entry, error) {
	// Stored, because WACZ asks for it: records are read in place.
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: w.modified()})
	if err != nil {
		return nil, fmt.Errorf("wacz: %w", err)
	}
	return &entry{w: w, to: to, name: name, sha256: sha256.New()}, nil
}

// modified is the time of writing, within what the dates of ZIP can say: 1980 to 2107. Without a Stamp it is their
// first, so that equal input makes equal bytes.
func (w *Writer) modified() time.Time {
	first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(2107, 12, 31, 23, 59, 58, 0, time.UTC)
	switch t := w.o.Stamp.UTC(); {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	default:
		return t
	}
}

// entry is a file of the ZIP in the making.
type entry struct {
	w      *Writer
	to     io.Writer
	name   string
	sha256 hash.Hash
	n      int64
}

// Write writes and counts.
func (e *entry) Write(p []byte) (int, error) {
	n, err := e.to.Write(p)
	// What the ZIP did not take is not hashed.
	e.sha256.Write(p[:n])
	e.n += int64(n)
	return n, err
}

// Close notes the file for the description.
func (e *entry) Close() error {
	// Called when the file has all its bytes, so the hash is of the whole.
	e.w.files = append(e.w.files, written{
		path.Base(e.name), e.name, "sha256:" + hex.EncodeToString(e.sha256.Sum(nil)),
		e.n,
	})
	return nil
}

// Abort does nothing: a failure is of the whole WACZ file.
func (e *entry) Abort() {}

// Close writes what describes the archives, and ends the file.
func (w *Writer) Close() error {
	// Nothing was written: only temporary files have to go.
	if w.out == nil {
		return errors.Join(w.index.Abort(), w.pages.Abort())
	}
	// cmp.Or keeps the first error. What follows it is still done, into a file that will be dropped.
	err := w.warc.Close()
	err = cmp.Or(err, w.list("indexes/index.cdx", w.index, ""))
	err = cmp.Or(err, w.list("pages/pages.jsonl", w.pages, `{"format":"json-pages-1.0","id":"pages","title":"All Pages"}`+
		"\n"))
	err = cmp.Or(err, w.describe())
	if err == nil {
		err = w.zip.Close()
	}
	if err != nil {
		return w.failed(err)
	}
	out := w.out
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("wacz: %w", err)
	}
	return nil
}

// list writes a file of sorted lines.
func (w *Writer) list(name string, lines sorted, first string) error {
	e, err := w.create(name)
	if err != nil {
		return err
	}
	// From here on the sorted lines have a place to go to.
	lines.to.Writer = e
	if _, err := io.WriteString(e, first); err != nil {
		return err
	}
	// Here the lines are merged, from temporary files where there are many.
	return cmp.Or(lines.Close(), e.Close())
}

// describe writes the description, and its hash.
func (w *Writer) describe() error {
	d := struct {
		Profile   string    `json:"profile"`
		Version   string    `json:"wacz_version"`
		Software  string    `json:"software"`
		Created   string    `json:"created,omitempty"`
		Resources []written `json:"resources"`
	}{Profile: "data-package", Version: "1.1.1", Software: "Gleaner", Resources: w.files}
	if !w.o.Stamp.IsZero() {
		d.Created = w.o.Stamp.UTC().Format(time.RFC3339)
	}
	if err := w.object(description, d); err != nil {
		return err
	}
	// The description is the file that was closed last.
	self := w.files[len(w.files)-1]
	// The signature file itself is in no list: nothing could hold its hash.
	return w.object(signature, struct {
		Path string `json:"path"`
		Hash string `json:"hash"`
	}{self.Path, self.Hash})
}

// object writes a file of JSON.
func (w *Writer) object(name string, v any) error {
	e, err := w.create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(e)
	enc.SetIndent("", "  ")
	// Encode writes a line end, as the files of other programs have it.
	return cmp.Or(enc.Encode(v), e.Close())
}

// failed drops the file. A refusal leaves it as it is.
func (w *Writer) failed(err error) error {
	// A capture that is refused has written nothing, so that the next one can follow.
	if errors.Is(err, dump.ErrRefused) || w.out == nil {
		return err
	}
	w.out.Abort()
	w.out = nil
	return errors.Join(fmt.Errorf("wacz: %w", err), w.index.Abort(), w.pages.Abort())
}
