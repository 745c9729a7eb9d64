package view

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/statement"
)

// These limit statements. Files are made while they are sent, so their rows are not limited.
const (
	sqlTime  = 20 * time.Second // of a page
	fileTime = 10 * time.Minute // of a file
	sqlPage  = 100              // rows of a page
	sqlRows  = 10_000           // rows that pages lead to
	sqlBytes = 4 << 20          // of these rows, as JSON
)

// SQLForm is the page of SQL without an answer: before a statement is run, and after it has failed.
func (v *Views) SQLForm(ctx context.Context, r SQLRequest) (*SQL, error) {
	c, _, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection, r.Statement = c.Name(), lines(r.Statement)
	s := v.sqlForm(c, r)
	if r.Statement != "" {
		s.elsewhere(c.Path())
	}
	return s, nil
}

// lines returns a text with the line ends of this system: forms send CRLF.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// sqlForm is the answer without rows.
func (v *Views) sqlForm(c *shelf.Collection, r SQLRequest) *SQL {
	s := &SQL{Answer: answer(c), Request: r, Columns: []SQLColumn{}, Rows: [][]any{}}
	for _, e := range sqlExamples {
		e.Link = SQLRequest{Collection: r.Collection, Statement: e.Statement}.link()
		s.Examples = append(s.Examples, e)
	}
	for _, t := range contentsql.Tables() {
		if t.Name == "sources" && v.o.Sources == nil {
			continue
		}
		table := SQLTable{Name: t.Name, Row: rowsOf[t.Name], Needs: needs[t.Name], Filter: t.Filter}
		for _, column := range t.Columns {
			table.Columns = append(table.Columns, SQLTableColumn(column))
		}
		s.Tables = append(s.Tables, table)
	}
	s.Limits = fmt.Sprintf("A statement can only read. It may take %d seconds and %s of memory, and pages show the "+
		"first %s rows. A file has all rows, and may take %d minutes.", int(sqlTime.Seconds()),
		look.Bytes(v.o.Statements.Memory()), look.Count(sqlRows), int(fileTime.Minutes()))
	return s
}

// SQL answers a statement.
func (v *Views) SQL(ctx context.Context, r SQLRequest) (*SQL, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection, r.Statement = c.Name(), lines(r.Statement)
	s := v.sqlForm(c, r)
	if strings.TrimSpace(r.Statement) == "" {
		return s, nil
	}
	key := now.ID + v.sourcesVersion() + "\x00" + r.Collection + "\x00" + r.Statement
	kept, err := v.statements.rows(ctx, key, func() (*sqlAnswer, error) {
		return v.askSQL(ctx, c, now, r.Statement)
	})
	if err != nil {
		return nil, v.sqlError(ctx, r.Statement, sqlTime, err)
	}
	s.show(kept)
	s.explain(now, nil)
	s.elsewhere(c.Path())
	s.Took = v.since(start)
	return s, nil
}

// sqlAnswer is what a statement has found. It must not be changed.
type sqlAnswer struct {
	columns []SQLColumn
	rows    [][]any
	cut     bool
	bytes   int
	notes   []string
}

// sqlQuestion is a statement about a collection. What it needs is held until release is called.
func (v *Views) sqlQuestion(
	ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, text, format string,
) (q statement.Question, release func(), err error) {
	q = statement.Question{
		Collection: c.Path(), Statement: text, Format: format, NoIndex: !c.State().Ready, Time: sqlTime,
		User: ActorOf(ctx).limited(),
	}
	if now.DB.IsLimited() {
		if q.Limits, err = now.DB.Limits().Text(); err != nil {
			return q, nil, err
		}
	}
	release = func() {}
	// The Source DB knows nothing of limits.
	if v.o.Sources != nil && !now.DB.IsLimited() {
		// The index is held, so that its file stays.
		if x, let, why := v.o.Sources.Hold(); why == "" && x != nil {
			q.Sources, release = v.o.Sources.File(), let
		}
	}
	return q, release, nil
}

// askSQL runs a statement and reads its first rows.
func (v *Views) askSQL(
	ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, text string,
) (*sqlAnswer, error) {
	q, release, err := v.sqlQuestion(ctx, c, now, text, "arrays")
	if err != nil {
		return nil, err
	}
	defer release()
	a, err := v.o.Statements.Start(ctx, q)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	in := bufio.NewReaderSize(a, 64<<10)
	var names []string
	line, err := readLine(in)
	if err == nil {
		err = json.Unmarshal(line, &names)
	}
	if err != nil {
		return nil, err
	}
	found := &sqlAnswer{columns: make([]SQLColumn, len(names))}
	for i, name := range names {
		found.columns[i] = SQLColumn{Name: name, Number: true}
	}
	for {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			for _, note := range a.Notes() {
				found.notes = append(found.notes, strings.ToUpper(note[:1])+note[1:]+".")
			}
			return found.finish(), nil
		}
		if err == nil && (len(found.rows) == sqlRows || found.bytes+len(line) > sqlBytes) {
			found.cut = true
			return found.finish(), nil
		}
		if err == nil {
			err = found.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// errWide means that one row is larger than a page may be.
var errWide = errors.New("view: a row is too large")

// readLine reads a line of at most sqlBytes.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > sqlBytes:
			return nil, errWide
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// add adds a row, which is a JSON array.
func (a *sqlAnswer) add(line []byte) error {
	// SQLite's text for infinity is not a number of Go.
	line = bytes.TrimSpace(line)
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var row []any
	if err := d.Decode(&row); err != nil {
		return err
	}
	for i, value := range row {
		_, number := value.(json.Number)
		a.columns[i].Number = a.columns[i].Number && (number || value == nil)
	}
	a.rows, a.bytes = append(a.rows, row), a.bytes+len(line)
	return nil
}

// finish completes the columns: one without any value is not of numbers.
func (a *sqlAnswer) finish() *sqlAnswer {
	for i := range a.columns {
		some := false
		for _, row := range a.rows {
			some = some || row[i] != nil
		}
		a.columns[i].Number = a.columns[i].Number && some
	}
	return a
}

// show sets the rows of the page.
func (s *SQL) show(a *sqlAnswer) {
	s.Columns, s.All, s.Total, s.Cut, s.Notes = a.columns, a.rows, len(a.rows), a.cut, a.notes
	s.First = max(1, s.Request.First)
	from := min(s.First-1, len(a.rows))
	s.Rows = a.rows[from:min(from+sqlPage, len(a.rows))]
	if len(s.Rows) == 0 {
		s.Rows = [][]any{}
	}
	at := func(first int) string {
		r := s.Request
		if r.First = first; first <= 1 {
			r.First = 0
		}
		return r.link()
	}
	if from+sqlPage < len(a.rows) {
		s.NextLink = at(s.First + sqlPage)
	}
	if s.First > 1 {
		s.PreviousLink = at(s.First - sqlPage)
	}
}

// sqlForms are the formats that rows can be downloaded in.
var sqlForms = []struct{ format, label string }{
	{"csv", "CSV"}, {"csv-bom", "CSV for spreadsheets"}, {"jsonl", "JSON lines"}, {"parquet", "Parquet"},
}

// elsewhere sets the same rows as a command, a call and files.
func (s *SQL) elsewhere(folder string) {
	r := s.Request
	r.First = 0
	s.Command = "query" + flagText("collection", folder) + flagText("sql", r.Statement)
	s.API = api("sql", r)
	for _, f := range sqlForms {
		values := Encode(r)
		values.Set("format", f.format)
		s.Downloads = append(s.Downloads, Download{f.format, f.label, "/api/v1/sql/rows?" + values.Encode()})
	}
}

// link is the page of a statement.
func (r SQLRequest) link() string { return page(r.Collection, "sql", r) }

// SQLFile prepares a file with all rows of a statement.
func (v *Views) SQLFile(ctx context.Context, r SQLFileRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if strings.TrimSpace(r.Statement) == "" {
		return nil, invalid("sql", "", "It takes a statement, such as "+sqlExamples[1].Statement+".")
	}
	if r.Statement = lines(r.Statement); r.Format == "" {
		r.Format = "csv"
	}
	q, let, err := v.sqlQuestion(ctx, c, now, r.Statement, r.Format)
	if err != nil {
		return nil, err
	}
	q.Time, q.File = fileTime, true
	a, err := v.o.Statements.Start(ctx, q)
	if err != nil {
		let()
		return nil, v.sqlError(ctx, r.Statement, fileTime, err)
	}
	form := exportTypes[r.Format]
	return &Export{
		Name: fileName(c.Name(), r.Statement) + form.ext, Type: form.media,
		Close: func() {
			a.Close()
			let()
		},
		Write: func(_ context.Context, out io.Writer) (bool, error) {
			_, err := io.Copy(out, a)
			return false, err
		},
	}, nil
}

// sqlError converts why a statement has no answer.
func (v *Views) sqlError(ctx context.Context, text string, limit time.Duration, err error) error {
	var f *statement.Failure
	switch {
	case ctx.Err() != nil:
		return err
	case errors.Is(err, statement.ErrBusy):
		return &Error{
			Kind: NotReady, Title: "The server is busy", Detail: "Other statements are running.",
			Remedy: "Try again in a few seconds.", Retry: 10,
		}
	case errors.Is(err, errWide):
		return sqlMistake(text, "A row is too large", "One row has more than 4 MiB.",
			"Name fewer columns, or cut long texts: substr(text, 1, 1000). A download has all.")
	case !errors.As(err, &f):
		return err
	}
	switch f.Kind {
	case statement.Mistake:
		e := sqlMistake(text, "The statement cannot be answered", sentence(f.Message), "")
		if e.Line, e.Column = f.Line, f.Column; e.Line > 0 {
			e.Detail = fmt.Sprintf("Line %d, column %d: %s", e.Line, e.Column, e.Detail)
		}
		return e
	case statement.Late:
		return sqlMistake(text, "The statement was interrupted", fmt.Sprintf("It took longer than %d seconds.",
			int(limit.Seconds())), "Choose fewer captures by a filter, as in documents('language = fr'), or name fewer "+
			"columns: text and main_html take longest. A download may take ten minutes, and the command below has no limit.")
	case statement.Large:
		return sqlMistake(text, "The statement is too large", "It needs more than "+look.Bytes(v.o.Statements.Memory())+
			" of memory, or too large temporary files.",
			"Choose fewer captures or shorter values. The command below has no limit.")
	}
	slog.Error("a statement failed", "error", f.Message)
	return &Error{
		Kind: NotReady, Title: "The collection cannot be read", Detail: "The server's log says why.",
		Remedy: "Try again in a few seconds.", Retry: 10,
	}
}

// sqlMistake is the error of a statement.
func sqlMistake(text, title, detail, remedy string) *Error {
	return &Error{Kind: Invalid, Title: title, Detail: detail, Remedy: remedy, Param: "sql", Value: text}
}

// sentence ends a text with a full stop.
func sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
