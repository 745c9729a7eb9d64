package view

import (
	"context"
	"io"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ExportRequest asks for all captures of a search as a file.
type ExportRequest struct {
	SearchRequest
	Format string `json:"format,omitempty" query:"format" enum:"jsonl,csv,parquet,warc,wet,urls" doc:"form of the file; jsonl without it"`
	Fields string `json:"fields,omitempty" query:"fields" maxLength:"2000" doc:"of jsonl and csv: fields of documents, with commas between them"`
	Most   int    `json:"most,omitempty" query:"most" minimum:"1" maximum:"2000000000" doc:"most captures; all without it"`
}

// Export is a file that is about to be written.
// Made before anything is sent, so that a mistake still can be a status of HTTP; what follows can
// only end the file.
type Export struct {
	Name string // of the file
	Type string // media type
	// Write writes it. It is called once, and Close in any case. missing says that records could not be had.
	Write func(ctx context.Context, out io.Writer) (missing bool, err error)
	Close func()
}

// exportTypes are the media types and ends of names of the forms.
// Media types as registered: application/warc by ISO 28500, JSON lines without a registration.
var exportTypes = map[string]struct{ media, ext string }{
	"jsonl":   {"application/jsonl", ".jsonl"},
	"csv":     {"text/csv; charset=utf-8; header=present", ".csv"},
	"parquet": {"application/vnd.apache.parquet", ".parquet"},
	"warc":    {"application/warc", ".warc.gz"},
	"wet":     {"application/warc", ".warc.wet.gz"},
	"urls":    {"text/plain; charset=utf-8", ".txt"},
}

// Export finds what is asked for. Nothing is read before Write.
func (v *Views) Export(ctx context.Context, r ExportRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	// A file has all that fits: the page that somebody was on does not matter.
	r.Cursor, r.Limit = "", 0
	q, err := r.question()
	if err == nil {
		// Found here: once something is sent, an error could only end the file.
		q.Where, err = query.Bind(q.Where, now.DB.CustomTypes())
		err = changed(err)
	}
	if err != nil {
		// From here on the snapshot is held by the Export, whose Close lets it go; on errors it is let
		// go here.
		release()
		return nil, err
	}
	// 0 is all: an export is streamed, so its length costs no memory.
	q.Limit = r.Most
	if r.Format == "" {
		r.Format = "jsonl"
	}
	columns, err := fieldsOf(r)
	if err != nil {
		release()
		return nil, err
	}
	// The enum of the parameter has these forms only.
	form := exportTypes[r.Format]
	e := v.Exporter(now.DB)
	e.Format, e.Columns = r.Format, columns
	// The snapshot is held until Close: a run that ends meanwhile does not change what is being
	// written.
	return &Export{
		Name: c.Name() + form.ext, Type: form.media, Close: release,
		Write: func(ctx context.Context, out io.Writer) (bool, error) {
			return e.Write(ctx, func(columns []string) iter.Seq2[*schemas.Document, error] {
				return now.DB.Find(ctx, q, columns)
			}, out)
		},
	}, nil
}

// fieldsOf are the columns of the file; nil for those of the form.
func fieldsOf(r ExportRequest) (columns []string, err error) {
	if r.Fields == "" {
		return nil, nil
	}
	// WARC and WET are records, and Parquet has its schema for all rows.
	if r.Format != "jsonl" && r.Format != "csv" {
		return nil, invalid("fields", r.Fields, "Files of this form have all fields: leave it out.")
	}
	for name := range strings.SplitSeq(r.Fields, ",") {
		// Names as the query language takes them, short forms too; an unknown one is the asker's
		// mistake.
		f, _, err := query.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, invalid("fields", r.Fields, err.Error())
		}
		columns = append(columns, f.Column())
	}
	return columns, nil
}

// Record gives the record of one capture as a WARC file.
func (v *Views) Record(ctx context.Context, r PlaceRequest) (*Export, error) {
	_, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	d, err := v.place(ctx, now, r)
	if err != nil {
		release()
		return nil, changed(err)
	}
	e := v.Exporter(now.DB)
	e.Format = export.FormatWARC
	// It is tried before anything is sent, so that an archive that is gone is an error and not an empty file.
	if _, err := e.Capture(ctx, d); err != nil {
		release()
		return nil, missing(d, err)
	}
	return &Export{
		Name: "record.warc.gz", Type: "application/warc", Close: release,
		Write: func(ctx context.Context, out io.Writer) (bool, error) {
			return e.Write(ctx, func([]string) iter.Seq2[*schemas.Document, error] {
				// One capture in place of a search: the writer asks for the same thing, an iterator.
				return func(yield func(*schemas.Document, error) bool) { yield(d, nil) }
			}, out)
		},
	}, nil
}

// missing is an archive that cannot be read.
func missing(d *schemas.Document, err error) *Error {
	return &Error{
		Kind: NotFound, Title: "The archive cannot be read", Detail: d.Filename + ": " + err.Error() + ".",
		Remedy: "Text and metadata are kept; headers and records need the file. Start the server with --archives=FOLDER.",
	}
}

// Text gives the text of one capture, and HTML the sanitised HTML of its main part, which no page may show but in a
// frame that lets nothing run.
func (v *Views) Text(ctx context.Context, r PlaceRequest) (string, error) {
	d, err := v.document(ctx, r)
	if err != nil {
		return "", err
	}
	return d.Text, nil
}

// HTML is the sanitised HTML of the main part of a capture: see Text.
func (v *Views) HTML(ctx context.Context, r PlaceRequest) (html, language string, err error) {
	d, err := v.document(ctx, r)
	if err != nil {
		return "", "", err
	}
	// Its language is for the attribute lang of the document in the frame.
	return d.MainHTML, d.Language, nil
}

func (v *Views) document(ctx context.Context, r PlaceRequest) (*schemas.Document, error) {
	_, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	d, err := v.place(ctx, now, r)
	return d, changed(err)
}
