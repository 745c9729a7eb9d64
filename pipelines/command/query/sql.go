package query

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// sqlFormats are the formats of answers to --sql, whose rows are not captures.
var sqlFormats = []string{formatTable, formatJSONL, formatCSV, formatCSVBOM, formatParquet, formatArrays}

// sqlWith are the flags of query that are allowed with --sql; the statement expresses the others.
var sqlWith = []string{
	"sql", "collection", "snapshot", "catalogue", "sources", "format", "output", "no_index", "memory",
}

// checkSQL finds flags that conflict with --sql.
func (c *config) checkSQL() (err error) {
	flag.Visit(func(f *flag.Flag) {
		ours := slices.ContainsFunc(c.settings(), func(s setting.Setting) bool { return s.Name == f.Name })
		if err == nil && ours && !slices.Contains(sqlWith, f.Name) {
			err = cli.Usagef("--%s does not go with --sql: the statement says which captures, and "+
				"documents('FILTER') takes a filter of --where", f.Name)
		}
	})
	switch {
	case err != nil:
		return err
	case c.isTable():
		return cli.Usagef("--sql asks the folder that ingest wrote, and no table of HBase")
	case c.runner != "":
		return cli.Usagef("--sql is answered by this process, and not by --runner=%s", c.runner)
	case !slices.Contains(sqlFormats, c.format):
		return cli.Usagef("--format=%s: with --sql there are %s", c.format, strings.Join(sqlFormats, ", "))
	}
	return nil
}

// writeSQL writes the rows of a statement.
func writeSQL(ctx context.Context, c config, db *contentdb.DB, out io.Writer) (n int64, err error) {
	var o contentsql.Options
	if c.known != nil {
		o.Sources = c.known
	}
	if db, err = limited(ctx, db); err != nil {
		return 0, err
	}
	rows, err := contentsql.Query(ctx, db, c.sql, o)
	if errors.Is(err, contentsql.ErrStatement) {
		return 0, cli.Usagef("--sql: %v", err)
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	w, err := newRowWriter(c.format, rows.Columns(), out)
	if err != nil {
		return 0, err
	}
	defer w.discard()
	for rows.Next() {
		if err := w.write(rows.Values()); err != nil {
			return n, err
		}
		n++
	}
	// Some errors of a statement appear only when it runs, as in a filter made by a join.
	if err := rows.Err(); errors.Is(err, contentsql.ErrStatement) {
		return n, cli.Usagef("--sql: %v", err)
	} else if err != nil {
		return n, err
	}
	for _, note := range rows.Notes() {
		slog.Warn(cli.AboutAnswer + note)
	}
	return n, w.close()
}

// limited returns the part of the collection that the reader of a server may see, for whom it has started this process.
func limited(ctx context.Context, db *contentdb.DB) (*contentdb.DB, error) {
	if os.Getenv(cli.Limits) == "" {
		return db, nil
	}
	// Incomplete limits are not valid JSON, and so an error.
	text, err := io.ReadAll(io.LimitReader(os.Stdin, cli.MaxLimits))
	if err != nil {
		return nil, err
	}
	l, err := contentdb.ParseLimits(string(text))
	if err != nil {
		return nil, err
	}
	return db.Limited(ctx, l)
}
