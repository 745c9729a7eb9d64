package query

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// groupFormats are the formats of counts by --by.
var groupFormats = []string{formatFacets, formatTable, formatCSV, formatCSVBOM, formatJSONL, formatParquet}

// captures is the column of counts.
const captures = "captures"

// checkGroups finds flags that conflict with --by.
func (c *config) checkGroups() error {
	switch {
	case c.format == formatFacets && len(c.by) == 0:
		return cli.Usagef("--format=facets counts by what --by names, as in --by=lang,month")
	case len(c.by) == 0:
		return nil
	case !slices.Contains(groupFormats, c.format):
		return cli.Usagef("--by counts, and --format=%s does not: there are %s", c.format, strings.Join(groupFormats, ", "))
	case len(c.columns) > 0:
		return cli.Usagef("--fields are of captures, and --by counts them: leave out one of the two")
	}
	if err := contentdb.CheckFacets(c.by); err != nil {
		return cli.Usagef("--by: %v", err)
	}
	return nil
}

// groups counts the answers by the fields of --by.
func groups(ctx context.Context, c config, db *contentdb.DB) ([]contentdb.Group, error) {
	if !c.query.AllVersions {
		slog.Info("the newest capture of each page is counted; --all_versions counts all, as the server and --sql do")
	}
	if c.runner == "" && !c.asksSources() {
		return db.Facets(ctx, c.query, c.by, c.query.Limit)
	}
	all := c
	all.query.Limit = 0
	return countBy(ctx, c, func(columns []string) iter.Seq2[*schemas.Document, error] {
		return findSourced(ctx, all, db, columns)
	})
}

// countBy counts the captures that find yields.
func countBy(
	ctx context.Context, c config, find func(columns []string) iter.Seq2[*schemas.Document, error],
) ([]contentdb.Group, error) {
	return contentdb.CountBy(ctx, contentdb.Options{MemoryBytes: int(c.memory / 2)}, c.by, c.query.Limit, find)
}

// writeGroups writes the counts of groups. types are those of custom columns.
func writeGroups(
	out io.Writer, c config, groups []contentdb.Group, types map[string]schemas.ValueType,
) error {
	by, err := query.NewBy(c.by)
	if err != nil {
		return err
	}
	// Cloned, because append could write into the caller's slice.
	t := counted{names: append(slices.Clone(c.by), captures), kinds: append(by.Kinds(types), query.Integer), counts: 1}
	for i, kind := range by.Kinds(nil) {
		// A column stays one of texts if it once had texts that do not parse as numbers.
		if slices.ContainsFunc(groups, func(g contentdb.Group) bool {
			return g.Values[i] != "" && typed(g.Values[i], t.kinds[i]) == nil
		}) {
			t.kinds[i] = kind
		}
	}
	for _, g := range groups {
		t.rows = append(t.rows, append(slices.Clone(g.Values), strconv.FormatInt(g.Count, 10)))
	}
	return t.write(out, c)
}
