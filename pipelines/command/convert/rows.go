package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// fromTable is the value of --from for HBase tables, and scheme the start of their URLs. It is not an archive format,
// so the list of formats does not have it.
const (
	fromTable = "hbase"
	scheme    = "hbase://"
)

// shown returns the inputs without secrets. Table URLs hold none and keep their query, which is parsed here. Archives
// keep their order and tables come last. It overwrites inputs.
func shown(inputs []string) []string {
	// others overwrites inputs, so tables needs a clone.
	tables := slices.DeleteFunc(slices.Clone(inputs), func(in string) bool { return !strings.HasPrefix(in, scheme) })
	others := slices.DeleteFunc(inputs, func(in string) bool { return strings.HasPrefix(in, scheme) })
	return append(blob.Shown(others), tables...)
}

// checkTable notes whether the input is a table and finds flags that conflict with it. It empties --from, which would
// otherwise be taken for an archive format.
func (c *config) checkTable() error {
	tables := 0
	for _, in := range c.inputs {
		if strings.HasPrefix(in, scheme) {
			tables++
		}
	}
	asked := slices.Contains(c.options.From, fromTable)
	switch {
	case tables == 0 && !asked:
		return nil
	// A plan is for archives or for a single table.
	case tables != 1 || len(c.inputs) != 1 || len(c.options.From) > 1 || len(c.options.From) == 1 && !asked:
		return cli.Usagef("a table is converted alone: --from=%s hbase://host:port/table", fromTable)
	case c.shard.N > 0:
		return cli.Usagef("--shard=%s: shards are of archives; a table is converted whole", &c.shard)
	// The connection to the servers belongs to this process; there is no graph.
	case !run.InProcess(c.runner) || run.DryRun():
		return cli.Usagef("a table is converted by this process, whatever the runner: leave out --runner and --dry_run")
	}
	c.table, c.options.From = true, nil
	return nil
}

// hbaseTable is an HBase table that is converted. Each of its regions is a unit, done in this process, because the
// servers limit the speed. Changes during the scan may or may not be included. A finished folder is not converted
// again without --fresh. Regions that split meanwhile do not change spans.
type hbaseTable struct {
	c      config
	store  *hbase.Store
	layout webtable.Layout
	spans  []rowstore.Span
	out    folder.Folder
}

// executeTable converts the captures of a table. Errors in its URL are usage errors; those of servers are failures.
func executeTable(ctx context.Context, c config) (schemas.Manifest, error) {
	o, more, err := hbase.ParseURL(c.inputs[0])
	t := hbaseTable{c: c}
	if err == nil {
		t.layout, err = webtable.ParseLayout(more)
	}
	if err != nil {
		return schemas.Manifest{}, cli.Usagef("%s: %v", c.inputs[0], err)
	}
	if t.store, err = hbase.Open(o); err != nil {
		return schemas.Manifest{}, cli.Usagef("%v", err)
	}
	// Deferred calls run in reverse order, so the folder closes before its connections.
	defer func() { _ = t.store.Close() }() // all requests have ended
	if err := t.look(ctx); err != nil {
		return schemas.Manifest{}, err
	}
	files := blob.New(c.options.Remote)
	defer files.Close()
	t.out = folder.Open(ctx, c.options.Output, files)
	defer func() { _ = t.out.Close() }() // all writes have ended
	return t.convert(ctx)
}

// look finds the regions and checks that the table has bodies. A table without this family has only offsets in
// archives.
func (t *hbaseTable) look(ctx context.Context) error {
	families, err := t.store.Families(ctx)
	if errors.Is(err, hbase.ErrMissing) {
		return cli.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	if !slices.Contains(families, webtable.Content) {
		return cli.Usagef("%s has no bodies, but says where they are: convert the archives, or ingest with "+
			"--hbase_content=inline", t.c.inputs[0])
	}
	// Splits returns the first key of each region after the first.
	keys, err := t.store.Splits(ctx)
	if err != nil {
		return err
	}
	from := ""
	// An empty key is the start of the table as well as its end.
	for _, k := range append(keys, "") {
		t.spans = append(t.spans, rowstore.Span{From: from, To: k})
		from = k
	}
	return nil
}

// convert does the regions that are not done and finishes the folder.
func (t *hbaseTable) convert(ctx context.Context) (schemas.Manifest, error) {
	o := t.c.options
	o.Units = len(t.spans)
	keys := make([]string, len(t.spans))
	for i, span := range t.spans {
		// The table has no stamp, so its name stands for it.
		about := map[string]any{"options": o.lasting(), "table": t.c.inputs[0], "span": span, "units": o.Units}
		keys[i] = ledger.Key(schemas.Unit{ID: i}, about, versions())
	}
	o.Plan = ledger.Key(schemas.Unit{}, keys, versions())
	// Tables are never converted by a detached job.
	f, err := conversion.Open(t.out, conversion.OpenOptions{Fresh: t.c.fresh})
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer func() { _ = f.Close() }() // all writes have ended
	if m, ok, err := f.Finished(o.Plan); ok || err != nil {
		return m, outputError(err)
	}
	if err := f.Begun(keys); err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	// Each goroutine writes only its own row.
	rows := make([]conversion.Row, len(t.spans))
	all := func(yield func(int, error) bool) {
		for i := range t.spans {
			if !yield(i, nil) {
				return
			}
		}
	}
	err = folder.Each(cli.Workers(o.Workers), all, func(i int) (err error) {
		done := false
		if rows[i], done, err = f.Done(keys[i]); err != nil || done {
			return err
		}
		rows[i], err = t.unit(ctx, schemas.Unit{ID: i}, keys[i])
		return err
	})
	if err != nil {
		// An interrupt takes precedence over the connection errors that it causes.
		return schemas.Manifest{}, cmp.Or(ctx.Err(), err)
	}
	return conversion.Finish(ctx, t.out, rows, o.run())
}

// unit converts a region: rows in order, and the captures of a row from the newest. Versions -1 means all captures.
func (t *hbaseTable) unit(ctx context.Context, u schemas.Unit, key string) (conversion.Row, error) {
	w, err := conversion.NewUnit(t.out, key, u, len(t.spans), t.c.options.To)
	if err != nil {
		return conversion.Row{}, err
	}
	defer w.Abort()
	var counts schemas.Counts
	r := rowstore.Range{Span: t.spans[u.ID], Families: []string{webtable.Content}, Versions: -1, Parts: true}
	for row, err := range t.store.Scan(ctx, r) {
		if err != nil {
			return conversion.Row{}, err
		}
		var failed error
		webtable.Captures(row, func(c *schemas.Capture, err error) bool {
			failed = takeCapture(w, &counts, c, err)
			return failed == nil
		})
		if failed != nil {
			return conversion.Row{}, failed
		}
	}
	cli.Live.Units.Add(1)
	// The table's URL and the region's number stand for a file in the manifest.
	return w.Commit(counts, []schemas.Range{{File: fmt.Sprintf("%s#%d", t.c.inputs[0], u.ID), Format: fromTable}})
}

// takeCapture writes a capture, or a reject with its offset in the original archive if its body is damaged.
func takeCapture(w *conversion.Unit, counts *schemas.Counts, c *schemas.Capture, failed error) error {
	counts.Records++
	if failed == nil {
		cli.Live.Captures.Add(1)
		counts.Capture(c)
		return w.Write(c)
	}
	counts.Rejects++
	schemas.Count(&counts.ByReject, string(schemas.KindUnreadable), 1)
	return w.Reject(schemas.Reject{
		File: c.Origin.File, Offset: c.Origin.Offset, Length: c.Origin.Length, Stage: fromTable, Kind: schemas.KindUnreadable,
		Message: failed.Error(), URL: c.URL, Record: c.RecordID,
	})
}
