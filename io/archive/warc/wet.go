package warc

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// WETVersion changes whenever a WETWriter writes other bytes for the same documents.
const WETVersion = "1"

// WETWriter writes the main texts of documents as conversion records, as in the WET files of Common Crawl. Each refers
// to the record of its text. It is not safe for concurrent use.
type WETWriter struct{ w *Writer }

// NewWET returns a writer of WET files, gleaner-00000.warc.wet.gz. The options are those of [NewWriter]; WARC10 is what
// Common Crawl writes.
func NewWET(s dump.Sink, o dump.WriteOptions) *WETWriter {
	w := NewWriter(s, o)
	w.kind = ".warc.wet"
	return &WETWriter{w}
}

// NewWETFile returns a writer of one WET file, gzip by default, to out. Its name is not in it, so that it can be
// renamed later. The id of its warcinfo record comes from key, which no other file has. Any limit would begin a second
// file, for which there is no place.
func NewWETFile(out io.Writer, key string, o dump.WriteOptions) *WETWriter {
	t := NewWET(oneFile{out}, o)
	t.w.o.MaxFileBytes = math.MaxInt64
	t.w.key = key
	return t
}

// oneFile is a sink that has one file already.
type oneFile struct{ io.Writer }

// Create returns it, whatever it is called.
// The name that Writer asks for is of no use: the file has one already.
func (f oneFile) Create(string) (dump.Output, error) { return f, nil }

// Close leaves it to its owner, as does Abort.
func (oneFile) Close() error { return nil }

// Abort leaves it.
func (oneFile) Abort() {}

// Write writes the document's text. A document without text or URL is refused: dump.ErrRefused.
func (t *WETWriter) Write(d *schemas.Document) error {
	if d.URL == "" || d.Text == "" {
		return fmt.Errorf("warc: %w: it has no text, or its URL is not known", dump.ErrRefused)
	}
	// A time that cannot be read leaves zero, for which the writer puts the time of writing.
	when, _ := time.Parse(time.RFC3339, d.Timestamp)
	if err := t.w.ready(when, identity{}); err != nil {
		// Before the record is made, because a new file begins with a record of its own.
		return err
	}
	body := []byte(d.Text)
	c := &schemas.Capture{URL: d.URL, RecordType: schemas.TypeConversion, Timestamp: when}
	r := outgoing{
		kind: schemas.TypeConversion, body: body, mime: "text/plain", digest: digest.SHA1(body), language: languages(d),
		refersTo: schemas.Reference{RecordID: d.RecordID},
	}
	// The id depends on everything that distinguishes this text from others. So a second run gives the same id, and two
	// captures of one page have different ones.
	t.w.written++
	r.id = recordID("text", d.URL, d.Timestamp, d.RecordID, r.digest, d.Filename, fmt.Sprint(d.Offset),
		fmt.Sprint(d.Sequence))
	t.w.head(r, c)
	return t.w.flush()
}

// Close ends the file. One of NewWETFile begins even when it holds no text.
func (t *WETWriter) Close() error {
	// A file of no bytes would not be valid gzip, and readers would call it damaged.
	if t.w.key != "" {
		if err := t.w.ready(time.Time{}, identity{}); err != nil {
			return err
		}
	}
	return t.w.Close()
}

// languages are those of a document in ISO 639-3, as Common Crawl has them: "eng,fra".
func languages(d *schemas.Document) string {
	codes := make([]string, 0, len(d.Languages)+1)
	for _, l := range d.Languages {
		codes = append(codes, l.Code)
	}
	// Without a list the document's main language is all that is known.
	if len(codes) == 0 {
		codes = append(codes, d.Language)
	}
	var list []string
	for _, code := range codes {
		base, err := language.ParseBase(code)
		// "und" and "zxx" of ISO 639-2 name no language, which the absence of the field says better.
		if err == nil && schemas.IsLanguage(code) {
			list = append(list, base.ISO3())
		}
	}
	return strings.Join(list, ",")
}
