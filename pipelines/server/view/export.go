package view

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
)

// ExportRequest is a request for all captures of a search as a file.
type ExportRequest struct {
	SearchRequest
	Format string `json:"format,omitempty" query:"format" enum:"jsonl,csv,csv-bom,parquet,warc,wacz,wet,urls" doc:"form of the file; jsonl without it; csv-bom is for spreadsheets"`
	Fields string `json:"fields,omitempty" query:"fields" maxLength:"2000" doc:"of jsonl, parquet and both csv: whole columns of documents, with commas between them"`
	Most   int    `json:"most,omitempty" query:"most" minimum:"1" maximum:"2000000000" doc:"most captures; all without it"`
}

// Export is a file that can be written. It is made before anything is sent, so that a mistake can still become an HTTP
// status. Later errors can only end the file.
type Export struct {
	Name string // of the file
	Type string // media type
	// Write writes the file; it is called once. Close is called in any case. missing means that some records could not
	// be read.
	Write func(ctx context.Context, out io.Writer) (missing bool, err error)
	Close func()
}

// exportTypes are the media types and extensions of the formats. The media types are the registered ones:
// application/warc is from ISO 28500; JSON lines have none.
var exportTypes = map[string]struct{ media, ext string }{
	"jsonl":   {"application/jsonl", ".jsonl"},
	"csv":     {"text/csv; charset=utf-8; header=present", ".csv"},
	"csv-bom": {"text/csv; charset=utf-8; header=present", ".csv"},
	"parquet": {"application/vnd.apache.parquet", ".parquet"},
	"warc":    {"application/warc", ".warc.gz"},
	"wacz":    {"application/wacz", ".wacz"},
	"wet":     {"application/warc", ".warc.wet.gz"},
	"urls":    {"text/plain; charset=utf-8", ".txt"},
}

// Export prepares an export. Nothing is read before Write.
func (v *Views) Export(ctx context.Context, r ExportRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	// A file has all matches, from any page of the list.
	r.Cursor, r.Limit = "", 0
	q, err := r.question()
	if err == nil {
		// Mistakes are found here: once something is sent, an error could only end the file.
		q.Where, err = now.DB.Bind(q.Where)
		err = changed(err)
	}
	if err != nil {
		// The Export holds the snapshot, and its Close releases it. On errors it is released here.
		release()
		return nil, err
	}
	// 0 means all: an export is streamed, so its length costs no memory.
	q.Limit = r.Most
	if r.Format == "" {
		r.Format = "jsonl"
	}
	columns, err := fieldsOf(r)
	if err != nil {
		release()
		return nil, err
	}
	// The enum of the parameter has only these formats.
	form := exportTypes[r.Format]
	e := v.Exporter(now.DB)
	e.Format, e.Columns = r.Format, columns
	// The snapshot is held until Close, so a run that ends meanwhile does not change the file.
	return &Export{
		Name: r.name(c.Name()) + form.ext, Type: form.media, Close: release,
		Write: func(ctx context.Context, out io.Writer) (bool, error) {
			return e.Write(ctx, func(columns []string) iter.Seq2[*schemas.Document, error] {
				return now.DB.Find(ctx, q, columns)
			}, out)
		},
	}, nil
}

// maxName is how many characters of a search are in the name of its file.
const maxName = 60

// name returns the name of the file without its extension: the collection, and letters and digits of the search.
func (r ExportRequest) name(collection string) string {
	parts := []string{r.Query}
	for _, f := range r.filters() {
		parts = append(parts, f.Value)
	}
	return fileName(collection, strings.Join(parts, " "))
}

// fileName returns the name of a file without its extension: the collection, and letters and digits of a text.
func fileName(collection, text string) string {
	words := strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
	})
	name := []rune(strings.Join(append([]string{collection}, words...), "-"))
	return strings.TrimRight(string(name[:min(len(name), len([]rune(collection))+maxName)]), "-")
}

// fieldsOf returns the columns of the file; nil means the format's own.
func fieldsOf(r ExportRequest) (columns []string, err error) {
	if r.Fields == "" {
		return nil, nil
	}
	// The others contain records or URLs.
	if !hasColumns(r.Format) {
		return nil, invalid("fields", r.Fields, "Leave it out: files in this format always have all fields.")
	}
	// An unknown name is the user's mistake.
	if columns, err = contentdb.ChosenColumns(strings.Split(r.Fields, ",")); err != nil {
		return nil, invalid("fields", r.Fields, err.Error())
	}
	return columns, nil
}

// Record returns the record of one capture as a WARC file.
func (v *Views) Record(ctx context.Context, r PlaceRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	r.Collection = c.Name()
	d, err := v.place(ctx, now, r)
	if err != nil {
		release()
		return nil, changed(err)
	}
	e := v.Exporter(now.DB)
	e.Format = export.FormatWARC
	// It is tried before anything is sent, so that a missing archive is an error and not an empty file.
	if _, err := e.Capture(ctx, d); err != nil {
		release()
		if errors.Is(err, contentdb.ErrWithheld) {
			return nil, v.Withheld(ctx, r.Collection, d)
		}
		return nil, missing(d, err)
	}
	return &Export{
		Name: "record.warc.gz", Type: "application/warc", Close: release,
		Write: func(ctx context.Context, out io.Writer) (bool, error) {
			return e.Write(ctx, func([]string) iter.Seq2[*schemas.Document, error] {
				// A single capture replaces the search: the writer needs an iterator.
				return func(yield func(*schemas.Document, error) bool) { yield(d, nil) }
			}, out)
		},
	}, nil
}

// missing returns the error for an archive that cannot be read.
func missing(d *schemas.Document, err error) *Error {
	return &Error{
		Kind: NotFound, Title: "The archive cannot be read", Detail: d.Filename + ": " + err.Error() + ".",
		Remedy: "Text and metadata are kept; headers and records need the file. Start the server with --archives=FOLDER.",
	}
}

// Text returns the text of one capture, and HTML the sanitised HTML of its main part. Pages may only show that HTML in
// a frame that lets nothing run.
func (v *Views) Text(ctx context.Context, r PlaceRequest) (string, error) {
	d, err := v.document(ctx, r)
	if err != nil {
		return "", err
	}
	return d.Text, nil
}

// HTML returns the sanitised HTML of the main part of a capture: see Text.
func (v *Views) HTML(ctx context.Context, r PlaceRequest) (html, language string, err error) {
	d, err := v.document(ctx, r)
	if err != nil {
		return "", "", err
	}
	// The language is for the lang attribute of the document in the frame.
	return d.MainHTML, d.Language, nil
}

func (v *Views) document(ctx context.Context, r PlaceRequest) (*schemas.Document, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	d, err := v.place(ctx, now, r)
	if err != nil {
		return nil, changed(err)
	}
	if !now.DB.MayRead(d) {
		return nil, v.Withheld(ctx, c.Name(), d)
	}
	if d.RecordType == schemas.TypeRevisit && d.Text == "" && d.MainHTML == "" {
		return revisited(ctx, now, d)
	}
	return d, nil
}

// Payload returns the decoded payload of a capture and its declared media type, with parameters. It returns an *Error
// if the archive cannot be read, or if the payload has more than MaxPayload bytes.
func (v *Views) Payload(ctx context.Context, r PlaceRequest) (body []byte, media string, err error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, "", err
	}
	defer release()
	d, err := v.place(ctx, now, r)
	if err != nil {
		return nil, "", changed(err)
	}
	// The size is known before anything is decoded.
	if d.BodyBytes > MaxPayload {
		return nil, "", missing(d, errors.New("the payload is too large"))
	}
	capture, err := v.Exporter(now.DB).Capture(ctx, d)
	if errors.Is(err, contentdb.ErrWithheld) {
		return nil, "", v.Withheld(ctx, c.Name(), d)
	}
	if err != nil {
		return nil, "", missing(d, err)
	}
	return capture.Body, capture.MIMEDeclared, nil
}

// MaxPayload is the largest payload that Payload returns, in bytes.
const MaxPayload = 4 << 20
