package query

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/schemas"
)

// tableScheme begins the URLs of HBase tables.
const tableScheme = "hbase://"

// isTable reports whether the collection is an HBase table. Buckets have other schemes.
func (c *config) isTable() bool { return strings.HasPrefix(c.collection, tableScheme) }

// noTable are the formats that need the archives or index of a collection's folder.
var noTable = []string{formatWARC, formatWACZ, formatRecords, formatRecheck}

// checkTable finds flags that conflict with a table, before any server is asked.
func (c *config) checkTable() error {
	// hbase.ParseURL leaves unknown options to the table's layout.
	_, more, err := hbase.ParseURL(c.collection)
	if err == nil {
		_, err = webtable.ParseLayout(more)
	}
	if err == nil && slices.Contains(noTable, c.format) {
		err = fmt.Errorf("--format=%s needs the folder that ingest wrote; convert makes archives of a table", c.format)
	}
	if err == nil && c.sources != "" {
		err = errors.New("--sources joins captures of the folder that ingest wrote")
	}
	if err == nil && c.snapshot != "" {
		err = errors.New("--snapshot needs the folder that ingest wrote; of a table --at asks for a moment")
	}
	if err != nil {
		return cli.Usagef("--collection: %v", err)
	}
	return nil
}

// askTable answers from an HBase table. Servers filter as far as they can; the rest is filtered here.
func askTable(ctx context.Context, c config) (code int, err error) {
	o, more, err := hbase.ParseURL(c.collection)
	if err != nil {
		return cli.ExitUsage, err
	}
	layout, err := webtable.ParseLayout(more)
	if err != nil {
		return cli.ExitUsage, err
	}
	if c.explain {
		_, pushed := webtable.Plan(layout, c.query)
		slog.Info("the servers decide", "filter", fmt.Sprint(pushed))
	}
	// The output is opened later: a wrong URL must not touch it.
	s, err := hbase.Open(o)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Open only prepares: the first document asks the servers.
	defer func() { err = errors.Join(err, s.Close()) }()
	out, err := openOutput(c.output)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Abort does nothing after Close.
	defer out.Abort()
	// The first document may bring errors of the network.
	docs := webtable.Find(ctx, s, layout, c.query)
	n, err := writeTable(ctx, c, out, docs, func([]string) iter.Seq2[*schemas.Document, error] {
		return webtable.Select(ctx, s, layout, c.query)
	})
	if err == nil {
		err = out.Close()
	}
	// A closed standard output is not a failure.
	switch {
	case errors.Is(err, errPipe):
		return cli.ExitDone, nil // head, or a pager that was closed, has enough
	// The user names the table, so a missing one is a usage error.
	case errors.Is(err, hbase.ErrMissing):
		return cli.ExitUsage, cli.Usagef("%v", err)
	case err != nil:
		return cli.ExitFailed, err
	}
	if n == 0 && c.format != formatCount {
		slog.Info("no capture of the table matches", "table", c.collection)
	}
	return cli.ExitDone, nil
}

// writeTable writes the answer of a table and returns the number of rows or groups. Counting uses unsorted, the same
// documents in row order.
func writeTable(
	ctx context.Context, c config, out *output, docs iter.Seq2[*schemas.Document, error],
	unsorted func([]string) iter.Seq2[*schemas.Document, error],
) (n int64, err error) {
	switch {
	case len(c.by) > 0:
		types := customTypes{}
		list, err := countBy(ctx, c, func(columns []string) iter.Seq2[*schemas.Document, error] {
			return types.of(unsorted(columns), c.by)
		})
		if err != nil {
			return 0, err
		}
		return int64(len(list)), writeGroups(out, c, list, types)
	case c.format == formatCount:
		if n, err = countOf(unsorted([]string{"surt"})); err == nil {
			_, err = fmt.Fprintln(out, n)
		}
		return n, err
	}
	// checkTable has refused the formats that need a folder or archives.
	w, err := export.Exporter{Format: c.format, Columns: c.columns}.NewWriter(ctx, out)
	if err != nil {
		return 0, err
	}
	if n, err = export.Copy(docs, w); err == nil {
		err = w.Close()
	}
	return n, err
}

func countOf(docs iter.Seq2[*schemas.Document, error]) (n int64, err error) {
	for _, err := range docs {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
