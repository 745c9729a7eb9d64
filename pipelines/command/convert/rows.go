package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
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

// fromTable is what --from has for tables of HBase, and how their addresses begin.
// --from=hbase is not a format of archives, so that it is beside their list.
const (
	fromTable = "hbase"
	scheme    = "hbase://"
)

// shown are the names of inputs as they may be written anywhere. Addresses of tables hold no secrets, and what follows
// their question mark is read here. The order of archives among each other stays; tables come last. The slice of inputs
// must not be used by the caller any more.
func shown(inputs []string) []string {
	// others is made in place of inputs, which is not used any
	// more, and tables of a clone, since DeleteFunc writes.
	tables := slices.DeleteFunc(slices.Clone(inputs), func(in string) bool { return !strings.HasPrefix(in, scheme) })
	others := slices.DeleteFunc(inputs, func(in string) bool { return strings.HasPrefix(in, scheme) })
	return append(blob.Shown(others), tables...)
}

// checkTable notes whether a table is named and not archives, and finds what does not go with that.
// c.options.From is emptied: rows need no detection, and the name must not be taken for a format.
func (c *config) checkTable() error {
	// Archives and tables may be named in any order, so that all are looked at.
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
	// Archives and tables are divided in different ways, and more than one table would need more than one plan.
	case tables != 1 || len(c.inputs) != 1 || len(c.options.From) > 1 || len(c.options.From) == 1 && !asked:
		return cli.Usagef("a table is converted alone: --from=%s hbase://host:port/table", fromTable)
	// The connection to the servers is this process's own; no graph is built.
	case !run.InProcess(c.runner) || run.DryRun():
		return cli.Usagef("a table is converted by this process, whatever the runner: leave out --runner and --dry_run")
	}
	c.table, c.options.From = true, nil
	return nil
}

// hbaseTable is a table of HBase that is converted. Each of its regions is a unit, done in this process: what limits
// it is the servers. What changes in the table while it is read is converted or not; a folder that is finished is not
// read for again, unless --fresh says so. It is made for one run and closed by executeTable. Its spans are those of
// the regions at the beginning; that regions split meanwhile changes no span.
type hbaseTable struct {
	c      config
	store  *hbase.Store
	layout webtable.Layout
	spans  []rowstore.Span
	out    folder.Folder
}

// executeTable converts the captures of a table.
// Errors of the address are usage errors; those of servers are failures.
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
	// Deferred calls run in reverse, so that the folder is closed before the connections that it uses.
	defer func() { _ = t.store.Close() }() // nothing is being asked by then
	if err := t.look(ctx); err != nil {
		return schemas.Manifest{}, err
	}
	files := blob.New(c.options.Remote)
	defer files.Close()
	t.out = folder.Open(ctx, c.options.Output, files)
	defer func() { _ = t.out.Close() }() // nothing is being written to it by then
	return t.convert(ctx)
}

// look finds the regions, and whether the table has bodies.
// A table without the family of bodies was written with places of archives only, and nothing can be made of it.
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
	// Splits are the first keys of all regions but the first, so that there is one span more than keys.
	keys, err := t.store.Splits(ctx)
	if err != nil {
		return err
	}
	// The spans together are all rows, each once.
	from := ""
	// An empty key is the beginning of the table as well as its end.
	for _, k := range append(keys, "") {
		t.spans = append(t.spans, rowstore.Span{From: from, To: k})
		from = k
	}
	return nil
}

// convert does the regions that are not done yet, and finishes the folder.
func (t *hbaseTable) convert(ctx context.Context) (schemas.Manifest, error) {
	o := t.c.options
	o.Units = len(t.spans)
	keys := make([]string, len(t.spans))
	for i, span := range t.spans {
		// The table has no stamp, so that its name stands for it: see hbaseTable on what changes.
		about := map[string]any{"options": o.lasting(), "table": t.c.inputs[0], "span": span, "units": o.Units}
		keys[i] = collection.Key(schemas.Unit{ID: i}, about, versions())
	}
	o.Plan = collection.Key(schemas.Unit{}, keys, versions())
	// No job of a service writes here, so there is none to ask about.
	f, err := conversion.Open(t.out, conversion.OpenOptions{Fresh: t.c.fresh})
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer func() { _ = f.Close() }() // what it held was written
	if m, ok, err := f.Finished(o.Plan); ok || err != nil {
		return m, outputError(err)
	}
	if err := f.Begun(keys); err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	// Places of their own, as in divide: no lock is needed.
	rows := make([]conversion.Row, len(t.spans))
	all := func(yield func(int, error) bool) {
		for i := range t.spans {
			if !yield(i, nil) {
				return
			}
		}
	}
	// Regions are done side by side, as many as there are workers; what is done before is taken as it is.
	err = folder.Each(cli.Workers(o.Workers), all, func(i int) (err error) {
		done := false
		if rows[i], done, err = f.Done(keys[i]); err != nil || done {
			return err
		}
		rows[i], err = t.unit(ctx, schemas.Unit{ID: i}, keys[i])
		return err
	})
	if err != nil {
		// An interrupt shows as all kinds of errors of connections, and is told as what it is.
		return schemas.Manifest{}, cmp.Or(ctx.Err(), err)
	}
	return conversion.Finish(ctx, t.out, rows, o.run())
}

// unit converts a region: its rows in their order, and of each the newest capture first.
// Versions -1 asks for all captures of a page, since each is one in the archive.
func (t *hbaseTable) unit(ctx context.Context, u schemas.Unit, key string) (conversion.Row, error) {
	w, err := conversion.NewUnit(t.out, key, u, len(t.spans), t.c.options.To)
	if err != nil {
		return conversion.Row{}, err
	}
	defer w.Abort()
	// Rows have no reader that would count them.
	var counts schemas.Counts
	r := rowstore.Range{Span: t.spans[u.ID], Families: []string{webtable.Content}, Versions: -1}
	for row, err := range t.store.Scan(ctx, r) {
		if err != nil {
			return conversion.Row{}, err
		}
		// The error is kept outside, because Captures takes a function that only reports whether to go on.
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
	// A region is in the manifest as the table's address and its number, for want of a file.
	return w.Commit(counts, []schemas.Range{{File: fmt.Sprintf("%s#%d", t.c.inputs[0], u.ID), Format: fromTable}})
}

// takeCapture writes a capture, or says that its body is not there as it was.
// The capture's place is that in the archive which ingest read, so that it can be found there.
// The others of the table go on: a body that is damaged is a reject like one in an archive.
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
