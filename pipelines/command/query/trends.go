package query

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// periods are the units of --trends.
var periods = []string{"year", "month", "day"}

// settleTrends parses --trends, and finds flags that conflict with it.
func (c *config) settleTrends() (err error) {
	if c.trends == "" {
		return nil
	}
	if len(c.by) == 0 {
		c.by = periods[:1]
	}
	switch c.series, err = query.ParseSeries(c.trends); {
	case err != nil:
		return cli.Usagef("--trends: %v", err)
	case len(c.series) == 0:
		return cli.Usagef("--trends: no filter to count")
	case len(c.by) != 1 || !slices.Contains(periods, c.by[0]):
		return cli.Usagef("--trends counts by one of year, month and day: name it by --by")
	case c.sql != "" || c.runner != "" || c.sources != "" || c.isTable():
		return cli.Usagef("--trends counts in a collection's folder, without --sql, --runner and --sources")
	}
	return nil
}

// writeTrends writes a row for each period and series: captures of the series, and all captures of the period.
func writeTrends(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (int64, error) {
	t, err := db.Trends(ctx, c.query, c.series, c.by[0])
	if err != nil {
		return 0, err
	}
	w := counted{
		names: []string{c.by[0], "series", captures, "of"},
		kinds: []query.Kind{query.String, query.String, query.Integer, query.Integer}, counts: 2,
	}
	for i, period := range t.Periods {
		for j, s := range c.series {
			w.rows = append(w.rows, []string{
				period, s.Name, strconv.FormatInt(t.Lines[j][i], 10), strconv.FormatInt(t.All[i], 10),
			})
		}
	}
	return int64(len(w.rows)), w.write(out, c)
}
