package query

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// periods are the units of --trends.
var periods = []string{"year", "month", "day"}

// overTime reports whether captures are counted over time.
func (c *config) overTime() bool { return c.trends != "" || c.byMeaning() && len(c.by) > 0 }

// settleTrends parses --trends, and finds flags that conflict with it.
func (c *config) settleTrends() (err error) {
	if !c.overTime() {
		if c.near != "" {
			return cli.Usagef("--near is for captures over time: with --about, add --by=year, month or day")
		}
		return nil
	}
	if err := c.settleNear(); err != nil {
		return err
	}
	if len(c.by) == 0 {
		c.by = periods[:1]
	}
	switch c.series, err = query.ParseSeries(c.trends); {
	case err != nil:
		return cli.Usagef("--trends: %v", err)
	case len(c.series) == 0 && c.trends != "":
		return cli.Usagef("--trends: no filter to count")
	case c.byMeaning() && (len(c.by) != 1 || !slices.Contains(periods, c.by[0])):
		return cli.Usagef("--about counts captures over time, by one of year, month and day: --by=%s is something else",
			strings.Join(c.by, ","))
	case len(c.by) != 1 || !slices.Contains(periods, c.by[0]):
		return cli.Usagef("--trends counts by one of year, month and day: name it by --by")
	case c.sql != "" || c.runner != "" || c.sources != "" || c.isTable():
		return cli.Usagef("--trends counts in a collection's folder, without --sql, --runner and --sources")
	}
	return nil
}

// settleNear parses --near.
func (c *config) settleNear() (err error) {
	if c.near == "" {
		return nil
	}
	if !c.byMeaning() {
		return cli.Usagef("--near=%s: near what? Say it by --about", c.near)
	}
	if c.bound, err = strconv.ParseFloat(c.near, 64); err == nil && c.bound > 0 && c.bound <= 1 {
		return nil
	}
	return cli.Usagef("--near=%s: a cosine above 0 and not above 1, such as 0.35", c.near)
}

// writeTrends writes a row for each period and series: captures of the series, and all captures of the period. The
// first series is the topic of --about or --like.
func writeTrends(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (int64, error) {
	t, names, err := trendsOf(ctx, c, db)
	if err != nil {
		return 0, err
	}
	sayNone(c, db, t)
	w := counted{
		names: []string{c.by[0], "series", captures, "of"},
		kinds: []query.Kind{query.String, query.String, query.Integer, query.Integer}, counts: 2,
	}
	for i, period := range t.Periods {
		for j, name := range names {
			w.rows = append(w.rows, []string{
				period, name, strconv.FormatInt(t.Lines[j][i], 10), strconv.FormatInt(t.All[i], 10),
			})
		}
	}
	return int64(len(w.rows)), w.write(out, c)
}

// sayNone says why lines have no capture at all.
func sayNone(c config, db *contentdb.DB, t *contentdb.Trends) {
	for i, line := range t.Lines[len(t.Lines)-len(c.series):] {
		if !slices.ContainsFunc(line, func(n int64) bool { return n > 0 }) {
			sayLacks(db.Lacks(c.series[i].Where))
		}
	}
}

// trendsOf counts captures over time, and returns the names of the lines.
func trendsOf(ctx context.Context, c config, db *contentdb.DB) (t *contentdb.Trends, names []string, err error) {
	if !c.byMeaning() {
		t, err = db.Trends(ctx, c.query, c.series, c.by[0])
	} else {
		t, err = trendsAbout(ctx, c, db)
		names = append(names, "near")
	}
	for _, s := range c.series {
		names = append(names, s.Name)
	}
	return t, names, err
}

// trendsAbout counts captures near a topic, and says on standard error what near means.
func trendsAbout(ctx context.Context, c config, db *contentdb.DB) (*contentdb.Trends, error) {
	r := contentdb.AboutTrendsRequest{About: c.aboutRequest(), Series: c.series, Unit: c.by[0], Bound: c.bound}
	t, err := db.AboutTrends(ctx, r)
	switch {
	case errors.Is(err, contentdb.ErrNoBound):
		return nil, cli.Usagef("--near: nobody has measured from which cosine a passage is near by the model of --meaning; " +
			"for example --near=0.35")
	case err != nil:
		return nil, c.likeError(err)
	}
	if t.Unsure != "" {
		slog.Warn(t.Unsure)
	}
	if why := t.Empty(); why != "" {
		slog.Warn(cli.AboutAnswer + why)
	} else {
		slog.Info("captures with a text are counted; near are those with a passage within the bound", "bound", t.Bound,
			"nearest", t.Nearest)
	}
	return &t.Trends, nil
}
