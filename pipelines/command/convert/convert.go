package convert

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that archives are read from and folders written to.
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "convert", Brief: "write web archives in other formats",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    convert,
	Subs: []cli.Verb{{
		Name: "merge", Brief: "join the parts that --shard has made", Do: merge,
		Flags: func(set *flag.FlagSet) *cli.Flags { return newMergeFlags(set, new(string)) },
	}, {
		Name: "cdx", Brief: "make a capture index over archives, collections and indexes", Do: makeCDX,
		Flags: func(set *flag.FlagSet) *cli.Flags { return newCDXFlags(set, new(cdxConfig)) },
	}},
}

// The default heap limit. Each worker holds a page decoded, and encoded in each output format.
const (
	baseMemory   = 64 << 20
	workerMemory = 128 << 20
)

// convert is the command. It returns the exit code and an error to show.
func convert(ctx context.Context, args []string) (int, error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Set before any archive is read. A worker needs more than in ingest, because it keeps whole bodies.
	cli.SetMemoryLimit(cmp.Or(c.memory, baseMemory+int64(cli.Workers(c.options.Workers))*workerMemory))
	begin := time.Now()
	m, err := execute(ctx, c)
	if errors.Is(err, errLeft) {
		return cli.ExitDone, nil
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	elapsed := time.Since(begin)
	if cli.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run or another process did a part, so the speed is unknown
	}
	if err := cli.Summary(os.Stdout, m, elapsed, cli.PeakMemory()); err != nil {
		return cli.ExitFailed, err
	}
	return exitCode(m.Totals), nil
}

// exitCode returns ExitLosses if something of the archives is missing from the output or may be wrong. These are
// unreadable or damaged records, truncated bodies, and captures that no format can hold. Fields that a format lacks
// are counted, but are not losses.
func exitCode(t schemas.Counts) int {
	lost := t.BytesLost + t.ByReject[string(schemas.KindRefused)] + t.ByReject[string(schemas.KindUnreadable)] +
		t.ByFlag[string(schemas.FlagBody)] + t.ByFlag[string(schemas.FlagRatio)]
	if lost > 0 || t.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// execute finds and divides the inputs, does the units that are not done and returns the manifest.
func execute(ctx context.Context, c config) (schemas.Manifest, error) {
	if c.table {
		return executeTable(ctx, c)
	}
	// Stdin saves an archive on standard input to a file; a list stays in list.
	list, release, err := run.Stdin(ctx, c.inputs, c.runner, &c.options.Remote)
	if err != nil {
		return schemas.Manifest{}, err
	}
	defer release()
	// o is a copy to which the plan adds; c stays as it was.
	o := c.options
	store := blob.New(o.Remote)
	defer store.Close()
	in, err := work.Find(ctx, store, c.inputs, list, work.FindOptions{UnitSize: c.unitSize, Output: o.Output})
	if err != nil {
		// An interrupt takes precedence over the errors that it causes.
		return schemas.Manifest{}, cmp.Or(ctx.Err(), cli.Usagef("%v", err))
	}
	for _, note := range in.Notes() {
		slog.Warn(note)
	}
	// The names in lists and folders are known only now.
	if err := c.checkReach(in); err != nil {
		return schemas.Manifest{}, err
	}
	// The keys contain the number of units.
	o.Units = len(in.Units)
	tasks := planned(in, &o)
	f := folder.Open(ctx, o.Output, store)
	defer func() { _ = f.Close() }() // all writes have ended
	// A dry run neither locks nor makes the folder.
	if run.DryRun() {
		return schemas.Manifest{}, cmp.Or(runUnits(ctx, c.runner, nil, f, o, tasks, nil), errLeft)
	}
	return c.fill(ctx, f, o, tasks)
}

// fill does the remaining units of the folder f in one graph and returns the manifest.
func (c *config) fill(ctx context.Context, f folder.Folder, o Options, tasks []task) (schemas.Manifest, error) {
	jobEnded := func(note []byte) error { return run.JobEnded(ctx, note, c.fresh) }
	// This locks the folder. A detached job of an earlier command may still be writing, so Open asks about it.
	out, err := conversion.Open(f, conversion.OpenOptions{Fresh: c.fresh, JobEnded: jobEnded})
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer out.Close()
	o.Generation = out.Generation()
	// An earlier run completed the same plan.
	if m, ok, err := out.Finished(o.Plan); ok || err != nil {
		return m, outputError(err)
	}
	// Unfinished units of another conversion are an error: they are not removed.
	if err := out.Begun(keysOf(tasks)); err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	tasks, o.Part = c.of(tasks), c.shard.N > 0
	if o.Part {
		part := conversion.Part{Numbers: []int{c.shard.I}, Of: c.shard.N, Plan: o.Plan}
		if err := out.NotePart(part); err != nil {
			return schemas.Manifest{}, outputError(err)
		}
	}
	todo, done, err := divide(tasks, f.AtOnce(), out)
	if err != nil {
		return schemas.Manifest{}, err
	}
	if err := runUnits(ctx, c.runner, out, f, o, todo, done); err != nil {
		return schemas.Manifest{}, err
	}
	if o.Part {
		return c.counts(tasks, f.AtOnce(), out)
	}
	// The graph continues elsewhere, and its last step writes the manifest.
	if run.Detached() {
		slog.Info(fmt.Sprintf("not waiting for the job, which writes %s last; run the same command again to go on where it "+
			"ended, or to see what it did", f.Path(holdings.ManifestFile)))
		return schemas.Manifest{}, errLeft
	}
	// The graph may have written the manifest on another machine.
	return holdings.ReadRun(f)
}

// errLeft ends a run without a summary: its job was only shown, or continues without this process.
var errLeft = errors.New("nothing to wait for")

// divide finds the units that are done, which have a row in the folder. In a bucket each check is a request, so
// several run at the same time.
func divide(tasks []task, atOnce int, out *conversion.Folder) (todo []task, done []conversion.Row, err error) {
	// Each goroutine writes only its own row.
	rows := make([]conversion.Row, len(tasks))
	all := func(yield func(int, error) bool) {
		for i := range tasks {
			if !yield(i, nil) {
				return
			}
		}
	}
	if err := folder.Each(atOnce, all, func(i int) (err error) {
		rows[i], _, err = out.Done(tasks[i].Key)
		return err
	}); err != nil {
		return nil, nil, err
	}
	for i, row := range rows {
		if row.Key != "" {
			done = append(done, row)
		} else {
			todo = append(todo, tasks[i])
		}
	}
	return todo, done, nil
}

// planned makes the tasks and the key of the plan. A unit's key depends on the inputs and their stamps, the options,
// and the unit's number, which is in the names of its files.
func planned(in *work.Inputs, o *Options) []task {
	tasks := make([]task, len(in.Units))
	keys := make([]string, len(in.Units))
	for i, u := range in.Units {
		stamps := in.StampsOf(u)
		// The number of units is in the names of files.
		about := map[string]any{"options": o.lasting(), "stamps": stamps, "unit": u.ID, "units": o.Units}
		tasks[i] = task{Unit: u, Key: ledger.Key(u, about, versions()), Stamps: stamps}
		keys[i] = tasks[i].Key
	}
	// The plan's key shows whether a finished folder is of the same plan.
	o.Plan = ledger.Key(schemas.Unit{}, keys, versions())
	return tasks
}

func keysOf(tasks []task) []string {
	keys := make([]string, len(tasks))
	for i, t := range tasks {
		keys[i] = t.Key
	}
	return keys
}

// outputError makes usage errors of those that another folder or waiting avoids. Other errors, such as a full disk,
// are failures.
func outputError(err error) error {
	return cli.OutputError(err, conversion.ErrForeign, conversion.ErrOther, conversion.ErrLost,
		conversion.ErrNoPart)
}

// runUnits does the remaining units and writes the manifest, in one graph. In a dry run out is nil.
func runUnits(ctx context.Context, runner string, out *conversion.Folder, f folder.Folder, o Options, todo []task,
	done []conversion.Row,
) error {
	// bytes and sizes are for progress.
	var bytes int64
	sizes := make(map[string]int64, len(todo))
	for _, t := range todo {
		sizes[t.Key] = t.Unit.Bytes()
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		slog.Info(fmt.Sprintf("%d of %d units are done already", len(done), o.Units))
	}
	// Both lists travel through the folder, because runners refuse a graph with a million units.
	if run.DryRun() {
		f = nil // a dry run makes no folder
	}
	tasks, err := batch.List(f, todo)
	if err != nil {
		return outputError(err)
	}
	before, err := batch.List(f, done)
	if err != nil {
		return outputError(err)
	}
	if out != nil {
		defer cli.StartProgress(&cli.Live, bytes).Stop()
		// Workers elsewhere have their own counters.
		if !run.InProcess(runner) {
			defer batch.Watch(&cli.Live, sizes, func() ([]string, error) { return conversion.Keys(f) })()
		}
	}
	job := batch.Submission{Command: "convert", Output: o.Output, Runner: runner, Folder: f}
	if out != nil {
		job.Leave = out.Leave
	}
	return job.Do(ctx, converting, o, tasks, before)
}

// The headings of --help, in the order of their first flags.
const (
	output   = "Output"
	input    = "Input"
	resource = "Running"
)
