package view

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// FeedsRequest is a request for all matching sources as a file.
type FeedsRequest struct {
	SourcesRequest
	Format string `json:"format,omitempty" query:"format" enum:"jsonl,csv,opml" doc:"form of the file; jsonl without it"`
}

// Feeds returns the matching sources as a file: whole rows as JSON lines, a table, or a list of subscriptions.
func (v *Views) Feeds(ctx context.Context, r FeedsRequest) (*Export, error) {
	x, release, err := v.openSources(ctx)
	if err != nil {
		return nil, err
	}
	// The enum of the parameter has only these formats, so the format is found.
	form := feedForms[cmp.Or(r.Format, "jsonl")]
	// The order is by key. No visit changes it, so pages of a long list neither repeat nor omit anything.
	q := sourceindex.Query{Filter: r.filter(), Order: sourceindex.ByKey, Limit: 1000}
	return &Export{
		Name: "sources." + cmp.Or(r.Format, "jsonl"), Type: form.media, Close: release,
		Write: func(ctx context.Context, out io.Writer) (bool, error) {
			return false, form.write(out, rfc3339(x.AsOf()), func(yield func(schemas.Source) error) error {
				return eachSource(ctx, x, q, yield)
			})
		},
	}, nil
}

// eachSource visits the pages of a list. Each page has 1,000 rows: a Source DB may have millions, and only one page is
// held at a time.
func eachSource(
	ctx context.Context, x *sourceindex.Index, q sourceindex.Query, yield func(schemas.Source) error,
) error {
	for {
		p, err := x.List(ctx, q)
		if err != nil {
			return err
		}
		for _, s := range p.Sources {
			if err := yield(s); err != nil {
				return err
			}
		}
		// The last page has no next one.
		if q.After = p.Next; q.After == "" {
			return nil
		}
	}
}

// feedWriter writes the sources that each yields.
type feedWriter func(out io.Writer, asOf string, each func(yield func(schemas.Source) error) error) error

// OPML has no registered media type; text/x-opml is in common use.
var feedForms = map[string]struct {
	media string
	write feedWriter
}{
	"jsonl": {"application/jsonl", writeFeedLines},
	"csv":   {"text/csv; charset=utf-8; header=present", writeFeedTable},
	"opml":  {"text/x-opml; charset=utf-8", writeOPML},
}

func writeFeedLines(out io.Writer, _ string, each func(func(schemas.Source) error) error) error {
	// Each line is one object: line ends in a row are escaped in JSON.
	e := json.NewEncoder(out)
	// "<" and "&" are not escaped: the file is not part of a page.
	e.SetEscapeHTML(false)
	return each(func(s schemas.Source) error { return e.Encode(s) })
}

// writeFeedTable writes a table by RFC 4180. Cells that a spreadsheet would interpret as formulas get an apostrophe,
// as in the tables of query.
func writeFeedTable(out io.Writer, _ string, each func(func(schemas.Source) error) error) error {
	w := csv.NewWriter(out)
	// RFC 4180 section 2 requires CRLF.
	w.UseCRLF = true
	row := func(cells ...string) error {
		for i, c := range cells {
			cells[i] = cli.Cell(c) // the site itself chooses its title
		}
		return w.Write(cells)
	}
	if err := row(
		"source_id", "url", "title", "verdict", "class", "language", "health", "items_a_day", "last_item", "next",
	); err != nil {
		return err
	}
	err := each(func(s schemas.Source) error {
		// The estimate is not more precise than four digits.
		rate := fmt.Sprintf("%.4g", float64(s.Refresh.Rate))
		return row(s.ID, s.URL, s.Title, s.Verdict, s.Class, s.Language, s.Health.State, rate, s.LastItem, s.Refresh.Next)
	})
	// It is also flushed after a failure, so that an incomplete file ends with a complete row.
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}

// outline is a subscription in OPML 2.0.
type outline struct {
	XMLName xml.Name `xml:"outline"`
	Type    string   `xml:"type,attr"`
	Text    string   `xml:"text,attr"`
	Title   string   `xml:"title,attr"`
	XMLURL  string   `xml:"xmlUrl,attr"`
	HTMLURL string   `xml:"htmlUrl,attr,omitempty"`
}

func writeOPML(out io.Writer, asOf string, each func(func(schemas.Source) error) error) error {
	// asOf is a time that we wrote ourselves: no character in it could end the comment.
	head := xml.Header + "<opml version=\"2.0\">\n<head><title>Sources</title></head>\n" +
		"<!-- as of " + asOf + " -->\n<body>\n"
	if _, err := io.WriteString(out, head); err != nil {
		return err
	}
	err := each(func(s schemas.Source) error {
		if !s.IsFeed() {
			return nil
		}
		// OPML 2.0 requires text; readers show the title.
		title := cmp.Or(s.Title, s.URL)
		data, err := xml.Marshal(outline{Type: "rss", Text: title, Title: title, XMLURL: s.URL, HTMLURL: s.Link})
		if err == nil {
			_, err = out.Write(append(data, '\n'))
		}
		return err
	})
	// An incomplete file has no closing tags, so that no reader accepts it as complete.
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, "</body>\n</opml>\n")
	return err
}
