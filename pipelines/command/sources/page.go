package sources

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

//go:embed page.html
var files embed.FS

// page returns the template. It is parsed when it is first used, since most commands write no page. A mistake in it is
// a programming error, found by every test.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(look.Parts().ParseFS(files, "page.html"))
})

// Limits keep the page small enough to mail.
const (
	maxListed = 100 // rejects
	maxRows   = 20  // of a table
	maxText   = 160 // characters of a message
	maxReport = 64 << 20
)

// view is the input of the template.
type view struct {
	Manifest sourcedb.Manifest
	Report   *runReport // nil without a report
	Tables   []look.Ranked
	Rejects  []schemas.Reject
}

// savePage writes the page of a Source DB beside its manifest, as holdings.PageFile.
func savePage(ctx context.Context, f folder.Folder, m sourcedb.Manifest) error {
	v := view{Manifest: m}
	c := m.Counts
	for _, t := range []struct {
		id, title, head string
		counts          map[string]int64
	}{
		{"verdicts", "Verdicts", "Verdict", c.Verdicts},
		{"reasons", "Why not valid", "Reason", c.Reasons},
		{"classes", "Classes", "Class", c.Classes},
		{"health", "Health", "State", c.States},
	} {
		r := look.Ranked{ID: t.id, Title: t.title, Head: t.head, Noun: "Sources", Whole: c.Standing(), Empty: "None."}
		v.Tables = append(v.Tables, r.Rank(t.counts, maxRows, func(key string) look.Row { return look.Row{Name: key} }))
	}
	var err error
	if v.Report, err = readReport(f); err != nil {
		return fmt.Errorf("%s: %w", f.Path(holdings.ReportFile), err)
	}
	for r, err := range sourcedb.Rejects(ctx, f, m) {
		if err != nil {
			return err
		}
		if v.Rejects = append(v.Rejects, r); len(v.Rejects) == maxListed {
			break
		}
	}
	var b bytes.Buffer
	if err := page().ExecuteTemplate(&b, "page.html", v); err != nil {
		return err
	}
	return f.Write(holdings.PageFile, b.Bytes())
}

// readReport reads the report of the last run, or returns nil.
func readReport(f folder.Folder) (*runReport, error) {
	in, err := f.Open(holdings.ReportFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // an earlier version left none
	}
	if err != nil {
		return nil, err
	}
	r := new(runReport)
	err = json.NewDecoder(io.LimitReader(in, maxReport)).Decode(r)
	return r, errors.Join(err, in.Close())
}

// Valid returns the number of valid sources.
func (v view) Valid() int64 { return v.Manifest.Counts.Verdicts[source.Valid] }

// More returns the number of rejects that are not listed.
func (v view) More() int64 { return v.Manifest.Counts.Rejects - int64(len(v.Rejects)) }

// Text truncates a message for the page.
func (v view) Text(s string) string {
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return s
}
