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

// FeedsRequest asks for all sources that fit as a file.
type FeedsRequest struct {
	SourcesRequest
	Format string `json:"format,omitempty" query:"format" enum:"jsonl,csv,opml" doc:"form of the file; jsonl without it"`
}

// Feeds gives the sources that fit as a file: whole rows as JSON lines, a table, or a list of subscriptions.
func (v *Views) Feeds(ctx context.Context, r FeedsRequest) (*Export, error) {
	x, release, err := v.openSources(ctx)
	if err != nil {
		return nil, err
	}
	// The enum of the parameter has these forms only, so there is one.
	form := feedForms[cmp.Or(r.Format, "jsonl")]
	// By key: an order that no visit changes, so that pages of a long list neither repeat nor lack
	// anything.
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

// eachSource goes through the pages of a list. Pages of 1,000 rows: a Source DB may have millions, and one page is
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
		// The last page names no further one.
		if q.After = p.Next; q.After == "" {
			return nil
		}
	}
}

// feedWriter writes what each yields.
type feedWriter func(out io.Writer, asOf string, each func(yield func(schemas.Source) error) error) error

// OPML has no registered media type: text/x-opml is in common use.
var feedForms = map[string]struct {
	media string
	write feedWriter
}{
	"jsonl": {"application/jsonl", writeFeedLines},
	"csv":   {"text/csv; charset=utf-8; header=present", writeFeedTable},
	"opml":  {"text/x-opml; charset=utf-8", writeOPML},
}

func writeFeedLines(out io.Writer, _ string, each func(func(schemas.Source) error) error) error {
	// One object a line: a row's own line ends are escaped in JSON.
	e := json.NewEncoder(out)
	// "<" and "&" stay as they are: the file is no part of a page.
	e.SetEscapeHTML(false)
	return each(func(s schemas.Source) error { return e.Encode(s) })
}

// writeFeedTable writes a table by RFC 4180. What a spreadsheet would take for a formula gets an apostrophe, as in the
// tables of query.
func writeFeedTable(out io.Writer, _ string, each func(func(schemas.Source) error) error) error {
	w := csv.NewWriter(out)
	// RFC 4180 section 2 asks for CRLF.
	w.UseCRLF = true
	row := func(cells ...string) error {
		for i, c := range cells {
			cells[i] = cli.Cell(c) // a title is what a site says of itself
		}
		return w.Write(cells)
	}
	if err := row(
		"source_id", "url", "title", "verdict", "class", "language", "health", "items_a_day", "last_item", "next",
	); err != nil {
		return err
	}
	err := each(func(s schemas.Source) error {
		// Four digits are more than the estimate is worth.
		rate := fmt.Sprintf("%.4g", float64(s.Refresh.Rate))
		return row(s.ID, s.URL, s.Title, s.Verdict, s.Class, s.Language, s.Health.State, rate, s.LastItem, s.Refresh.Next)
	})
	// Flushed also after a failure, so that a cut file ends in a whole row.
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
	// asOf is a time that we wrote ourselves: it has no sign that could end the comment.
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
	// A cut file has no closing tags, so that no reader takes it for whole.
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, "</body>\n</opml>\n")
	return err
}
