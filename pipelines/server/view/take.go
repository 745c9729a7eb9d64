package view

import (
	"context"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	previewRows = 5
	sampleBytes = 16 << 20 // of text and HTML in the sample
	sampleRows  = 200      // of which the size of files is estimated
	previewCell = 120      // characters
)

// takeColumns are chosen without a choice: what most tables need, without long texts.
var takeColumns = []string{
	"url", "timestamp", "status", "mime_detected", "language", "title", "host", "domain", "page_type", "published",
	"authors", "filename", "offset", "length",
}

// takeForms are the files of captures.
var takeForms = []struct{ format, label, text string }{
	{"csv", "CSV", "the chosen columns"},
	{"csv-bom", "CSV for spreadsheets", "the chosen columns, with a byte order mark"},
	{"jsonl", "JSON lines", "the chosen columns, with lists and objects"},
	{"parquet", "Parquet", "the chosen columns, with types"},
	{"urls", "URLs", "a line for each"},
	{"warc", "WARC", "the records from the archives"},
	{"wacz", "WACZ", "the records with an index and a list of pages, and what these pages need to be replayed"},
	{"wet", "WET", "the texts as WARC records"},
}

// Take lists the data sets of a search.
func (v *Views) Take(ctx context.Context, r TakeRequest) (*Take, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection, r.Cursor, r.Limit, r.Facets = c.Name(), "", 0, ""
	q, err := r.question()
	if err != nil {
		return nil, err
	}
	q.Limit = 0
	if q.Where, err = now.DB.Bind(q.Where); err != nil {
		return nil, changed(err)
	}
	columns, err := r.columns()
	if err != nil {
		return nil, err
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	t := &Take{Answer: answer(c), Request: r, Filters: r.filters(), Search: r.SearchRequest.link()}
	late, err := within(ctx, v.findTime, func(ctx context.Context) error { return t.read(ctx, v, now, q, columns) })
	if late {
		return nil, &Error{
			Kind: Invalid, Title: "This search takes too long", Param: "query", Value: r.Query,
			Detail: "Too many captures would have to be read to count those that match.",
			Remedy: "Leave out the quotation marks, or narrow the search by a host, a language or a span of time.",
		}
	}
	if err != nil {
		return nil, changed(err)
	}
	if t.Captures == 0 {
		t.explain(now, q.Where)
	}
	t.choices(columns)
	t.tables(c.Path(), q, now.DB.ListsLinks())
	for i := range t.Files {
		f := &t.Files[i]
		f.Link, f.Command = r.file(f.Format), r.command(c.Path(), q, f.Format)
	}
	t.Took = v.since(start)
	return t, nil
}

// columns returns the chosen columns.
func (r TakeRequest) columns() ([]string, error) {
	if r.Fields == "" {
		return takeColumns, nil
	}
	columns, err := fieldsOf(ExportRequest{Format: "csv", Fields: r.Fields})
	// A file of Parquet has each column once.
	slices.Sort(columns)
	columns = slices.Compact(columns)
	at := map[string]int{}
	for i, c := range schemas.Columns() {
		at[c.Name] = i
	}
	slices.SortStableFunc(columns, func(a, b string) int { return at[a] - at[b] })
	return columns, err
}

// read counts the captures, and reads the first of them for the preview and the sizes.
func (t *Take) read(ctx context.Context, v *Views, now *shelf.Snapshot, q query.Query, columns []string) error {
	var err error
	if t.Total, err = now.DB.Count(ctx, q); err != nil {
		return err
	}
	all := q
	all.AllVersions = true
	if t.Captures, err = now.DB.Count(ctx, all); err != nil {
		return err
	}
	var sample []*schemas.Document
	first := q
	first.Limit = sampleRows
	size := 0
	for d, err := range now.DB.Find(ctx, first, nil) {
		if err != nil {
			return err
		}
		sample = append(sample, d)
		// Text and HTML are most of a document.
		if size += len(d.Text) + len(d.MainHTML); size > sampleBytes {
			break
		}
	}
	t.Preview.Names, t.Preview.Rows = columns, [][]string{}
	for _, d := range sample[:min(previewRows, len(sample))] {
		row, err := export.Cells(d, columns)
		if err != nil {
			return err
		}
		for i := range row {
			if letters := []rune(row[i]); len(letters) > previewCell {
				row[i] = string(letters[:previewCell]) + "…"
			}
		}
		t.Preview.Rows = append(t.Preview.Rows, row)
	}
	return t.sizes(ctx, v.Exporter(now.DB), sample, columns)
}

// sizes writes the sample in each format to learn the sizes of the files. Records are not read: their lengths are
// known.
func (t *Take) sizes(ctx context.Context, e export.Exporter, sample []*schemas.Document, columns []string) error {
	for _, form := range takeForms {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := TakeFile{Format: form.format, Label: form.label, Text: form.text, Rows: t.Total}
		whole := int64(len(sample)) == t.Total
		switch form.format {
		case "warc", "wacz":
			for _, d := range sample {
				f.Bytes += d.Length
			}
		default:
			e.Format, e.Columns = form.format, columns
			n := &counter{}
			_, err := e.Write(ctx, func([]string) iter.Seq2[*schemas.Document, error] { return each(sample) }, n)
			if err != nil {
				return err
			}
			f.Bytes, f.Exact = n.n, whole && form.format != "wet"
		}
		if !whole && len(sample) > 0 {
			f.Bytes = int64(float64(f.Bytes) * float64(t.Total) / float64(len(sample)))
		}
		t.Files = append(t.Files, f)
	}
	return nil
}

// counter counts the bytes that are written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

var _ io.Writer = &counter{}

func each(list []*schemas.Document) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for _, d := range list {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// choices sets the columns and versions that can be chosen.
func (t *Take) choices(columns []string) {
	for _, c := range schemas.Columns() {
		t.Columns = append(t.Columns, TakeColumn{c.Name, c.Text, slices.Contains(columns, c.Name)})
	}
	for _, fold := range []struct{ value, label string }{{"", "Newest of each page"}, {"none", "All captures"}} {
		r := t.Request
		r.Fold = fold.value
		selected := (t.Request.Fold == "none") == (fold.value == "none")
		t.Folds = append(t.Folds, Choice{fold.value, fold.label, r.link(), selected})
	}
	t.Notebook = t.Request.call("notebook", "")
}

// hasColumns reports whether a format has the chosen columns.
func hasColumns(format string) bool {
	return format == "jsonl" || format == "parquet" || strings.HasPrefix(format, "csv")
}

// file is the path of a file.
func (r TakeRequest) file(format string) string { return r.call("export", format) }

// call is the path of a resource of the API with the search.
func (r TakeRequest) call(resource, format string) string {
	values := Encode(r.SearchRequest)
	if format != "" {
		values.Set("format", format)
	}
	if format == "" || hasColumns(format) {
		values.Set("fields", r.chosen())
	}
	return "/api/v1/" + resource + "?" + values.Encode()
}

// chosen are the chosen columns as a parameter.
func (r TakeRequest) chosen() string {
	columns, err := r.columns()
	if err != nil {
		return r.Fields // which has been checked
	}
	return strings.Join(columns, ",")
}

// command is the command that writes a file.
func (r TakeRequest) command(folder string, q query.Query, format string) string {
	command := r.elsewhere(q, folder).Command + " --format=" + format
	if hasColumns(format) {
		command += flagText("fields", r.chosen())
	}
	return command
}

// link is the page of the data sets.
func (r TakeRequest) link() string {
	values := Encode(r.SearchRequest)
	values.Del("collection")
	if r.Fields != "" {
		values.Set("fields", r.Fields)
	}
	path := page(r.Collection, "take", nil)
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	return path
}

// take is the page with the data sets of a search.
func (r SearchRequest) take() string {
	r.Limit, r.Cursor, r.Facets = 0, "", ""
	return TakeRequest{SearchRequest: r}.link()
}

// Hidden returns the parameters that the form of columns keeps.
func (t *Take) Hidden() map[string]string {
	kept := map[string]string{}
	for name, value := range Encode(t.Request.SearchRequest) {
		if name != "collection" {
			kept[name] = value[0]
		}
	}
	return kept
}
