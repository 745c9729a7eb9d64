package query

import (
	"bufio"
	"context"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// groupFormats are the formats of counts by --by.
var groupFormats = []string{formatFacets, formatTable, formatCSV, formatJSONL, formatParquet}

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

// writeGroups writes the counts of groups.
func writeGroups(out io.Writer, c config, groups []contentdb.Group) error {
	by, err := query.NewBy(c.by)
	if err != nil {
		return err
	}
	// Cloned, because append could write into the caller's slice.
	names := append(slices.Clone(c.by), captures)
	switch c.format {
	case formatCSV:
		w, err := export.NewCSV(out, names)
		for i := 0; err == nil && i < len(groups); i++ {
			err = w.Row(append(slices.Clone(groups[i].Values), strconv.FormatInt(groups[i].Count, 10)))
		}
		if err != nil {
			return err
		}
		return w.Close()
	case formatJSONL:
		w := &rowLines{bufio.NewWriter(out), names}
		for _, g := range groups {
			if err := w.write(typedGroup(g, by.Kinds())); err != nil {
				return err
			}
		}
		return w.close()
	case formatParquet:
		return writeGroupsParquet(out, names, by.Kinds(), groups)
	}
	t := export.NewGrid(names)
	for _, g := range groups {
		t.Add(append(slices.Clone(g.Values), cli.FormatCount(g.Count)))
	}
	// Numbers are right-aligned.
	t.Right = len(c.by)
	width := 0
	if c.output == "" {
		width = export.TerminalWidth()
	}
	return t.Print(out, width)
}

func writeGroupsParquet(out io.Writer, names []string, kinds []query.Kind, groups []contentdb.Group) error {
	columns := make([]parquetfile.Column, len(names))
	for i, name := range names {
		columns[i] = parquetfile.Column{Name: name, Kind: reflect.Int64}
		if i < len(kinds) {
			columns[i].Kind = goKind(kinds[i])
		}
	}
	w, err := parquetfile.NewTableWriter(out, columns)
	for i := 0; err == nil && i < len(groups); i++ {
		err = w.Write(typedGroup(groups[i], kinds)...)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// goKind returns the kind of the values that typedGroup makes.
func goKind(k query.Kind) reflect.Kind {
	switch k {
	case query.Integer:
		return reflect.Int64
	case query.Real:
		return reflect.Float64
	case query.Boolean:
		return reflect.Bool
	}
	return reflect.String
}

// typedGroup returns a group as a row, with nil for missing values.
func typedGroup(g contentdb.Group, kinds []query.Kind) []any {
	row := make([]any, 0, len(g.Values)+1)
	for i, text := range g.Values {
		row = append(row, typed(text, kinds[i]))
	}
	return append(row, g.Count)
}

// typed returns a value of a group, or nil if it is missing.
func typed(text string, k query.Kind) any {
	var v any
	var err error
	switch k {
	case query.Integer:
		v, err = strconv.ParseInt(text, 10, 64)
	case query.Real:
		v, err = strconv.ParseFloat(text, 64)
	case query.Boolean:
		v, err = strconv.ParseBool(text)
	default:
		v = text
	}
	if text == "" || err != nil {
		return nil
	}
	return v
}
