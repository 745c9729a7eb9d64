package query

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	// aboutLimit is how many answers --about gives without --limit. They are ranked, so the last ones say little.
	aboutLimit = 20
	// aboutExcerpt is the number of letters of a passage in a table.
	aboutExcerpt = 160
)

// aboutFormats are the formats with passages. In other formats answers are captures, in the same order.
var aboutFormats = []string{formatTable, formatJSONL, formatCSV, formatCSVBOM, formatParquet}

// byMeaning reports whether captures are ranked by meaning.
func (c *config) byMeaning() bool { return c.about != "" || c.like != "" }

// checkAbout finds flags that conflict with --about and --like.
func (c *config) checkAbout() error {
	if !c.byMeaning() {
		return c.checkVectors()
	}
	name := "--about"
	if c.like != "" {
		name = "--like"
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--about", c.about != "" && c.like != ""},
		{"--no_index", c.noIndex && c.like != ""},
		{"--sql", c.sql != ""},
		{"--at", !c.query.At.IsZero()},
		{"--snapshot", c.snapshot != ""},
		{"--sources", c.sources != ""},
		{"--runner", c.runner != ""},
		{"--format=" + c.format, c.format == formatCount || c.format == formatVectors},
		{"a table as --collection", c.isTable()},
		{"--order=" + c.order, c.query.Order != query.Newest && c.query.Order != query.Relevance},
	} {
		if f.set {
			return cli.Usagef("%s ranks the passages of a collection, which %s does not go with", name, f.name)
		}
	}
	if c.like != "" {
		if _, err := contentdb.ParseLike(c.like); err != nil {
			return cli.Usagef("--like=%s: %v", schemas.Printable(c.like), err)
		}
		return nil
	}
	if !contentdb.HasWord(c.about) {
		return cli.Usagef("--about has no word: say what pages are about")
	}
	if len(c.about) > query.MaxFilter {
		return cli.Usagef("--about has %d bytes, more than %d", len(c.about), query.MaxFilter)
	}
	return nil
}

// checkVectors finds flags that conflict with --format=vectors.
func (c *config) checkVectors() error {
	if c.format == formatVectors && (c.sql != "" || c.trends != "" || !c.query.At.IsZero() || c.snapshot != "" ||
		c.sources != "" || c.runner != "" || c.isTable()) {
		return cli.Usagef("--format=%s writes the passages of a collection: leave out --sql, --trends, --at, --snapshot, "+
			"--sources and --runner", c.format)
	}
	return nil
}

// askAbout asks for captures by meaning.
func askAbout(ctx context.Context, c config, db *contentdb.DB, columns []string) (*contentdb.AboutAnswer, error) {
	r := c.aboutRequest()
	r.Columns = columns
	if r.Query.Limit == 0 {
		r.Query.Limit = aboutLimit
	}
	if c.format == formatTable {
		r.Excerpt = aboutExcerpt
	}
	a, err := db.About(ctx, r)
	if err != nil {
		return nil, c.likeError(err)
	}
	if a.Unsure() != "" {
		slog.Warn(a.Unsure())
	}
	return a, nil
}

// aboutRequest returns the question of --about or --like.
func (c *config) aboutRequest() contentdb.AboutRequest {
	r := contentdb.AboutRequest{Text: c.about, Query: c.query}
	if c.like != "" {
		r.Like, _ = contentdb.ParseLike(c.like) // checkAbout has read it
	}
	r.Query.Order = query.Newest
	return r
}

// likeError makes an error of a capture of --like one of the flag.
func (c *config) likeError(err error) error {
	if errors.Is(err, contentdb.ErrNoCapture) || errors.Is(err, contentdb.ErrNoText) {
		return cli.Usagef("--like=%s: %v", schemas.Printable(c.like), err)
	}
	return err
}

// writeAbout writes passages, the best first.
func writeAbout(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (int64, error) {
	a, err := askAbout(ctx, c, db, []string{"url", "timestamp", "language", "filename", "offset", "length"})
	if err != nil {
		return 0, err
	}
	t := aboutTable(c.format)
	for _, row := range a.Rows {
		t.rows = append(t.rows, aboutCells(c.format, row))
	}
	return int64(len(t.rows)), t.write(out, c)
}

func aboutTable(format string) counted {
	if format == formatTable {
		return counted{names: []string{"alike", "why", "url", "timestamp", "passage"}}.texts()
	}
	return counted{
		names: []string{
			"url", "timestamp", "title", "language", "alike", "why", "passage", "from", "to", "filename", "offset", "length",
		},
		kinds: []query.Kind{
			query.String, query.String, query.String, query.String, query.Real, query.String, query.String, query.Integer,
			query.Integer, query.String, query.Integer, query.Integer,
		},
	}
}

// texts gives all columns the kind of texts.
func (t counted) texts() counted {
	t.kinds = slices.Repeat([]query.Kind{query.String}, len(t.names))
	return t
}

func aboutCells(format string, row contentdb.AboutRow) []string {
	alike := ""
	if row.Alike != 0 {
		alike = strconv.FormatFloat(row.Alike, 'f', 3, 64)
	}
	passage := row.Excerpt.Text
	if format == formatTable {
		return []string{alike, row.Why(), row.URL, row.Timestamp, strings.Join(strings.Fields(passage), " ")}
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		row.URL, row.Timestamp, row.Row.Title.Text, row.Language, alike, row.Why(), passage, number(int64(row.From)),
		number(int64(row.To)), row.Filename, number(row.Offset), number(row.Length),
	}
}

// findAbout yields the captures of --about, the best first.
func findAbout(
	ctx context.Context, c config, db *contentdb.DB, columns []string,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		a, err := askAbout(ctx, c, db, columns)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, row := range a.Rows {
			if !yield(row.Document, nil) {
				return
			}
		}
	}
}

// writeCaptures writes captures in a format of package export.
func writeCaptures(
	w export.Writer, find func(columns []string) iter.Seq2[*schemas.Document, error],
) (code int, n int64, err error) {
	// nil stands for all columns and must stay nil.
	n, err = export.Copy(find(w.Columns()), w)
	if err == nil {
		err = w.Close()
	}
	if err == nil && export.Lost(w) {
		// Close has logged the missing records; the rest is complete, so the file is kept.
		return cli.ExitLosses, n, nil
	}
	return cli.ExitDone, n, err
}
