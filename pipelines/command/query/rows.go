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

// tableScheme is how addresses of tables of HBase begin.
const tableScheme = "hbase://"

// A name with a scheme is never a folder: buckets have schemes of their own.
func (c *config) isTable() bool { return strings.HasPrefix(c.collection, tableScheme) }

// noTable are the forms that need a collection's folder: where its archives and its index are.
var noTable = []string{formatWARC, formatWACZ}

// checkTable finds what is wrong about a table before it is asked.
func (c *config) checkTable() error {
	// All of it is told before a server is asked: hbase.ParseURL gives what it does not know to the table's layout.
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

// askTable answers from a table of HBase: its servers leave out what they can, the rest is tested here.
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
	// The answer's file is opened after it: a mistake in the address should not touch that.
	s, err := hbase.Open(o)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Open only prepares: servers are asked with the first document.
	defer func() { err = errors.Join(err, s.Close()) }()
	out, err := openOutput(c.output)
	if err != nil {
		return cli.ExitUsage, err
	}
	// An answer that breaks off leaves no file: Abort does nothing once Close was called.
	defer out.Abort()
	// Nothing has been asked yet: errors of the network come with the first document.
	docs := webtable.Find(ctx, s, layout, c.query)
	n, err := writeTable(ctx, c, out, docs, func([]string) iter.Seq2[*schemas.Document, error] {
		return webtable.Select(ctx, s, layout, c.query)
	})
	if err == nil {
		err = out.Close()
	}
	// The reader of standard output is gone. That is not a failure: everything that it wanted was written.
	switch {
	case errors.Is(err, errPipe):
		return cli.ExitDone, nil // head, or a pager that was left, has enough
	// The name of a table is the user's, so a slip in it is a usage error.
	case errors.Is(err, hbase.ErrMissing):
		return cli.ExitUsage, cli.Usagef("%v", err)
	case err != nil:
		return cli.ExitFailed, err
	}
	// A count of 0 says so itself.
	if n == 0 && c.format != formatCount {
		slog.Info("no capture of the table matches", "table", c.collection)
	}
	return cli.ExitDone, nil
}

// writeTable writes the answer of a table to out, and returns how many rows or groups it has. unsorted are the same
// documents in the order of the rows: what is counted need not be sorted, nor be held.
func writeTable(
	ctx context.Context, c config, out *output, docs iter.Seq2[*schemas.Document, error],
	unsorted func([]string) iter.Seq2[*schemas.Document, error],
) (n int64, err error) {
	switch {
	case len(c.by) > 0:
		list, err := countBy(ctx, c, unsorted)
		if err != nil {
			return 0, err
		}
		return int64(len(list)), writeGroups(out, c, list)
	case c.format == formatCount:
		if n, err = countOf(docs); err == nil {
			_, err = fmt.Fprintln(out, n)
		}
		return n, err
	}
	// A table has no folder and no archives; the forms that need them are refused by checkTable.
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
